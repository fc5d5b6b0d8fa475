//! The order of system calls, as the kernel sees them: what has been done by the time that a save
//! is reported. Left out where there is no strace, which is a failure where `CI` is set.

use std::fs;

use crate::calls::{Call, can_trace, parse, record, traced};
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::scene::save;
use crate::server::Server;

/// The calls of one run of the program that succeeds.
fn calls(sandbox: &Sandbox, args: &[&str]) -> Vec<Call> {
    let (finished, calls) = record(sandbox, args);
    assert_eq!(finished.status(), 0, "{}", finished.stderr());
    calls
}

/// Fails unless each of `steps` is a call that succeeded, begun when the step before it had ended. A
/// step is the parts that the text of the call must hold.
fn assert_order(calls: &[Call], steps: &[&[&str]]) {
    let mut ended = None;
    for step in steps {
        let found = calls.iter().find(|call| {
            ended.is_none_or(|ended| call.begun > ended) && !call.failed() && call.has(step)
        });
        let found = found.unwrap_or_else(|| panic!("no {step:?} in its place in\n{}", text(calls)));
        ended = Some(found.ended);
    }
}

/// Fails if the first call with `earlier` isn't before all with `later`.
fn assert_none_before(calls: &[Call], earlier: &[&str], later: &[&str]) {
    let mut calls = calls.iter();
    let before = calls.by_ref().take_while(|call| !call.has(earlier));
    for call in before {
        assert!(!call.has(later), "{} before {earlier:?}", call.text());
    }
    assert!(calls.next().is_some(), "nothing after {earlier:?}");
}

fn text(calls: &[Call]) -> String {
    let lines = calls.iter().map(|call| call.text() + "\n");
    lines.collect()
}

const LOCK: &str = "customers/locks/partition-278.lock";
const NAME: &str = "customers/partition-278.json";
const TEMPORARY: &str = "customers/.partition-278.tmp";

/// A save that replaces a partition, up to and with the call that reports it.
fn assert_saves_in_order(calls: &[Call], report: &[&str]) {
    assert_order(
        calls,
        &[
            &["flock(", LOCK, "LOCK_EX|LOCK_NB"],
            &["open", NAME],
            &["read(", NAME],
            &["open", TEMPORARY, "O_EXCL"],
            &["write", TEMPORARY],
            &["fsync(", TEMPORARY],
            &["open", "/customers\""],
            &["rename", TEMPORARY, NAME],
            &["fsync(", "/customers>"],
            report,
        ],
    );
    assert_none_before(calls, &["flock("], &["partition-278.json"]);
    assert_none_before(calls, &["fsync(", "/customers>"], report);
    assert!(!calls.iter().any(|call| call.has(&["unlink", "locks"])));
}

#[test]
fn a_save_is_reported_after_lock_read_write_sync_rename_and_sync() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Other", &[]);
    assert_saves_in_order(&calls(&sandbox, &save("Alice")), &["write(1<"]);
}

#[test]
fn a_save_by_http_is_answered_after_lock_read_write_sync_rename_and_sync() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Other", &[]);
    let trace = sandbox.root().join("trace");
    let mut command = sandbox.command();
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::of(&mut traced(&command, &trace, &[]));
    assert_eq!(server.put(profile_json(ALICE, "Alice")).status, 200);
    server.stop();
    let calls = parse(&trace);
    assert_saves_in_order(&calls, &["socket:", "HTTP/1.1 200"]);
}

#[test]
fn an_import_is_summed_up_after_each_partition_is_saved_in_order() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Other", &[]);
    let emails = ["bob@example.com", ALICE, "carol@example.com"];
    let lines = emails.map(|email| profile_json(email, "Alice") + "\n");
    fs::write(sandbox.root().join("input"), lines.concat()).expect("a file");
    let calls = calls(&sandbox, &["upsert", "--from", "input"]);
    let own = calls.iter().find(|call| call.has(&["rename", NAME]));
    let thread = &own.expect("a save").thread;
    let one_thread = calls.iter();
    let one_thread = one_thread.filter(|call| call.thread == *thread || call.has(&["write(1<"]));
    let one_thread: Vec<_> = one_thread.cloned().collect();
    assert_saves_in_order(&one_thread, &["write(1<"]);
    let renames = calls.iter().filter(|call| call.has(&["rename"]));
    let renames: Vec<_> = renames.collect();
    assert_eq!(renames.len(), emails.len(), "{}", text(&calls));
    for rename in renames {
        let after = calls.iter().filter(|call| call.begun > rename.ended);
        let after: Vec<_> = after.cloned().collect();
        assert_order(&after, &[&["fsync(", "/customers>"], &["write(1<"]]);
    }
}

#[test]
fn an_unchanged_save_is_reported_after_two_syncs() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let calls = calls(&sandbox, &save("Alice"));
    assert_order(
        &calls,
        &[
            &["flock(", "LOCK_EX|LOCK_NB"],
            &["read(", NAME],
            &["fsync(", NAME],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
    assert!(!text(&calls).contains("rename"), "{}", text(&calls));
}

#[test]
fn a_start_is_reported_after_manifest_directory_and_parent_are_synced() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::new();
    let root = format!("{}>", sandbox.root().display());
    let first = calls(&sandbox, &["start"]);
    assert_order(
        &first,
        &[
            &["mkdir", "/customers\""],
            &["fsync(", &root],
            &["flock(", "locks/directory.lock", "LOCK_EX"],
            &["open", "customers/.directory.tmp", "O_EXCL"],
            &["write", "customers/.directory.tmp"],
            &["fsync(", "customers/.directory.tmp"],
            &["rename", "customers/directory.json"],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
    assert_order(
        &calls(&sandbox, &["start"]),
        &[
            &["fsync(", "directory.json"],
            &["fsync(", "/customers>"],
            &["write(1<"],
        ],
    );
}

#[test]
fn a_lookup_takes_no_lock_and_writes_nothing() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let trace = text(&calls(&sandbox, &["get", "--email", ALICE]));
    for call in [
        "flock(", "O_CREAT", "O_RDWR", "O_WRONLY", "rename", "unlink", "fsync",
    ] {
        assert!(!trace.contains(call), "{call} in\n{trace}");
    }
}
