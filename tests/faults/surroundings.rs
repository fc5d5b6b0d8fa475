//! Surroundings that refuse: a full disk, one that may not be written, a file that is mounted over, and
//! a user without rights. Whatever is refused is told with path and cause, changes nothing, and leaves
//! nothing behind.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use walkdir::WalkDir;

use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Finished, Sandbox, profile_json};
use crate::mounts::{SmallDisk, is_root};
use crate::scene::{save, save_as, save_of};
use crate::server::Server;
use crate::tally::Tally;
use crate::tree::Tree;

/// What is refused in different ways. Bob's partition hasn't been written, so it has no lock file either.
const SAVE: [&str; 9] = save("New");
const SAVE_BOB: [&str; 9] = save_of("bob@example.com", "Bob");
const GET: [&str; 3] = ["get", "--email", ALICE];

fn data(sandbox: &Sandbox) -> Tree {
    Tree::of(sandbox.root()).without_locks()
}

/// Fails unless this is refused with these parts in the error, and changes nothing.
fn assert_refused(sandbox: &Sandbox, args: &[&str], parts: &[&str]) {
    let before = data(sandbox);
    sandbox.run(args).assert_refused(74, parts);
    assert_eq!(data(sandbox), before);
}

/// Takes all space that there is.
fn fill(path: &Path) {
    let mut filler = File::create(path).expect("a file");
    let error = loop {
        if let Err(error) = filler.write_all(&[b'x'; 4096]) {
            break error;
        }
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_full_disk_refuses_saves_and_loses_nothing() {
    let Some(disk) = SmallDisk::new("size=256k") else {
        return;
    };
    let sandbox = &disk.sandbox;
    sandbox.ok(&["start"]);
    sandbox.ok(&save("Old"));
    let input = [
        profile_json(ALICE, "New"),
        profile_json("bob@example.com", "Bob"),
    ];
    fs::write(sandbox.root().join("input"), input.join("\n")).expect("a file");
    let filler = sandbox.root().join("filler");
    fill(&filler);
    let full = "No space left on device";
    let mut tally = Tally::new("a full disk", 5);
    tally.fault("a save", || {
        assert_refused(sandbox, &SAVE, &["could not write", "partition-278", full]);
    });
    tally.fault("a partition's first save", || {
        assert_refused(
            sandbox,
            &SAVE_BOB,
            &["could not write", "partition-145", full],
        );
    });
    tally.fault("an import", || {
        let before = data(sandbox);
        let import = sandbox.run(&["upsert", "--from", "input"]);
        assert_eq!(import.status(), 74);
        assert_eq!(
            import.stderr().matches(full).count(),
            2,
            "{}",
            import.stderr()
        );
        assert!(import.stdout().contains("2 failed"), "{}", import.stdout());
        assert_eq!(data(sandbox), before);
    });
    tally.fault("a save by HTTP", || {
        let before = data(sandbox);
        let server = Server::start(sandbox);
        let answer = server.put(profile_json(ALICE, "New"));
        answer.assert_failed(500, "StorageError");
        assert!(server.stop().concat().contains(full));
        assert_eq!(data(sandbox), before);
    });
    tally.fault("a start", || {
        let other = sandbox.root().join("other");
        let start = ["--dir", other.to_str().expect("UTF-8"), "start"];
        sandbox.run(&start).assert_refused(74, &["other", full]);
        assert!(!other.join(".directory.tmp").exists());
        fs::remove_file(&filler).expect("removed");
        sandbox.ok(&start);
    });
    sandbox.ok(&SAVE);
    sandbox.ok(&SAVE_BOB);
    sandbox.ok(&["verify"]);
    tally.finish();
}

#[test]
fn a_disk_without_room_for_another_file_refuses_saves_and_loses_nothing() {
    let Some(disk) = SmallDisk::new("nr_inodes=32") else {
        return;
    };
    let sandbox = &disk.sandbox;
    sandbox.ok(&["start"]);
    sandbox.ok(&save("Old"));
    let filler = |i| sandbox.root().join(format!("filler-{i}"));
    let made = (0..1000)
        .take_while(|i| File::create(filler(*i)).is_ok())
        .count();
    let full = "No space left on device";
    let mut tally = Tally::new("a disk without room for a file", 2);
    tally.fault("a save", || {
        assert_refused(sandbox, &SAVE, &[".partition-278.tmp", full]);
    });
    tally.fault("a partition's first save", || {
        assert_refused(sandbox, &SAVE_BOB, &["locks/partition-145.lock", full]);
    });
    (0..made).for_each(|i| fs::remove_file(filler(i)).expect("removed"));
    sandbox.ok(&SAVE);
    sandbox.ok(&SAVE_BOB);
    tally.finish();
}

#[test]
fn a_read_only_mount_is_read_and_refuses_saves() {
    let Some(mut disk) = SmallDisk::new("size=1m") else {
        return;
    };
    disk.sandbox.ok(&["start"]);
    disk.sandbox.ok(&save("Old"));
    disk.remount("ro");
    let sandbox = &disk.sandbox;
    let read_only = "Read-only file system";
    let mut tally = Tally::new("a read-only mount", 3);
    tally.fault("a save", || {
        assert_refused(sandbox, &SAVE, &["partition-278", read_only]);
    });
    tally.fault("a partition's first save", || {
        assert_refused(sandbox, &SAVE_BOB, &["locks/partition-145.lock", read_only]);
    });
    tally.fault("reading", || {
        sandbox.ok(&GET);
        sandbox.ok(&["start"]);
        sandbox.ok(&["verify"]);
    });
    disk.remount("rw");
    disk.sandbox.ok(&SAVE);
    tally.finish();
}

#[test]
fn what_is_a_mount_point_is_read_and_never_replaced() {
    let Some(mut disk) = SmallDisk::new("size=1m") else {
        return;
    };
    disk.sandbox.ok(&["start"]);
    disk.sandbox.ok(&save("Old"));
    let file = disk.sandbox.path(ALICE_PARTITION);
    let elsewhere = disk.sandbox.root().join("elsewhere.json");
    fs::copy(&file, &elsewhere).expect("a copy");
    disk.bind(&elsewhere, &file);
    let before = data(&disk.sandbox);
    let mut tally = Tally::new("a partition that is a mount point", 2);
    tally.fault("a save", || {
        let parts = ["partition-278", "it is a mount point"];
        disk.run(&SAVE).assert_refused(74, &parts);
        assert_eq!(data(&disk.sandbox), before);
    });
    tally.fault("reading", || {
        assert_eq!(disk.run(&GET).status(), 0);
        assert_eq!(disk.run(&["verify"]).status(), 0);
    });
    tally.finish();
}

/// The program as somebody who owns nothing; whoever isn't root is that already.
fn as_nobody(sandbox: &Sandbox, args: &[&str]) -> Finished {
    let mut command = sandbox.command();
    if is_root() {
        command.uid(65_534).gid(65_534);
    }
    Finished(command.args(args).output().expect("the program runs"))
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

/// Lets everybody read and write everything.
fn open_to_all(sandbox: &Sandbox) {
    for entry in WalkDir::new(sandbox.root()) {
        let entry = entry.expect("an entry");
        let mode = if entry.file_type().is_dir() {
            0o777
        } else {
            0o666
        };
        set_mode(entry.path(), mode);
    }
}

/// A right that is missing, what is refused for want of it, and of what the error tells.
const MISSING_RIGHTS: [(&str, u32, &[&str], &str); 12] = [
    (ALICE_LOCK, 0o000, &SAVE, ALICE_LOCK),
    ("locks", 0o000, &SAVE, ALICE_LOCK),
    ("locks", 0o555, &SAVE_BOB, "locks/partition-145.lock"),
    ("", 0o555, &SAVE, ".partition-278.tmp"),
    ("", 0o000, &SAVE, "directory.json"),
    ("", 0o000, &GET, "directory.json"),
    ("", 0o000, &["start"], "directory.json"),
    ("directory.json", 0o000, &SAVE, "directory.json"),
    ("directory.json", 0o000, &GET, "directory.json"),
    ("directory.json", 0o000, &["start"], "directory.json"),
    (ALICE_PARTITION, 0o000, &SAVE, ALICE_PARTITION),
    (ALICE_PARTITION, 0o000, &GET, ALICE_PARTITION),
];

#[test]
fn whoever_lacks_a_right_is_told_and_changes_nothing() {
    let mut tally = Tally::new("missing rights", MISSING_RIGHTS.len());
    for (path, mode, args, named) in MISSING_RIGHTS {
        let sandbox = Sandbox::started();
        save_as("Old")(&sandbox);
        let before = data(&sandbox);
        open_to_all(&sandbox);
        set_mode(&sandbox.path(path), mode);
        let refused = as_nobody(&sandbox, args);
        set_mode(&sandbox.path(path), 0o777);
        tally.fault(&format!("{path} {mode:o}, {args:?}"), || {
            refused.assert_refused(74, &[named, "Permission denied"]);
            assert_eq!(data(&sandbox), before);
            assert_eq!(as_nobody(&sandbox, args).status(), 0);
        });
    }
    tally.finish();
}

#[test]
fn whoever_may_only_read_a_lock_file_saves_all_the_same() {
    let sandbox = Sandbox::started();
    save_as("Old")(&sandbox);
    open_to_all(&sandbox);
    set_mode(&sandbox.path(ALICE_LOCK), 0o444);
    assert_eq!(as_nobody(&sandbox, &SAVE).status(), 0);
}
