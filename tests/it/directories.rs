//! The directory itself: where it may be, how it is made, and what is no directory of ours.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::thread;

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, program};

fn run_in(sandbox: &Sandbox, args: &[&str]) -> Finished {
    Finished(
        program(sandbox.root())
            .args(args)
            .output()
            .expect("the program runs"),
    )
}

fn save_and_get(sandbox: &Sandbox, dir: &str) {
    let save = [
        "upsert",
        "--email",
        ALICE,
        "--full-name",
        "A",
        "--company-name",
        "B",
    ];
    let save = [&["--dir", dir], &save[..], &["--customer-tier", "C"]].concat();
    for args in [
        &["--dir", dir, "start"],
        &save[..],
        &["--dir", dir, "get", "--email", ALICE],
    ] {
        let finished = run_in(sandbox, args);
        assert_eq!(finished.status(), 0, "{args:?}: {}", finished.stderr());
    }
}

#[test]
fn a_directory_may_be_named_in_any_way() {
    for dir in ["store", "./store", "store/", "a/b/c", "a/../b", "."] {
        save_and_get(&Sandbox::new(), dir);
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.root().join("real")).expect("a directory");
    symlink("real", sandbox.root().join("link")).expect("a link");
    save_and_get(&sandbox, "link");
    assert!(sandbox.root().join("real").join(ALICE_PARTITION).exists());
}

#[test]
fn what_is_no_directory_is_refused_and_nothing_half_made_is_left() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root().join("file"), "mine").expect("a file");
    symlink("nowhere", sandbox.root().join("dangling")).expect("a link");
    for (dir, start, get) in [
        ("file", 74, 74),
        ("file/below", 74, 74),
        ("dangling", 74, 66),
    ] {
        run_in(&sandbox, &["--dir", dir, "start"]).assert_refused(start, &[dir]);
        run_in(&sandbox, &["--dir", dir, "get", "--email", ALICE]).assert_refused(get, &[dir]);
    }
    run_in(&sandbox, &["--dir", "missing", "get", "--email", ALICE])
        .assert_refused(66, &["missing", "start"]);
    assert_eq!(fs::read_dir(sandbox.root()).expect("the folder").count(), 2);
    assert_eq!(
        fs::read(sandbox.root().join("file")).expect("the file"),
        b"mine"
    );
}

#[test]
fn twenty_starts_at_once_make_one_directory() {
    let sandbox = Sandbox::new();
    let answers: HashSet<String> = thread::scope(|scope| {
        let starts: Vec<_> = (0..20)
            .map(|_| scope.spawn(|| sandbox.ok(&["start"])))
            .collect();
        starts
            .into_iter()
            .map(|start| start.join().expect("a start"))
            .collect()
    });
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(HashSet::from([sandbox.ok(&["start"])]), answers);
    sandbox.assert_no_temporary_files();
}

#[test]
fn an_interrupted_start_is_completed_by_the_next() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("locks")).expect("a directory");
    sandbox.write(".directory.tmp", "{\"flowID\":");
    sandbox
        .run(&["get", "--email", ALICE])
        .assert_refused(66, &["start"]);
    sandbox.ok(&["start"]);
    sandbox.assert_no_temporary_files();
}

#[test]
fn start_may_run_in_a_folder_that_holds_other_files() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.dir()).expect("a directory");
    sandbox.write("notes.txt", "mine");
    sandbox.ok(&["start"]);
    assert_eq!(sandbox.read("notes.txt"), b"mine");
}

#[test]
fn a_manifest_of_another_kind_is_refused_and_never_replaced() {
    let sandbox = Sandbox::started();
    let sound = String::from_utf8(sandbox.read("directory.json")).expect("UTF-8");
    for (from, to, parts) in [
        (
            "\"formatVersion\": 1",
            "\"formatVersion\": 2",
            &["formatVersion 2", "supports 1"][..],
        ),
        ("1000", "500", &["partitionCount 500", "supports 1000"]),
        (
            "fnv1a-32",
            "crc32",
            &["hash \"crc32\"", "supports \"fnv1a-32\""],
        ),
        ("customer-directory", "other", &["flowID \"other\""]),
        ("\"runID\"", "\"runId\"", &["corrupt", "runID"]),
        ("{", "", &["corrupt"]),
    ] {
        let text = sound.replace(from, to);
        sandbox.write("directory.json", &text);
        sandbox.run(&["start"]).assert_refused(72, parts);
        sandbox
            .run(&["get", "--email", ALICE])
            .assert_refused(72, parts);
        assert_eq!(sandbox.upsert(ALICE, "A", &[]).status(), 72);
        assert_eq!(sandbox.read("directory.json"), text.as_bytes());
    }
    sandbox.write("directory.json", "");
    sandbox.run(&["start"]).assert_refused(72, &["corrupt"]);
    sandbox.write("directory.json", format!("\u{feff}{sound}"));
    sandbox.ok(&["start"]);
}

