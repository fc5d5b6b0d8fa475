//! The lock of a partition, with a shell script's `flock` as the other writer.

use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Sandbox};

/// A script that holds the lock of alice's partition until it is ended.
pub struct Holder(Child);

impl Holder {
    pub fn of(sandbox: &Sandbox, seconds: &str) -> Self {
        let mut script = Command::new("flock")
            .arg(sandbox.path(ALICE_LOCK))
            .args(["sh", "-c", &format!("echo held; exec sleep {seconds}")])
            .stdout(Stdio::piped())
            .spawn()
            .expect("flock runs");
        let mut held = [0; 5];
        script
            .stdout
            .as_mut()
            .expect("a pipe")
            .read_exact(&mut held)
            .expect("the lock is held");
        Self(script)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

#[test]
fn a_held_lock_is_a_conflict_at_once_for_writers_of_that_partition_alone() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let before = sandbox.read(ALICE_PARTITION);
    let holder = Holder::of(&sandbox, "20");
    let begun = Instant::now();
    sandbox
        .upsert(ALICE, "Other", &[])
        .assert_refused(75, &["partition-278", "--wait"]);
    sandbox
        .upsert(ALICE, "Alice", &[])
        .assert_refused(75, &["partition-278"]);
    assert!(begun.elapsed() < Duration::from_secs(5), "it waited");
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
    sandbox.ok(&["get", "--email", ALICE]);
    assert_eq!(sandbox.upsert("bob@example.com", "Bob", &[]).status(), 0);
    drop(holder);
    sandbox.assert_no_temporary_files();
}

#[test]
#[cfg(target_os = "linux")]
fn a_conflict_names_the_holder() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let holder = Holder::of(&sandbox, "20");
    let process = format!("process {}", holder.0.id());
    sandbox
        .upsert(ALICE, "Other", &[])
        .assert_refused(75, &[&process]);
}

#[test]
fn a_writer_that_waits_gets_through_once_the_lock_is_free() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let holder = Holder::of(&sandbox, "1");
    assert_eq!(
        sandbox.upsert(ALICE, "Other", &["--wait", "10s"]).status(),
        0
    );
    let name = sandbox.ok(&["get", "--email", ALICE, "--field", "full-name"]);
    assert_eq!(name, "Other\n");
    drop(holder);
}

#[test]
fn a_writer_that_waits_in_vain_says_so_when_its_time_is_up() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let _holder = Holder::of(&sandbox, "20");
    let begun = Instant::now();
    sandbox
        .upsert(ALICE, "Other", &["--wait", "300ms"])
        .assert_refused(75, &["partition-278"]);
    let waited = begun.elapsed();
    assert!(
        (Duration::from_millis(300)..Duration::from_secs(5)).contains(&waited),
        "{waited:?}"
    );
}

#[test]
fn a_lock_file_is_made_when_first_needed_and_stays_the_same_file() {
    let sandbox = Sandbox::started();
    assert!(!sandbox.path(ALICE_LOCK).exists());
    sandbox.upsert(ALICE, "Alice", &[]);
    let made = fs::metadata(sandbox.path(ALICE_LOCK))
        .expect("a lock file")
        .ino();
    for name in ["Alice", "Other"] {
        sandbox.upsert(ALICE, name, &[]);
        assert_eq!(
            fs::metadata(sandbox.path(ALICE_LOCK))
                .expect("a lock file")
                .ino(),
            made
        );
    }
}

#[test]
fn a_script_under_flock_that_publishes_by_mv_is_a_writer_like_any_other() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let edit = "sed s/gold/silver/ partition-278.json > .partition-278.tmp && sync . &&
                mv .partition-278.tmp partition-278.json";
    let script = Command::new("flock")
        .current_dir(sandbox.dir())
        .args(["-n", "-E", "75", ALICE_LOCK, "sh", "-c", edit])
        .status();
    assert!(script.expect("flock runs").success());
    let tier = sandbox.ok(&["get", "--email", ALICE, "--field", "customer-tier"]);
    assert_eq!(tier, "silver\n");
}

#[test]
fn a_lock_that_fails_in_another_way_is_no_conflict() {
    let sandbox = Sandbox::started();
    fs::create_dir(sandbox.path(ALICE_LOCK)).expect("a directory");
    sandbox
        .upsert(ALICE, "Alice", &[])
        .assert_refused(74, &[ALICE_LOCK]);
}
