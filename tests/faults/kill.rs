//! SIGKILL at each system call, one by one: the call isn't made, and the program does nothing more.
//! Since every call has its turn, so has every moment between two calls.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use crate::calls::{Call, Fault, can_trace, record, record_with};
use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, profile_json};
use crate::scene::{FOREIGN, PARTITION, copy, directory, moments, save, save_as};
use crate::tally::Tally;
use crate::tree::Tree;

/// What a save of Alice may change besides her partition.
const TEMPORARY: &str = "customers/.partition-278.tmp";
const LOCK: &str = "customers/locks/partition-278.lock";

/// Kills the program at each call of `args` in a copy of `before`, and lets `check` look at what it
/// printed, what there is now, and what there would be had it not been killed.
fn kill_at_every_call(
    part: &'static str,
    before: &Tree,
    args: &[&str],
    check: impl Fn(&Sandbox, &str, &Tree),
) {
    let undisturbed = copy(before);
    let (finished, calls) = record(&undisturbed, args);
    assert_eq!(finished.status(), 0, "{}", finished.stderr());
    let after = Tree::of(undisturbed.root());
    let calls = moments(&calls, &undisturbed);
    let mut tally = Tally::new(part, calls.len());
    for Call { name, nth, .. } in &calls {
        let sandbox = copy(before);
        let fault = Fault {
            call: name,
            nth: *nth,
            what: "signal=KILL".to_owned(),
        };
        let (Finished(killed), _) = record_with(&sandbox, args, &fault);
        assert_eq!(killed.status.signal(), Some(9), "{fault:?} didn't happen");
        let reported = String::from_utf8(killed.stdout).expect("UTF-8");
        tally.fault(&format!("{fault:?}"), || check(&sandbox, &reported, &after));
    }
    tally.finish();
}

/// The old bytes or the new ones, whole; the new ones if they were reported; nothing else touched;
/// and both readers and the next writer get on.
fn assert_save_survived(before: &Tree, sandbox: &Sandbox, reported: &str, after: &Tree) {
    let now = Tree::of(sandbox.root());
    let (old, new) = (before.file(PARTITION), after.file(PARTITION));
    let found = now.file(PARTITION);
    assert!(found == new || (found == old && reported.is_empty()));
    let is_own = |path: &Path| {
        [PARTITION, TEMPORARY, LOCK]
            .iter()
            .any(|own| path == Path::new(own))
    };
    assert_eq!(now.without(is_own), before.without(is_own));
    let lookup = sandbox.run(&["get", "--email", ALICE]);
    assert_eq!(lookup.status(), i32::from(found.is_none()));
    assert_next_save_leaves_nothing_behind(sandbox);
}

fn assert_next_save_leaves_nothing_behind(sandbox: &Sandbox) {
    let saved = sandbox.ok(&save("Next"));
    assert_eq!(saved, profile_json(ALICE, "Next") + "\n");
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), saved);
    assert!(!sandbox.path(".partition-278.tmp").exists());
    assert_eq!(sandbox.read(FOREIGN), b"somebody's");
}

fn kill_a_save(part: &'static str, prepare: impl Fn(&Sandbox)) {
    if !can_trace() {
        return;
    }
    let before = directory(prepare);
    kill_at_every_call(part, &before, &save("New"), |sandbox, reported, after| {
        assert_save_survived(&before, sandbox, reported, after);
    });
}

#[test]
fn a_save_may_be_killed_anywhere() {
    kill_a_save("kill at every call of a save", save_as("Old"));
}

#[test]
fn the_first_save_of_a_partition_may_be_killed_anywhere() {
    kill_a_save("kill at every call of a partition's first save", |_| ());
}

#[test]
fn a_save_that_finds_a_left_over_may_be_killed_anywhere() {
    kill_a_save(
        "kill at every call of a save after a killed one",
        |sandbox| {
            sandbox.ok(&save("Old"));
            sandbox.write(".partition-278.tmp", "{\"profilesByCanon");
        },
    );
}

#[test]
fn an_unchanged_save_may_be_killed_anywhere() {
    kill_a_save("kill at every call of an unchanged save", save_as("New"));
}

#[test]
fn a_start_may_be_killed_anywhere() {
    if !can_trace() {
        return;
    }
    let part = "kill at every call of a start";
    kill_at_every_call(
        part,
        &Tree::default(),
        &["start"],
        |sandbox, reported, _| {
            let killed = Tree::of(sandbox.root());
            let started = sandbox.ok(&["start"]);
            if let Some(manifest) = killed.file("customers/directory.json") {
                assert_eq!(sandbox.read("directory.json"), manifest);
            }
            assert!(reported.is_empty() || reported == started, "{reported}");
            sandbox.ok(&save("Next"));
            assert!(sandbox.path(ALICE_PARTITION).exists());
            sandbox.assert_no_temporary_files();
        },
    );
}