#[test]
fn a_directory_that_lost_its_locks_gets_them_back() {
    let sandbox = Sandbox::started();
    fs::remove_dir_all(sandbox.path("locks")).expect("removed");
    assert_eq!(sandbox.upsert(ALICE, "A", &[]).status(), 0);
}

#[test]
fn new_files_follow_the_umask_and_replaced_ones_keep_their_mode() {
    for (umask, mode) in [(0o027, 0o640), (0o077, 0o600), (0o002, 0o664)] {
        let sandbox = Sandbox::new();
        let ok = |args: &[&str]| {
            let mut command = std::process::Command::new("/bin/sh");
            command.env_clear().current_dir(sandbox.root()).arg("-c");
            command
                .arg(format!("umask {umask:03o}; exec \"$@\""))
                .arg("sh");
            command
                .arg(assert_cmd::cargo::cargo_bin!("dex-dir"))
                .args(["--dir", "customers"]);
            assert!(
                command.args(args).status().expect("it runs").success(),
                "{args:?}"
            );
        };
        let mode_of = |name: &str| {
            fs::metadata(sandbox.path(name))
                .expect(name)
                .permissions()
                .mode()
                & 0o7777
        };
        let save = |name: &str| {
            let args = ["upsert", "--email", ALICE, "--full-name", name];
            ok(&[&args[..], &["--company-name", "B", "--customer-tier", "C"]].concat());
        };
        ok(&["start"]);
        save("A");
        assert_eq!(
            (mode_of("directory.json"), mode_of(ALICE_PARTITION)),
            (mode, mode)
        );
        for by_hand in [0o660, 0o444] {
            fs::set_permissions(
                sandbox.path(ALICE_PARTITION),
                PermissionsExt::from_mode(by_hand),
            )
            .expect("a mode");
            save(&format!("{by_hand:o}"));
            assert_eq!(mode_of(ALICE_PARTITION), by_hand);
        }
    }
}

#[test]
fn a_partition_that_is_no_regular_file_is_an_error_at_once() {
    let sandbox = Sandbox::started();
    let fifo = std::process::Command::new("mkfifo")
        .arg(sandbox.path(ALICE_PARTITION))
        .status();
    assert!(fifo.expect("mkfifo runs").success());
    sandbox
        .run(&["get", "--email", ALICE])
        .assert_refused(74, &["not a regular file"]);
    sandbox
        .upsert(ALICE, "A", &[])
        .assert_refused(74, &[ALICE_PARTITION]);
    fs::remove_file(sandbox.path(ALICE_PARTITION)).expect("removed");
    fs::create_dir(sandbox.path(ALICE_PARTITION)).expect("a directory");
    sandbox
        .run(&["get", "--email", ALICE])
        .assert_refused(74, &["not a regular file"]);
    sandbox
        .upsert(ALICE, "A", &[])
        .assert_refused(74, &[ALICE_PARTITION]);
}

#[test]
fn a_linked_partition_is_read_and_never_replaced() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    let elsewhere = sandbox.root().join("elsewhere.json");
    fs::rename(sandbox.path(ALICE_PARTITION), &elsewhere).expect("moved");
    symlink(&elsewhere, sandbox.path(ALICE_PARTITION)).expect("a link");
    sandbox.ok(&["get", "--email", ALICE]);
    sandbox
        .upsert(ALICE, "B", &[])
        .assert_refused(74, &["symbolic link"]);
    assert!(
        fs::symlink_metadata(sandbox.path(ALICE_PARTITION))
            .expect("a link")
            .is_symlink()
    );
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_read_only_directory_can_be_read_and_started_again() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "A", &[]);
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o555)).expect("a mode");
    // Root may write anyway, so the program runs as nobody where the tests run as root.
    let as_nobody = |args: &[&str]| {
        let mut command = sandbox.command();
        if rustix::process::geteuid().is_root() {
            fs::set_permissions(sandbox.root(), PermissionsExt::from_mode(0o755)).expect("a mode");
            command.uid(65_534).gid(65_534);
        }
        Finished(command.args(args).output().expect("the program runs"))
    };
    for args in [&["get", "--email", ALICE][..], &["start"]] {
        let finished = as_nobody(args);
        assert_eq!(finished.status(), 0, "{args:?}: {}", finished.stderr());
    }
    let args = [
        "upsert",
        "--email",
        ALICE,
        "--full-name",
        "B",
        "--company-name",
        "C",
    ];
    as_nobody(&[&args[..], &["--customer-tier", "D"]].concat())
        .assert_refused(74, &["ermission denied"]);
    fs::set_permissions(sandbox.dir(), PermissionsExt::from_mode(0o755)).expect("a mode");
}
