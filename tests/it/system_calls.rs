//! The order of system calls, as the kernel sees them: what a save has done by the time it is
//! reported. Left out where there is no strace, which is a failure where `CI` is set.

use std::fs;
use std::process::Command;

use crate::harness::{ALICE, Sandbox, has_tools};

/// The calls of one run of the program, in order; `None` without strace.
fn calls(sandbox: &Sandbox, args: &[&str]) -> Option<String> {
    if !has_tools(&["strace"]) {
        return None;
    }
    let trace = sandbox.root().join("trace");
    let mut command = Command::new("strace");
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
        .current_dir(sandbox.root())
        .args(["-f", "-y", "-s", "32", "-o"])
        .arg(&trace);
    command
        .arg(assert_cmd::cargo::cargo_bin!("dex-dir"))
        .args(["--dir", "customers"]);
    let output = command.args(args).output().expect("strace runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(fs::read_to_string(trace).expect("a trace"))
}

/// Fails unless each of `steps` is a call of `trace`, in this order. A step is the parts that the
/// line of the call must hold, and the line must not be a failed call.
fn assert_order(trace: &str, steps: &[&[&str]]) {
    let mut lines = trace.lines().filter(|line| !line.contains(" = -1 "));
    for step in steps {
        let found = lines.any(|line| step.iter().all(|part| line.contains(part)));
        assert!(found, "no {step:?} in its place in\n{trace}");
    }
}

const SAVE: [&str; 9] = [
    "upsert",
    "--email",
    ALICE,
    "--full-name",
    "Alice",
    "--company-name",
    "Acme",
    "--customer-tier",
    "gold",
];

const NAME: &str = "customers/partition-278.json";
const TEMPORARY: &str = "customers/.partition-278.tmp";

#[test]
fn a_save_is_reported_after_lock_read_write_sync_rename_and_sync() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Other", &[]);
    let Some(trace) = calls(&sandbox, &SAVE) else {
        return;
    };
    assert_order(
        &trace,
        &[
            &["flock(", "locks/partition-278.lock", "LOCK_EX|LOCK_NB"],
            &["open", NAME],
            &["read(", NAME],
            &["open", TEMPORARY, "O_EXCL"],
            &["write", TEMPORARY],
            &["fsync(", TEMPORARY],
            &["open", "\"customers\""],
            &["rename", TEMPORARY, NAME],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
}

#[test]
fn an_unchanged_save_is_reported_after_two_syncs() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let Some(trace) = calls(&sandbox, &SAVE) else {
        return;
    };
    assert_order(
        &trace,
        &[
            &["flock(", "LOCK_EX|LOCK_NB"],
            &["read(", NAME],
            &["fsync(", NAME],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
    assert!(!trace.contains("rename"), "{trace}");
}

#[test]
fn a_start_is_reported_after_manifest_directory_and_parent_are_synced() {
    let sandbox = Sandbox::new();
    let Some(trace) = calls(&sandbox, &["start"]) else {
        return;
    };
    assert_order(
        &trace,
        &[
            &["mkdir", "\"customers\""],
            &["fsync(", sandbox.root().to_str().expect("UTF-8")],
            &["flock(", "locks/directory.lock", "LOCK_EX"],
            &["open", "customers/.directory.tmp", "O_EXCL"],
            &["write", "customers/.directory.tmp"],
            &["fsync(", "customers/.directory.tmp"],
            &["rename", "customers/directory.json"],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
    let Some(again) = calls(&sandbox, &["start"]) else {
        return;
    };
    assert_order(
        &again,
        &[
            &["fsync(", "directory.json"],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
}

#[test]
fn a_lookup_takes_no_lock_and_writes_nothing() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let Some(trace) = calls(&sandbox, &["get", "--email", ALICE]) else {
        return;
    };
    for call in [
        "flock(", "O_CREAT", "O_RDWR", "O_WRONLY", "rename", "unlink", "fsync",
    ] {
        assert!(!trace.contains(call), "{call} in\n{trace}");
    }
}
