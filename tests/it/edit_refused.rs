//! Partitions that `edit` refuses before anybody has worked on them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::edit::{by_hand, kept, shell_script, through, with_alice};
use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, has_tools};
use crate::verify_files::as_nobody;

/// Fails unless both ways of editing alice's partition are refused before they have begun.
fn assert_not_begun(sandbox: &Sandbox, status: i32, parts: &[&str]) {
    for finished in [
        through(sandbox, "touch ran; sed s/gold/silver/"),
        by_hand(sandbox, "touch ran; sed -i s/gold/silver/ \"$1\""),
    ] {
        finished.assert_refused(status, parts);
        assert!(!sandbox.root().join("ran").exists(), "{parts:?}");
        assert!(kept(sandbox).is_empty(), "{parts:?}");
    }
}

#[test]
fn a_directory_that_is_not_started() {
    assert_not_begun(&Sandbox::new(), 66, &["customers", "dex-dir start"]);
}

#[test]
fn a_manifest_that_can_not_be_used() {
    let sandbox = with_alice();
    sandbox.write("directory.json", "{}");
    assert_not_begun(&sandbox, 72, &["customers"]);
}

#[test]
fn a_symbolic_link() {
    let sandbox = with_alice();
    let elsewhere = sandbox.root().join("elsewhere.json");
    fs::rename(sandbox.path(ALICE_PARTITION), &elsewhere).expect("moved");
    symlink(&elsewhere, sandbox.path(ALICE_PARTITION)).expect("a link");
    assert_not_begun(&sandbox, 74, &[ALICE_PARTITION, "symbolic link"]);
}

#[test]
fn what_is_no_regular_file() {
    let sandbox = Sandbox::started();
    fs::create_dir(sandbox.path(ALICE_PARTITION)).expect("a directory");
    assert_not_begun(&sandbox, 74, &[ALICE_PARTITION, "not a regular file"]);
    fs::remove_dir(sandbox.path(ALICE_PARTITION)).expect("removed");
    let fifo = Command::new("mkfifo")
        .arg(sandbox.path(ALICE_PARTITION))
        .status();
    assert!(fifo.expect("mkfifo runs").success());
    assert_not_begun(&sandbox, 74, &[ALICE_PARTITION, "not a regular file"]);
}

#[test]
fn a_directory_in_which_nothing_can_be_made() {
    let sandbox = with_alice();
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o555)).expect("a mode");
    let finished = as_nobody(
        &sandbox,
        &["edit", "--email", ALICE, "--through", "echo ran >&2"],
    );
    finished.assert_refused(74, &["customers", "ermission denied"]);
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o755)).expect("a mode");
}

#[test]
#[cfg(target_os = "linux")]
fn a_mount_point() {
    if !has_tools(&["unshare", "mount"]) {
        return;
    }
    let sandbox = with_alice();
    let in_mount = |args: &str| {
        let inside = format!("mount --bind \"$0\" \"$0\" || exit 99; exec \"$DEX\" {args}");
        let script = format!("exec unshare -rm sh -c '{inside}' customers/{ALICE_PARTITION}");
        Finished(shell_script(&sandbox, &script).output().expect("it runs"))
    };
    let finished = in_mount("edit --partition 278 --through \"touch ran\"");
    if finished.status() == 99 || finished.stderr().starts_with("unshare:") {
        println!("left out, for nothing may be mounted here");
        return;
    }
    finished.assert_refused(74, &[ALICE_PARTITION, "mount point"]);
    assert!(!sandbox.root().join("ran").exists());
    assert_eq!(in_mount("get --email alice@example.com").status(), 0);
}
