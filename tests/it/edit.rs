//! `edit`: what it opens, what it saves, and what it says about that.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, profile_json, shell};

/// A partition file of these lines.
pub fn file(lines: &[&str]) -> String {
    let lines = lines.join(",\n");
    let end = if lines.is_empty() { "" } else { "\n" };
    format!("{{\"profilesByCanonicalEmail\":{{\n{lines}{end}}}}}\n")
}

/// The line of a profile under its own address.
pub fn line(email: &str, name: &str) -> String {
    format!("\"{email}\":{}", profile_json(email, name))
}

/// A started directory in which alice is saved.
pub fn with_alice() -> Sandbox {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    sandbox
}

/// `edit` with these arguments, prepared.
pub fn command(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = prepared(sandbox, sandbox.command());
    command.arg("edit").args(args);
    command
}

/// A shell script in which `$DEX` is the program, prepared.
pub fn shell_script(sandbox: &Sandbox, script: &str) -> Command {
    let mut command = prepared(sandbox, shell(sandbox.root()));
    command.env("DEX_DIR", sandbox.dir()).args(["-c", script]);
    command
}

/// Private copies are made in the sandbox, and editors find the program in `$DEX`.
fn prepared(sandbox: &Sandbox, mut command: Command) -> Command {
    let copies = copies(sandbox);
    fs::create_dir_all(&copies).expect("a folder");
    command.env("TMPDIR", copies);
    command.env("DEX", assert_cmd::cargo::cargo_bin!("dex-dir"));
    command
}

fn copies(sandbox: &Sandbox) -> PathBuf {
    sandbox.root().join("copies")
}

/// Edits alice's partition through a command.
pub fn through(sandbox: &Sandbox, script: &str) -> Finished {
    let mut command = command(sandbox, &["--email", ALICE, "--through"]);
    Finished(command.arg(script).output().expect("the program runs"))
}

/// Edits alice's partition in an editor that is this script; the file is `$1`.
pub fn by_hand(sandbox: &Sandbox, script: &str) -> Finished {
    let mut command = command(sandbox, &["--email", ALICE]);
    command.env("EDITOR", editor(script));
    Finished(command.output().expect("the program runs"))
}

/// A script as an editor.
pub fn editor(script: &str) -> String {
    format!("edit() {{ {script}\n}}; edit")
}

/// The texts that were kept.
pub fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(copies(sandbox)).min_depth(1);
    all.into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| !path.is_dir() || fs::read_dir(path).expect("a folder").count() != 1)
        .collect()
}

/// Fails unless it succeeded with these lines and left no private copy.
pub fn assert_saved(sandbox: &Sandbox, finished: &Finished, lines: &[&str]) {
    let error = finished.stderr();
    assert_eq!(finished.status(), 0, "{error}");
    let printed = finished.stdout();
    assert_eq!(printed.lines().collect::<Vec<_>>(), lines, "{error}");
    assert_eq!(kept(sandbox), [""; 0].map(PathBuf::from));
    sandbox.assert_no_temporary_files();
}

/// Fails unless it ended with this status, kept `text` and named the file in its last line.
pub fn assert_kept(sandbox: &Sandbox, finished: &Finished, status: i32, text: &[u8]) {
    let error = finished.stderr();
    assert_eq!(
        (finished.status(), finished.stdout()),
        (status, String::new()),
        "{error}"
    );
    let kept = kept(sandbox);
    let [path] = &kept[..] else {
        panic!("{kept:?}: {error}")
    };
    assert_eq!(fs::read(path).expect("the text"), text);
    let last = error.lines().last().expect("an error");
    let named = format!("dex-dir: the text is kept as {}", path.display());
    assert!(last.starts_with(&named), "{error}");
    sandbox.assert_no_temporary_files();
}

