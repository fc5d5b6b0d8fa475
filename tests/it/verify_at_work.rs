//! `verify` while writers are at work: no false alarm, and nobody in their way.

use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{ALICE, ALICE_LOCK, Sandbox, colliding_addresses, has_tools};
use crate::verify::assert_found;

const LEFT_OVER: &str = ".partition-278.tmp";
const NOTE: &str = "note: .partition-278.tmp: left behind by a writer that was killed; the next save to its partition removes it";
const ONE_NOTE: &str = "1 profile in 1 partition: no problems, 1 note";
const CLEAN: &str = "1 profile in 1 partition: no problems, no notes";

#[test]
fn four_writers_at_work_raise_no_alarm_and_are_not_disturbed() {
    let sandbox = Sandbox::started();
    let shared = colliding_addresses(2);
    let (stop, saved) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        // Two meet in one partition; each of the others has one to itself, so it must never conflict.
        for (address, alone) in [
            (&*shared[0], false),
            (&shared[1], false),
            (ALICE, true),
            ("bob@example.com", true),
        ] {
            let (sandbox, stop, saved) = (&sandbox, &stop, &saved);
            scope.spawn(move || {
                for round in 0.. {
                    let status = sandbox.upsert(address, &format!("{round}"), &[]).status();
                    assert!(
                        status == 0 || (status == 75 && !alone),
                        "{address}: {status}"
                    );
                    saved.fetch_add(1, Ordering::Relaxed);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        let alarm = alarm_within(&sandbox, Duration::from_secs(3));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(alarm, None);
    });
    assert!(saved.load(Ordering::Relaxed) > 20, "{saved:?}");
    assert_found(
        &sandbox,
        0,
        &[],
        "4 profiles in 3 partitions: no problems, no notes",
    );
}

/// What `verify` prints, run again and again, if ever it isn't clean.
fn alarm_within(sandbox: &Sandbox, time: Duration) -> Option<String> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        let finished = sandbox.run(&["verify"]);
        if finished.status() != 0 || !finished.stdout().ends_with("no problems, no notes\n") {
            return Some(finished.stdout() + &finished.stderr());
        }
    }
    None
}

#[test]
fn what_a_killed_writer_left_is_a_note() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    sandbox.write(LEFT_OVER, "half");
    assert_found(&sandbox, 0, &[NOTE], ONE_NOTE);
    sandbox.upsert(ALICE, "B", &[]);
    assert_found(&sandbox, 0, &[], CLEAN);
}

#[test]
#[cfg(target_os = "linux")]
fn the_file_of_a_writer_that_takes_its_time_is_not_left_over() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    let lock = File::open(sandbox.path(ALICE_LOCK)).expect("the lock file");
    lock.lock().expect("the lock");
    sandbox.write(LEFT_OVER, "half");
    assert_found(&sandbox, 0, &[], CLEAN);
    // Not by closing it: a program that another test is just starting may have inherited it.
    lock.unlock().expect("unlocked");
    assert_found(&sandbox, 0, &[NOTE], ONE_NOTE);
}

#[test]
fn no_lock_is_touched_and_nothing_is_opened_for_writing() {
    if !has_tools(&["strace"]) {
        return;
    }
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    sandbox.write(LEFT_OVER, "half");
    let trace = sandbox.root().join("trace");
    let mut command = std::process::Command::new("strace");
    command
        .args([
            "-f",
            "-e",
            "trace=flock,fcntl,openat,rename,unlink,fsync",
            "-o",
        ])
        .arg(&trace);
    command.arg(assert_cmd::cargo::cargo_bin!("dex-dir"));
    let status = command
        .args(["verify", "--dir"])
        .arg(sandbox.dir())
        .output();
    assert!(status.expect("strace runs").status.success());
    let calls = std::fs::read_to_string(trace).expect("the trace");
    assert!(calls.contains("partition-278.json"), "{calls}");
    for call in [
        "flock(", "F_SETLK", "O_RDWR", "O_WRONLY", "O_CREAT", "rename(", "unlink(", "fsync(",
    ] {
        assert!(!calls.contains(call), "{call} in {calls}");
    }
    assert!(
        !calls.contains(".lock\""),
        "a lock file was opened: {calls}"
    );
}
