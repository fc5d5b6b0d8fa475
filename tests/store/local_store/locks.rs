//! The lock files: who is kept out, and who makes them.

use std::fs::{self, File};
use std::sync::Arc;

use dex_dir::directory::Directory;
use dex_dir::error::ErrorKind;
use dex_dir::partition::Partition;
use dex_dir::profile::CustomerProfile;
use dex_dir::store::Store;
use dex_dir::store::local::LocalStore;

use super::{assert_saved, assert_stored, at_once, chmod, store, told, upsert, with_alice};
use crate::harness::{ALICE_LOCK, ALICE_PARTITION, Sandbox, profile_json};

#[test]
fn whoever_locks_the_lock_file_keeps_all_writers_of_that_partition_out() {
    let (sandbox, directory) = with_alice();
    let before = sandbox.read(ALICE_PARTITION);
    // The standard library's lock is flock(2) too, as is a shell script's.
    let held = File::open(sandbox.path(ALICE_LOCK)).expect("made by the first save");
    held.try_lock().expect("free");
    for name in ["Alice", "Alice Smith"] {
        let error = at_once({
            let directory = directory.clone();
            move || upsert(&directory, name).expect_err("held")
        });
        assert_eq!(error.kind(), ErrorKind::LockConflict);
        assert!(told(&error).starts_with("partition-278 is locked by another writer"));
        if cfg!(target_os = "linux") {
            let holder = format!("(process {}, ", std::process::id());
            assert!(told(&error).contains(&holder), "{}", told(&error));
        }
    }
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
    assert_stored(&directory, "Alice");
    let bob = profile_json("bob@example.com", "Bob");
    let bob = CustomerProfile::from_json(&bob).expect("a profile");
    directory.upsert(&bob).expect("another partition's lock");
    drop(held);
    assert_saved(&directory, "Alice Smith");
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_writer_takes_the_lock_before_it_looks_at_the_partition() {
    // What it has read before would be overwritten with what it makes of that: the save of whoever
    // held the lock is lost. Seen by which of two errors comes first.
    let (sandbox, directory) = with_alice();
    let held = File::open(sandbox.path(ALICE_LOCK)).expect("made by the first save");
    held.try_lock().expect("free");
    sandbox.write(ALICE_PARTITION, "corrupt");
    let error = upsert(&directory, "Alice").expect_err("held");
    assert_eq!(error.kind(), ErrorKind::LockConflict);
    fs::remove_file(sandbox.path(ALICE_PARTITION)).expect("removed");
    fs::create_dir(sandbox.path(ALICE_PARTITION)).expect("made");
    let error = upsert(&directory, "Alice").expect_err("held");
    assert_eq!(error.kind(), ErrorKind::LockConflict);
    drop(held);
    let error = upsert(&directory, "Alice").expect_err("a directory");
    assert_eq!(error.kind(), ErrorKind::Storage);
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_lock_file_that_may_only_be_read_is_locked_all_the_same() {
    let (sandbox, directory) = with_alice();
    // To root every file is writable: the claim is then that nobody minds the mode. Run by anybody
    // else, opening it for writing fails, and it is opened for reading.
    chmod(&sandbox.path(ALICE_LOCK), 0o444);
    assert_saved(&directory, "Alice Smith");
    let held = File::open(sandbox.path(ALICE_LOCK)).expect("readable");
    held.try_lock().expect("free");
    let error = upsert(&directory, "Alice").expect_err("held");
    assert_eq!(error.kind(), ErrorKind::LockConflict);
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_copy_without_its_locks_works_and_gets_them_back_with_the_first_write() {
    let (sandbox, _directory) = with_alice();
    let copy = sandbox.root().join("copy");
    fs::create_dir(&copy).expect("made");
    for name in ["directory.json", ALICE_PARTITION] {
        fs::copy(sandbox.path(name), copy.join(name)).expect("copied");
    }
    let directory = Directory::open(Arc::new(LocalStore::new(copy.clone()))).expect("opened");
    assert_stored(&directory, "Alice");
    assert!(!copy.join("locks").exists(), "reading creates nothing");
    assert_saved(&directory, "Alice Smith");
    assert!(copy.join(ALICE_LOCK).is_file());
    fs::remove_dir_all(copy.join("locks")).expect("removed");
    assert_saved(&directory, "Alice");
    let entries = fs::read_dir(&copy).expect("a directory").count();
    assert_eq!(entries, 3, "the manifest, the partition, the locks");
    sandbox.assert_no_temporary_files();
}

#[test]
fn nothing_is_made_where_nothing_was_started() {
    let sandbox = Sandbox::new();
    let error = Directory::open(store(&sandbox)).expect_err("not started");
    assert_eq!(error.kind(), ErrorKind::NotStarted);
    let partition = Partition::from_number(7).expect("a partition");
    assert!(store(&sandbox).begin(partition).is_err());
    assert!(!sandbox.dir().exists());
}