#[test]
fn what_changed_is_printed_in_the_order_of_the_addresses() {
    let sandbox = Sandbox::started();
    let shared = crate::harness::colliding_addresses(4);
    for email in &shared[..3] {
        sandbox.upsert(email, "Old", &[]);
    }
    let lines = [
        line(&shared[3], "New"),
        line(&shared[2], "New"),
        line(&shared[0], "Old"),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    fs::write(sandbox.root().join("new"), file(&lines)).expect("written");
    let mut command = command(&sandbox, &["--email", &shared[0], "--through", "cat new"]);
    let finished = Finished(command.output().expect("it runs"));
    let expected = [
        format!("removed\t{}", shared[1]),
        format!("changed\t{}", shared[2]),
        format!("added\t{}", shared[3]),
    ];
    assert_saved(&sandbox, &finished, &expected.each_ref().map(|l| &**l));
    let sorted: Vec<_> = lines.into_iter().rev().collect();
    assert_eq!(sandbox.read("partition-963.json"), file(&sorted).as_bytes());
}

#[test]
fn what_is_saved_is_in_the_canonical_layout_and_keeps_every_token() {
    let sandbox = with_alice();
    let alice = profile_json(ALICE, "Alice").replace('}', r#","n":[1.10,{"\u0061":1e400}]}"#);
    let spread = alice.replace(',', " ,\n\t");
    let new = format!("{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{spread}}}, \"m\" : 1}}");
    fs::write(sandbox.root().join("new"), new).expect("written");
    let path = sandbox.path(ALICE_PARTITION);
    let lines = [
        format!("changed\t{ALICE}"),
        format!("changed\t{}", path.display()),
    ];
    let finished = through(&sandbox, "cat new");
    assert_saved(&sandbox, &finished, &lines.each_ref().map(|l| &**l));
    let expected =
        format!("{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{alice}\n}},\n\"m\":1\n}}\n");
    assert_eq!(sandbox.read(ALICE_PARTITION), expected.as_bytes());
}

#[test]
fn a_text_that_says_the_same_changes_no_byte() {
    let sandbox = with_alice();
    let spread = file(&[&line(ALICE, "Alice")]).replace(',', " ,\n");
    sandbox.write(ALICE_PARTITION, &spread);
    for script in ["cat", "tr -d '\\n'"] {
        let finished = through(&sandbox, script);
        assert_saved(&sandbox, &finished, &[]);
        let word = format!(
            "dex-dir: {}: nothing was changed\n",
            sandbox.path(ALICE_PARTITION).display()
        );
        assert_eq!(finished.stderr(), word);
        assert_eq!(sandbox.read(ALICE_PARTITION), spread.as_bytes());
    }
    assert_saved(&sandbox, &by_hand(&sandbox, ":"), &[]);
}

#[test]
fn an_unwritten_partition_opens_as_an_empty_one_and_is_made_only_if_something_is_in_it() {
    let sandbox = Sandbox::started();
    let seen = sandbox.root().join("seen");
    let finished = by_hand(&sandbox, &format!("cp \"$1\" '{}'", seen.display()));
    assert_saved(&sandbox, &finished, &[]);
    assert_eq!(fs::read(seen).expect("the text"), file(&[]).as_bytes());
    assert!(!sandbox.path(ALICE_PARTITION).exists());
    let new = file(&[&line(ALICE, "Alice")]);
    let finished = through(&sandbox, &format!("cat >/dev/null; printf '%s' '{new}'"));
    assert_saved(&sandbox, &finished, &[&format!("added\t{ALICE}")]);
    assert_eq!(sandbox.read(ALICE_PARTITION), new.as_bytes());
}

#[test]
fn a_partition_may_be_named_by_an_address_its_number_its_name_or_its_file() {
    let sandbox = with_alice();
    let path = sandbox.path(ALICE_PARTITION);
    let path = path.to_str().expect("UTF-8");
    for (round, target) in [
        ["--email", " ALICE@example.com"],
        ["--partition", "278"],
        ["--partition", "partition-278"],
        ["--partition", ALICE_PARTITION],
        ["--partition", path],
        ["--partition", "customers/partition-278.json"],
        ["--partition", "./customers/../customers/partition-278.json"],
    ]
    .into_iter()
    .enumerate()
    {
        let script = format!("sed 's/\"fullName\":\"[^\"]*\"/\"fullName\":\"{round}\"/'");
        let mut command = command(&sandbox, &[&target[..], &["--through", &script]].concat());
        let finished = Finished(command.output().expect("it runs"));
        assert_saved(&sandbox, &finished, &[&format!("changed\t{ALICE}")]);
    }
}

#[test]
fn exactly_one_partition_of_this_directory_must_be_named() {
    let sandbox = with_alice();
    let elsewhere = sandbox.root().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    for args in [
        &["--through", "touch ran"][..],
        &[
            "--through",
            "touch ran",
            "--email",
            ALICE,
            "--partition",
            "278",
        ],
        &["--through", "touch ran", "--partition", "1000"],
        &["--through", "touch ran", "--partition", "+7"],
        &["--through", "touch ran", "--partition", "partition-7"],
        &["--through", "touch ran", "--partition", "278.json"],
        &[
            "--through",
            "touch ran",
            "--partition",
            "partition-278.json~",
        ],
        &[
            "--through",
            "touch ran",
            "--partition",
            ".partition-278.tmp",
        ],
        &[
            "--through",
            "touch ran",
            "--partition",
            "elsewhere/partition-278.json",
        ],
        &[
            "--through",
            "touch ran",
            "--partition",
            "none/partition-278.json",
        ],
        &["--through", "touch ran", "--email", "josé@example.com"],
        &["--email", ALICE],
    ] {
        let finished = Finished(command(&sandbox, args).output().expect("it runs"));
        let error = finished.stderr();
        assert_eq!(finished.status(), 2, "{args:?}: {error}");
        assert!(error.contains("--help"), "{error}");
        assert!(!sandbox.root().join("ran").exists(), "{args:?}");
    }
}

#[test]
fn odd_keys_are_escaped_where_they_are_shown() {
    let sandbox = Sandbox::started();
    let odd = "a\u{1b}[31m\u{7f}@example.com";
    sandbox.upsert(odd, "Odd", &[]);
    let mut command = command(&sandbox, &["--email", odd, "--through"]);
    let script = format!("printf '%s' '{}'", file(&[]));
    let finished = Finished(command.arg(script).output().expect("it runs"));
    assert_saved(
        &sandbox,
        &finished,
        &[r"removed	a\u{1b}[31m\u{7f}@example.com"],
    );
}

#[test]
fn results_that_can_not_be_written_say_that_the_partition_was_saved() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        return; // Only Linux has it.
    };
    let sandbox = with_alice();
    let mut command = command(
        &sandbox,
        &["--email", ALICE, "--through", "sed s/gold/silver/"],
    );
    let finished = Finished(command.stdout(full).output().expect("it runs"));
    finished.assert_refused(74, &["was saved", "standard output"]);
    let tier = sandbox.ok(&["get", "--email", ALICE, "--field", "customer-tier"]);
    assert_eq!(tier, "silver\n");
}
