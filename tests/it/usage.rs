//! Wrong use, help, and how the program gets on with shells, pipes and terminals.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::harness::{ALICE, Sandbox, program};

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

pub fn listing(sandbox: &Sandbox) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(sandbox.root())
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn each_command_says_of_itself_what_the_list_says_of_it() {
    let sandbox = Sandbox::new();
    let list = sandbox.ok(&["-h"]);
    for command in COMMANDS {
        let own = sandbox.ok(&[command, "-h"]);
        let about = own.lines().next().expect("a line");
        let listed = list
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{command} ")));
        assert!(
            listed.expect("listed").ends_with(&format!("  {about}")),
            "{own}"
        );
    }
}
