//! Each command as a shell script uses it: what it prints, how it ends, what it never does.

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};

use predicates::prelude::*;

use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json, program};

pub const COMMANDS: [&str; 10] = [
    "start",
    "upsert",
    "get",
    "partition",
    "edit",
    "verify",
    "stats",
    "serve",
    "completions",
    "man",
];

#[test]
fn upsert_prints_the_saved_profile_and_get_prints_the_same() {
    let sandbox = Sandbox::started();
    let line = format!("{}\n", profile_json(ALICE, "Alice"));
    assert_eq!(
        sandbox.upsert(" Alice@Example.COM ", "Alice", &[]).stdout(),
        line
    );
    assert_eq!(sandbox.ok(&["get", "--email", "ALICE@example.com"]), line);
    let file = format!("{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{line}}}}}\n");
    assert_eq!(sandbox.read(ALICE_PARTITION), file.as_bytes());
    sandbox.assert_no_temporary_files();
}

#[test]
fn start_prints_one_identity_however_often_it_runs() {
    let sandbox = Sandbox::new();
    let first = sandbox.ok(&["start"]);
    let manifest = sandbox.read("directory.json");
    let pattern = predicate::str::is_match(
        r#"^\{"flowID":"customer-directory","runID":"[0-9a-f]{8}-[0-9a-f-]{27}"\}\n$"#,
    );
    assert!(pattern.expect("a pattern").eval(&first), "{first}");
    assert_eq!(sandbox.ok(&["start"]), first);
    assert_eq!(sandbox.read("directory.json"), manifest);
}

#[test]
fn get_answers_several_addresses_in_the_order_asked_and_goes_on_after_a_missing_one() {
    let sandbox = Sandbox::started();
    sandbox.upsert("a@example.com", "A", &[]);
    sandbox.upsert("b@example.com", "B", &[]);
    let finished = sandbox.run(&[
        "get",
        "--email",
        "b@example.com",
        "--email",
        "none@example.com",
        "--email",
        "a@example.com",
    ]);
    let both = [
        profile_json("b@example.com", "B"),
        profile_json("a@example.com", "A"),
    ];
    assert_eq!(finished.stdout(), format!("{}\n{}\n", both[0], both[1]));
    assert_eq!(finished.status(), 1);
    assert!(
        finished.stderr().contains("none@example.com"),
        "{}",
        finished.stderr()
    );
}

#[test]
fn get_of_a_missing_profile_creates_nothing() {
    let sandbox = Sandbox::started();
    let before = listing(&sandbox);
    sandbox
        .run(&["get", "--email", ALICE])
        .assert_refused(1, &[ALICE, ALICE_PARTITION]);
    assert_eq!(listing(&sandbox), before);
}

#[test]
fn get_prints_the_bare_text_of_a_field() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Zoë \"Z\" O\\Brien", &[]);
    for (field, text) in [
        ("email-address", ALICE),
        ("full-name", "Zoë \"Z\" O\\Brien"),
        ("company-name", "Acme"),
        ("customer-tier", "gold"),
    ] {
        let printed = sandbox.ok(&["get", "--email", ALICE, "--field", field]);
        assert_eq!(printed, format!("{text}\n"));
    }
}

