//! What may stand under a partition's name: links, things that are no files, strays, damaged text.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use dex_dir::directory::Directory;
use dex_dir::error::ErrorKind;
use dex_dir::partition::Partition;
use dex_dir::store::Store;
use dex_dir::store::local::LocalStore;

use super::{assert_saved, assert_stored, at_once, get, started, store, told, upsert, with_alice};
use crate::harness::ALICE_PARTITION;

#[test]
fn a_linked_partition_is_read_and_never_replaced() {
    let (sandbox, directory) = with_alice();
    let path = sandbox.path(ALICE_PARTITION);
    let elsewhere = sandbox.root().join("elsewhere");
    fs::rename(&path, &elsewhere).expect("moved");
    symlink(&elsewhere, &path).expect("a link");
    assert_stored(&directory, "Alice");
    for name in ["Alice", "Alice Smith"] {
        let error = upsert(&directory, name).expect_err("a link");
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(
            told(&error).ends_with("partition-278.json: it is a symbolic link"),
            "{}",
            told(&error)
        );
    }
    assert_stored(&directory, "Alice");
    assert_eq!(fs::read_link(&path).expect("still a link"), elsewhere);
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_link_that_leads_nowhere_is_an_error_and_not_an_empty_partition() {
    let (sandbox, directory) = started();
    let elsewhere = sandbox.root().join("not-mounted");
    symlink(&elsewhere, sandbox.path(ALICE_PARTITION)).expect("a link");
    let read = get(&directory).expect_err("there may be a profile elsewhere");
    let written = upsert(&directory, "Alice").expect_err("a link");
    for error in [read, written] {
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(told(&error).contains(ALICE_PARTITION), "{}", told(&error));
    }
    assert!(!elsewhere.exists());
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_manifest_that_is_a_link_to_nowhere_is_not_replaced() {
    let (sandbox, _directory) = started();
    let (manifest, elsewhere) = (
        sandbox.path("directory.json"),
        sandbox.root().join("not-mounted"),
    );
    fs::remove_file(&manifest).expect("removed");
    symlink(&elsewhere, &manifest).expect("a link");
    for answer in [
        Directory::open(store(&sandbox)),
        Directory::start(store(&sandbox)),
    ] {
        let error = answer.expect_err("there may be a manifest elsewhere");
        assert_eq!(error.kind(), ErrorKind::Storage);
    }
    assert!(manifest.is_symlink());
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_directory_may_be_reached_through_a_link() {
    let (sandbox, _directory) = with_alice();
    let link = sandbox.root().join("link");
    symlink(sandbox.dir(), &link).expect("a link");
    let linked = Directory::open(Arc::new(LocalStore::new(link.clone()))).expect("opened");
    assert_saved(&linked, "Alice Smith");
    assert!(link.is_symlink());
    sandbox.assert_no_temporary_files();
}

#[test]
fn what_is_no_file_is_an_error_at_once() {
    let fifo = |path: &Path| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo runs").success());
    };
    let directory = |path: &Path| fs::create_dir(path).expect("made");
    let socket = |path: &Path| drop(UnixListener::bind(path).expect("bound"));
    for make in [fifo, directory, socket] as [fn(&Path); 3] {
        let (sandbox, directory) = started();
        make(&sandbox.path(ALICE_PARTITION));
        let answers = at_once({
            let directory = directory.clone();
            move || [get(&directory).err(), upsert(&directory, "Alice").err()]
        });
        for error in answers {
            let error = error.expect("it is no file");
            assert_eq!(error.kind(), ErrorKind::Storage);
            assert!(told(&error).contains(ALICE_PARTITION), "{}", told(&error));
        }
        assert!(!sandbox.path(ALICE_PARTITION).is_file());
        sandbox.assert_no_temporary_files();
    }
}

#[test]
fn only_files_named_exactly_like_a_partition_are_listed() {
    let (sandbox, _directory) = with_alice();
    for stray in [
        "partition-7.json",
        "partition-0278.json",
        "partition-1000.json",
        "partition-278.json~",
        "partition-277.json.bak",
        "partition-276",
        "Partition-275.json",
        ".partition-274.json",
        "notes.txt",
    ] {
        sandbox.write(stray, "stray");
    }
    sandbox.write("partition-009.json", "listed, whatever is in it");
    let listed = store(&sandbox).list().expect("listed");
    let expected = [9, 278].map(|number| Partition::from_number(number).expect("a partition"));
    assert_eq!(listed, expected);
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_corrupt_file_is_named_with_the_place_and_stays_untouched() {
    let (sandbox, directory) = with_alice();
    let sound = String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8");
    let damaged = sound.replace("\"Acme\"", "Acme");
    sandbox.write(ALICE_PARTITION, &damaged);
    let line = damaged.lines().nth(1).expect("the profile's line");
    let column = line.find("Acme").expect("damaged") + 1;
    let place = format!("partition-278.json is corrupt: line 2, column {column}: ");
    for error in [
        get(&directory).expect_err("corrupt"),
        upsert(&directory, "Alice").expect_err("corrupt"),
    ] {
        assert_eq!(error.kind(), ErrorKind::CorruptPartition);
        assert!(told(&error).contains(&place), "{}", told(&error));
    }
    assert_eq!(sandbox.read(ALICE_PARTITION), damaged.as_bytes());
    sandbox.assert_no_temporary_files();
}
