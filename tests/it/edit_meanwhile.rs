//! `edit` while others write to the same partition: nobody's change is lost, and the loser is told.

use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::edit::{
    assert_kept, assert_saved, by_hand, command, editor, file, kept, line, through, with_alice,
};
use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, has_tools};
use crate::locks::Holder;

/// A script in which another process saves a profile of this partition.
const SAVE: &str = "\"$DEX\" upsert --email alice@example.com --full-name Other \
                    --company-name Acme --customer-tier gold >&2";

#[test]
fn what_another_saved_meanwhile_stays_and_the_text_is_kept() {
    let mine = file(&[&line(ALICE, "Alice")]).replace("gold", "silver");
    let theirs = file(&[&line(ALICE, "Other")]);
    for way in [
        (|sandbox| by_hand(sandbox, &format!("sed -i s/gold/silver/ \"$1\"; {SAVE}")))
            as fn(&Sandbox) -> Finished,
        |sandbox| through(sandbox, &format!("sed s/gold/silver/; {SAVE}")),
    ] {
        let sandbox = with_alice();
        let finished = way(&sandbox);
        assert_kept(&sandbox, &finished, 75, mine.as_bytes());
        assert!(
            finished.stderr().contains("another writer has changed"),
            "{}",
            finished.stderr()
        );
        assert_eq!(sandbox.read(ALICE_PARTITION), theirs.as_bytes());
    }
}

#[test]
fn a_partition_that_appears_or_goes_meanwhile_was_changed() {
    let new = file(&[&line(ALICE, "New")]);
    let sandbox = Sandbox::started();
    let finished = through(&sandbox, &format!("printf '%s' '{new}'; {SAVE}"));
    assert_kept(&sandbox, &finished, 75, new.as_bytes());
    assert_eq!(
        sandbox.read(ALICE_PARTITION),
        file(&[&line(ALICE, "Other")]).as_bytes()
    );
    let sandbox = with_alice();
    let finished = through(
        &sandbox,
        &format!("printf '%s' '{new}'; rm customers/{ALICE_PARTITION}"),
    );
    assert_kept(&sandbox, &finished, 75, new.as_bytes());
    assert!(!sandbox.path(ALICE_PARTITION).exists());
}

#[test]
fn a_corrupt_file_that_another_repaired_meanwhile_was_changed() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, "{");
    let theirs = file(&[&line(ALICE, "Theirs")]);
    let mine = file(&[&line(ALICE, "Mine")]);
    let finished = by_hand(
        &sandbox,
        &format!(
            "printf '%s' '{theirs}' >customers/{ALICE_PARTITION}; printf '%s' '{mine}' >\"$1\""
        ),
    );
    assert_kept(&sandbox, &finished, 75, mine.as_bytes());
    assert_eq!(sandbox.read(ALICE_PARTITION), theirs.as_bytes());
}

#[test]
fn what_another_saved_in_another_partition_is_no_conflict() {
    let sandbox = with_alice();
    let script = format!("sed s/gold/silver/; {}", SAVE.replace("alice@", "bob@"));
    assert_saved(
        &sandbox,
        &through(&sandbox, &script),
        &[&format!("changed\t{ALICE}")],
    );
    sandbox.ok(&["get", "--email", "bob@example.com"]);
}

#[test]
fn a_held_lock_is_a_conflict_at_once_and_the_text_is_kept() {
    if !has_tools(&["flock"]) {
        return;
    }
    let mine = file(&[&line(ALICE, "Alice")]).replace("gold", "silver");
    for way in [
        (|sandbox| through(sandbox, "sed s/gold/silver/")) as fn(&Sandbox) -> Finished,
        |sandbox| by_hand(sandbox, "sed -i s/gold/silver/ \"$1\""),
    ] {
        let sandbox = with_alice();
        let _holder = Holder::of(&sandbox, "20");
        let finished = way(&sandbox);
        assert_kept(&sandbox, &finished, 75, mine.as_bytes());
        finished.assert_refused(75, &["partition-278 is locked", "--wait"]);
    }
}

#[test]
fn who_changes_nothing_needs_no_lock() {
    if !has_tools(&["flock"]) {
        return;
    }
    let sandbox = with_alice();
    let _holder = Holder::of(&sandbox, "20");
    assert_saved(&sandbox, &through(&sandbox, "cat"), &[]);
}

/// Edits alice's tier with this for `--wait`.
fn waiting(sandbox: &Sandbox, wait: &str) -> Finished {
    let script = "sed s/gold/silver/";
    let args = ["--email", ALICE, "--wait", wait, "--through", script];
    let mut command = command(sandbox, &args);
    Finished(command.output().expect("it runs"))
}

#[test]
fn a_held_lock_is_waited_out_if_that_is_asked_for() {
    if !has_tools(&["flock"]) {
        return;
    }
    let sandbox = with_alice();
    let _holder = Holder::of(&sandbox, "1");
    let finished = waiting(&sandbox, "20s");
    assert_saved(&sandbox, &finished, &[&format!("changed\t{ALICE}")]);
}

#[test]
fn waiting_in_vain_keeps_the_text_when_its_time_is_up() {
    if !has_tools(&["flock"]) {
        return;
    }
    let sandbox = with_alice();
    let mine = file(&[&line(ALICE, "Alice")]).replace("gold", "silver");
    let _holder = Holder::of(&sandbox, "20");
    let begun = Instant::now();
    assert_kept(&sandbox, &waiting(&sandbox, "300ms"), 75, mine.as_bytes());
    let waited = begun.elapsed();
    assert!(
        (Duration::from_millis(300)..Duration::from_secs(10)).contains(&waited),
        "{waited:?}"
    );
}

#[test]
fn a_signal_ends_the_waiting_and_the_text_is_kept() {
    if !has_tools(&["flock"]) {
        return;
    }
    let sandbox = with_alice();
    let _holder = Holder::of(&sandbox, "30");
    let begun = Instant::now();
    let script = "sed -i s/gold/silver/ \"$1\"; { sleep 0.5; kill -INT $PPID; } &";
    let mut command = command(&sandbox, &["--email", ALICE, "--wait", "25s"]);
    command.env("EDITOR", editor(script));
    let finished = Finished(command.output().expect("it runs"));
    assert!(begun.elapsed() < Duration::from_secs(20), "it waited");
    assert_eq!(finished.0.status.signal(), Some(2), "{}", finished.stderr());
    let [path] = &kept(&sandbox)[..] else {
        panic!("{}", finished.stderr())
    };
    let path = path.to_str().expect("UTF-8");
    assert!(finished.stderr().contains(path), "{}", finished.stderr());
}

#[test]
fn of_many_edits_and_saves_at_once_each_that_was_reported_counts() {
    if !has_tools(&["jq"]) {
        return;
    }
    let sandbox = with_alice();
    let filter = "jq '.n = (.n // 0) + 1'";
    let lost = AtomicUsize::new(0);
    let retried = |attempt: &dyn Fn() -> i32| {
        for _ in 0..8 {
            loop {
                match attempt() {
                    0 => break,
                    75 => lost.fetch_add(1, Ordering::Relaxed),
                    status => panic!("status {status}"),
                };
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| retried(&|| through(&sandbox, filter).status()));
        }
        scope.spawn(|| retried(&|| sandbox.upsert(ALICE, "Saved", &["--wait", "20s"]).status()));
    });
    let text = String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8");
    assert!(text.contains("\"n\":24\n"), "{text}");
    assert!(text.contains("Saved"), "{text}");
    assert_eq!(kept(&sandbox).len(), lost.into_inner());
}