#[test]
fn wrong_use_is_2_and_touches_nothing() {
    let sandbox = Sandbox::started();
    let before = listing(&sandbox);
    let long = "x".repeat(70_000);
    let save = |name: &'static str, value| {
        let flags = [
            ("--email", ALICE),
            ("--full-name", "A"),
            ("--company-name", "B"),
            ("--customer-tier", "C"),
        ];
        let of = |flag, text| if flag == name { value } else { text };
        let args: Vec<_> = flags
            .iter()
            .flat_map(|&(flag, text)| [flag, of(flag, text)])
            .collect();
        sandbox.run(&[&["upsert"], &args[..]].concat())
    };
    for finished in [
        save("--email", "josé@example.com"),
        save("--email", " "),
        save("--full-name", ""),
        save("--company-name", ""),
        save("--customer-tier", ""),
        save("--full-name", &long),
        sandbox.run(&["upsert", "--email", ALICE]),
        sandbox.run(&["get"]),
        sandbox.run(&[
            "get",
            "--email",
            "a",
            "--email",
            "b",
            "--field",
            "full-name",
        ]),
        sandbox.run(&["get", "--email", "a", "--field", "shoe-size"]),
        sandbox.run(&["get", "--mail", "a"]),
        sandbox.run(&["upsert", "--wait", "soon"]),
        sandbox.run(&["--dir", "", "get", "--email", "a"]),
        sandbox.run(&[]),
    ] {
        let error = finished.stderr();
        assert_eq!(
            (finished.status(), finished.stdout()),
            (2, String::new()),
            "{error}"
        );
        assert!(
            error.contains("Usage") || error.contains("--help"),
            "{error}"
        );
    }
    assert_eq!(listing(&sandbox), before);
}

#[test]
fn a_value_that_begins_with_a_hyphen_is_given_with_an_equals_sign() {
    let sandbox = Sandbox::started();
    let args = [
        "--email=-x",
        "--full-name=-y",
        "--company-name=--z",
        "--customer-tier=-",
    ];
    sandbox.ok(&[&["upsert"], &args[..]].concat());
    assert_eq!(
        sandbox.ok(&["get", "--email=-x", "--field", "company-name"]),
        "--z\n"
    );
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    for args in [
        &["get", "--email", ALICE][..],
        &["--help"],
        &["completions", "bash"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let finished = sandbox
            .command()
            .args(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output();
        let finished = finished.expect("the program runs");
        assert_eq!(
            (finished.status.code(), &finished.stderr[..]),
            (Some(0), &b""[..]),
            "{args:?}"
        );
    }
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return; // Only Linux has it.
    };
    let to_full = |args: &[&str]| {
        let out = full.try_clone().expect("a handle");
        let mut command = sandbox.command();
        crate::harness::Finished(
            command
                .args(args)
                .stdout(out)
                .output()
                .expect("the program runs"),
        )
    };
    to_full(&["get", "--email", ALICE]).assert_refused(74, &["standard output"]);
    to_full(&["--help"]).assert_refused(74, &["standard output"]);
    let args = [
        "upsert",
        "--email",
        "b@example.com",
        "--full-name",
        "B",
        "--company-name",
        "C",
    ];
    to_full(&[&args[..], &["--customer-tier", "D"]].concat())
        .assert_refused(74, &["the profile was saved", "standard output"]);
    sandbox.ok(&["get", "--email", "b@example.com"]);
}

#[test]
fn names_that_could_disturb_a_terminal_are_escaped_in_messages() {
    let sandbox = Sandbox::started();
    let odd = "a\u{1b}[31m@example.com";
    let finished = sandbox.run(&["get", "--email", odd]);
    finished.assert_refused(1, &[r"a\u{1b}[31m@example.com"]);
    let finished = sandbox.run(&["get", "--\u{1b}[31m"]);
    assert!(
        !finished.stderr().contains('\u{1b}'),
        "{:?}",
        finished.stderr()
    );
    let printed = sandbox.ok(&["partition", "--email", odd]);
    assert!(printed.starts_with(r"a\u{1b}[31m@example.com"), "{printed}");
}

#[test]
fn an_argument_that_is_not_utf_8_is_wrong_use_and_a_path_need_not_be() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"caf\xE9");
    let sandbox = Sandbox::new();
    let run = |command: &mut Command| command.output().expect("the program runs").status.code();
    assert_eq!(
        run(program(sandbox.root()).arg("--dir").arg(odd).arg("start")),
        Some(0)
    );
    assert!(sandbox.root().join(odd).join("directory.json").exists());
    assert_eq!(
        run(program(sandbox.root()).arg("get").arg("--email").arg(odd)),
        Some(2)
    );
}

