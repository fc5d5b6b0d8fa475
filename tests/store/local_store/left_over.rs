//! What a killed writer left in the directory, and how the next one gets rid of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::symlink;

use dex_dir::directory::Directory;
use dex_dir::document::Outcome;
use dex_dir::error::ErrorKind;

use super::{LEFT_OVER, assert_saved, assert_stored, chmod, store, told, upsert, with_alice};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};

#[test]
fn what_a_killed_writer_left_is_replaced_by_the_next_save() {
    let (sandbox, directory) = with_alice();
    sandbox.write(LEFT_OVER, "{\"profilesByCano");
    chmod(&sandbox.path(LEFT_OVER), 0o400);
    assert_saved(&directory, "Alice Smith");
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_link_in_the_temporary_files_place_leads_nowhere() {
    let (sandbox, directory) = with_alice();
    sandbox.write("precious", "untouched");
    symlink(sandbox.path("precious"), sandbox.path(LEFT_OVER)).expect("a link");
    assert_saved(&directory, "Alice Smith");
    assert_eq!(sandbox.read("precious"), b"untouched");
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_directory_in_the_temporary_files_place_is_an_error_and_changes_nothing() {
    let (sandbox, directory) = with_alice();
    fs::create_dir(sandbox.path(LEFT_OVER)).expect("made");
    for name in ["Alice", "Alice Smith"] {
        let error = upsert(&directory, name).expect_err("in the way");
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(told(&error).contains(LEFT_OVER), "{}", told(&error));
    }
    assert_stored(&directory, "Alice");
    fs::remove_dir(sandbox.path(LEFT_OVER)).expect("removed");
    sandbox.assert_no_temporary_files();
}

#[test]
fn an_unchanged_save_removes_what_a_killed_writer_left_and_nothing_else() {
    let (sandbox, directory) = with_alice();
    let by_hand = format!(
        "{{\"profilesByCanonicalEmail\": {{\n \"{ALICE}\": {} }} }}",
        profile_json(ALICE, "Alice")
    );
    sandbox.write(ALICE_PARTITION, &by_hand);
    let before = fs::metadata(sandbox.path(ALICE_PARTITION)).expect("a file");
    sandbox.write(LEFT_OVER, "half");
    let saved = upsert(&directory, "Alice").expect("saved");
    assert_eq!(saved.outcome, Outcome::Unchanged);
    assert_eq!(sandbox.read(ALICE_PARTITION), by_hand.as_bytes());
    let after = fs::metadata(sandbox.path(ALICE_PARTITION)).expect("a file");
    assert_eq!(
        (after.ino(), after.mtime_nsec()),
        (before.ino(), before.mtime_nsec())
    );
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_start_that_was_interrupted_is_completed_by_the_next() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("locks")).expect("made");
    sandbox.write(".directory.tmp", "{\"flowID\":");
    let start = || {
        let directory = Directory::start(store(&sandbox)).expect("started");
        directory.manifest().expect("read")
    };
    assert_eq!(start(), start());
    sandbox.assert_no_temporary_files();
}
