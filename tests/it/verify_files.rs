//! `verify` on what stands in a directory: strays, files of another kind, files that can't be read,
//! the manifest, and a thousand partitions.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;

use dex_dir::email::CanonicalEmail;
use dex_dir::partition::Partition;

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, profile_json};
use crate::verify::{assert_found, file};

/// Runs the program where it may not do all that root may.
pub fn as_nobody(sandbox: &Sandbox, args: &[&str]) -> Finished {
    let mut command = sandbox.command();
    if rustix::process::geteuid().is_root() {
        fs::set_permissions(sandbox.root(), PermissionsExt::from_mode(0o755)).expect("a mode");
        command.uid(65_534).gid(65_534);
    }
    Finished(command.args(args).output().expect("the program runs"))
}

#[test]
fn what_is_no_part_of_the_directory_is_a_note_that_says_so() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    for name in [
        ".DS_Store",
        "PARTITION-007.JSON",
        "partition-1000.json",
        "partition-278.json~",
        "partition-7.json",
        "locks/mine",
    ] {
        sandbox.write(name, "{");
    }
    fs::create_dir(sandbox.path("old")).expect("a directory");
    sandbox.write("old/partition-278.json", "{");
    let like =
        "not read: the names of partitions are exactly partition-000.json to partition-999.json";
    let other = "not read: it is no part of the directory";
    let findings = [
        (".DS_Store", other),
        ("PARTITION-007.JSON", like),
        ("locks/mine", other),
        ("old", other),
        ("partition-1000.json", like),
        ("partition-278.json~", like),
        ("partition-7.json", like),
    ];
    let findings = findings.map(|(name, text)| format!("note: {name}: {text}"));
    let findings: Vec<_> = findings.iter().map(String::as_str).collect();
    assert_found(
        &sandbox,
        0,
        &findings,
        "1 profile in 1 partition: no problems, 7 notes",
    );
}

#[test]
fn what_is_no_file_is_a_problem_and_never_waited_for() {
    let sandbox = Sandbox::started();
    fs::create_dir(sandbox.path("partition-000.json")).expect("a directory");
    fs::create_dir(sandbox.path(".partition-003.tmp")).expect("a directory");
    fs::create_dir(sandbox.path("locks/partition-004.lock")).expect("a directory");
    let fifo = Command::new("mkfifo")
        .arg(sandbox.path("partition-001.json"))
        .status();
    assert!(fifo.expect("mkfifo runs").success());
    symlink("nowhere", sandbox.path("partition-002.json")).expect("a link");
    let findings = [
        "problem: partition-000.json: could not read it: it is not a regular file",
        "problem: partition-001.json: could not read it: it is not a regular file",
        "problem: partition-002.json: could not open it: No such file or directory (os error 2)",
        "problem: .partition-003.tmp: of another kind than what saving needs in this place",
        "problem: locks/partition-004.lock: of another kind than what saving needs in this place",
    ];
    assert_found(
        &sandbox,
        72,
        &findings,
        "no profiles in no partitions: 5 problems, no notes",
    );
}

#[test]
fn a_linked_partition_is_checked_and_noted() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    let elsewhere = sandbox.root().join("elsewhere.json");
    fs::rename(sandbox.path(ALICE_PARTITION), &elsewhere).expect("moved");
    symlink(&elsewhere, sandbox.path(ALICE_PARTITION)).expect("a link");
    let finding = "note: partition-278.json: it is a symbolic link: it is read, but nothing can be saved to it";
    assert_found(
        &sandbox,
        0,
        &[finding],
        "1 profile in 1 partition: no problems, 1 note",
    );
}

#[test]
fn a_file_that_may_not_be_read_is_a_problem_and_the_others_go_on() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    sandbox.upsert("bob@example.com", "B", &[]);
    fs::set_permissions(
        sandbox.path(ALICE_PARTITION),
        PermissionsExt::from_mode(0o000),
    )
    .expect("a mode");
    fs::set_permissions(sandbox.path("locks"), PermissionsExt::from_mode(0o000)).expect("a mode");
    let finished = as_nobody(&sandbox, &["verify"]);
    fs::set_permissions(sandbox.path("locks"), PermissionsExt::from_mode(0o755)).expect("a mode");
    let printed = finished
        .stdout()
        .replace(&format!("{}/", sandbox.dir().display()), "");
    let expected = [
        "problem: partition-278.json: could not open it: Permission denied (os error 13)",
        "problem: locks: could not list it: Permission denied (os error 13)",
        "1 profile in 1 partition: 2 problems, no notes",
    ];
    assert_eq!(
        printed.lines().collect::<Vec<_>>(),
        expected,
        "{}",
        finished.stderr()
    );
    assert_eq!(finished.status(), 72);
}