#[test]
fn the_flag_wins_over_the_variable() {
    let sandbox = Sandbox::started();
    sandbox
        .run(&["get", "--email", "a", "--dir", "elsewhere"])
        .assert_refused(66, &["elsewhere"]);
}

#[test]
fn every_help_ends_in_an_example_of_that_command() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.ok(&[command, "--help"]);
        let (_, example) = help.rsplit_once("Example:\n").expect("an example");
        assert!(example.contains(&format!("dex-dir {command} ")), "{help}");
    }
    let whole = sandbox.ok(&["--help"]);
    for command in COMMANDS {
        assert!(
            whole.contains(&format!("\n  {command} ")),
            "{command} isn't in COMMANDS' help"
        );
    }
    let listed = whole.lines().skip_while(|l| *l != "Commands:").skip(1);
    assert_eq!(
        listed.take_while(|l| !l.is_empty()).count(),
        COMMANDS.len() + 1,
        "{whole}"
    );
}

#[test]
fn members_added_by_hand_stay_and_other_tokens_keep_their_text() {
    let sandbox = Sandbox::started();
    let by_hand = format!(
        r#"{{ "note" : "mine", "profilesByCanonicalEmail": {{
            "zoe@elsewhere": {{ "any": 12345678901234567890123 }},
            "{ALICE}": {{ "vip": [1.10, {{}}], "fullName": "A", "emailAddress": "{ALICE}",
                          "companyName": "B", "customerTier": "C" }} }} }}"#
    );
    sandbox.write(ALICE_PARTITION, by_hand);
    sandbox.upsert(ALICE, "Alice", &[]);
    let alice = profile_json(ALICE, "Alice").replace('}', r#","vip":[1.10,{}]}"#);
    let file = format!(
        "{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{alice},\n\
         \"zoe@elsewhere\":{{\"any\":12345678901234567890123}}\n}},\n\"note\":\"mine\"\n}}\n"
    );
    assert_eq!(
        String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8"),
        file
    );
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), format!("{alice}\n"));
}

#[test]
fn an_unchanged_save_changes_no_byte_and_clears_what_a_killed_writer_left() {
    let sandbox = Sandbox::started();
    let pretty = profile_json(ALICE, "Alice").replace(',', " ,\n  ");
    let file = format!("{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{pretty}}}}}");
    sandbox.write(ALICE_PARTITION, &file);
    sandbox.write(".partition-278.tmp", "half a");
    let saved = sandbox.upsert(ALICE, "Alice", &[]);
    assert_eq!(
        saved.stdout(),
        format!("{}\n", profile_json(ALICE, "Alice"))
    );
    assert_eq!(sandbox.read(ALICE_PARTITION), file.as_bytes());
    sandbox.assert_no_temporary_files();
}

#[test]
fn hundreds_of_real_looking_customers_come_back_as_they_went_in() {
    let sandbox = Sandbox::started();
    let customers = include_str!("../vectors/customers-400.jsonl");
    let mut addresses = Vec::new();
    for line in customers.lines().take(100) {
        let customer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| customer[name].as_str().expect("a string").to_owned();
        let saved = sandbox.ok(&[
            "upsert",
            "--email",
            &text("emailAddress"),
            "--full-name",
            &text("fullName"),
            "--company-name",
            &text("companyName"),
            "--customer-tier",
            &text("customerTier"),
        ]);
        addresses.push((text("emailAddress"), saved));
    }
    for (address, saved) in addresses {
        assert_eq!(sandbox.ok(&["get", "--email", &address]), saved);
    }
}

fn listing(sandbox: &Sandbox) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(sandbox.root())
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn the_input_of_a_command_that_reads_none_is_left_alone() {
    let sandbox = Sandbox::started();
    let mut child = sandbox
        .command()
        .args(["start"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let written = child.stdin.take().expect("a pipe").write_all(b"y\n");
    assert!(child.wait().expect("it ends").success());
    drop(written);
}
