//! Modes, owners and groups of new and replaced files.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{assert_saved, chmod, mode, with_alice};
use crate::harness::{ALICE_LOCK, ALICE_PARTITION};

#[test]
fn a_new_file_follows_the_umask() {
    let (sandbox, _directory) = with_alice();
    sandbox.write("made-by-a-person", "");
    let usual = mode(&sandbox.path("made-by-a-person"));
    for name in [ALICE_PARTITION, ALICE_LOCK, "directory.json"] {
        assert_eq!(mode(&sandbox.path(name)), usual, "{name}");
    }
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_replaced_file_keeps_its_mode_whatever_the_umask() {
    let (sandbox, directory) = with_alice();
    // Read-only as well: a save replaces the file and never writes into it.
    for kept in [0o660, 0o666, 0o600, 0o644, 0o444, 0o606] {
        chmod(&sandbox.path(ALICE_PARTITION), kept);
        assert_saved(&directory, &format!("{kept:o}"));
        assert_eq!(mode(&sandbox.path(ALICE_PARTITION)), kept, "{kept:o}");
    }
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_replaced_file_keeps_its_owner_and_group_where_that_is_allowed() {
    let (sandbox, directory) = with_alice();
    let path = sandbox.path(ALICE_PARTITION);
    // Only root may give a file away; for anybody else there is nothing to keep.
    let _given = std::os::unix::fs::chown(&path, Some(12345), Some(54321));
    chmod(&path, 0o640);
    let before = fs::metadata(&path).expect("a file");
    assert_saved(&directory, "Alice Smith");
    let after = fs::metadata(&path).expect("a file");
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_eq!(mode(&path), 0o640);
    sandbox.assert_no_temporary_files();
}