#[test]
fn a_read_only_directory_can_be_verified() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o555)).expect("a mode");
    let finished = as_nobody(&sandbox, &["verify"]);
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o755)).expect("a mode");
    assert_eq!(
        finished.stdout(),
        "1 profile in 1 partition: no problems, no notes\n"
    );
    assert_eq!(finished.status(), 0);
}

#[test]
fn a_directory_that_is_copied_without_its_locks_is_clean() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    fs::remove_dir_all(sandbox.path("locks")).expect("removed");
    assert_found(
        &sandbox,
        0,
        &[],
        "1 profile in 1 partition: no problems, no notes",
    );
}

#[test]
fn a_corrupt_manifest_is_a_problem_and_the_rest_is_checked_all_the_same() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, "");
    sandbox.write("directory.json", "{\n");
    let findings = [
        "problem: directory.json: line 2, column 1: the manifest is corrupt: EOF while parsing an object",
        "problem: partition-278.json: line 1, column 1: the file is empty",
    ];
    assert_found(
        &sandbox,
        72,
        &findings,
        "no profiles in 1 partition: 2 problems, no notes",
    );
}

#[test]
fn what_another_format_holds_is_not_judged() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, "");
    let manifest = String::from_utf8(sandbox.read("directory.json")).expect("UTF-8");
    sandbox.write("directory.json", manifest.replace("1000", "500"));
    let finding = "problem: directory.json: the manifest says partitionCount 500, and this program supports 1000; so nothing else was checked";
    assert_found(
        &sandbox,
        72,
        &[finding],
        "no profiles in no partitions: 1 problem, no notes",
    );
}

#[test]
fn what_is_no_directory_of_ours_is_refused_as_elsewhere() {
    let sandbox = Sandbox::new();
    for command in ["verify", "stats"] {
        sandbox
            .run(&[command])
            .assert_refused(66, &["has not been started", "dex-dir start"]);
    }
    fs::write(sandbox.dir(), "mine").expect("a file");
    for command in ["verify", "stats"] {
        sandbox.run(&[command]).assert_refused(74, &["customers"]);
    }
}

#[test]
fn a_thousand_partitions_are_checked_in_their_order() {
    let sandbox = Sandbox::started();
    let files = thousand_files();
    for (name, text) in &files {
        sandbox.write(name, text);
    }
    assert_found(
        &sandbox,
        0,
        &[],
        "1000 profiles in 1000 partitions: no problems, no notes",
    );
    for (name, text) in &files {
        sandbox.write(name, text.replace("\"gold\"", "\"\""));
    }
    let finding = |(name, text): (&String, &String)| {
        let column = text
            .lines()
            .nth(1)
            .and_then(|line| line.find("\"gold\""))
            .expect("a tier")
            + 1;
        let key = text.split('"').nth(3).expect("a key");
        format!(
            "problem: {name}: line 2, column {column}: \"{key}\": the profile's customerTier is empty"
        )
    };
    let findings: Vec<_> = files.iter().map(finding).collect();
    let findings: Vec<_> = findings.iter().map(String::as_str).collect();
    assert_found(
        &sandbox,
        72,
        &findings,
        "1000 profiles in 1000 partitions: 1000 problems, no notes",
    );
}

/// A file for each partition, with one profile.
fn thousand_files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for email in (0..).map(|i| format!("customer-{i}@example.com")) {
        let partition = Partition::of(&CanonicalEmail::parse(&email).expect("an address"));
        let text = file(&[(&email, &profile_json(&email, "C"))]);
        files.insert(format!("{partition}.json"), text);
        if files.len() == usize::from(Partition::COUNT) {
            break;
        }
    }
    files
}
