//! Every failure that the API knows: its status, its code, its one form, and what it leaves alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dex_dir::http::{Code, Config};
use dex_dir::store::StoreError;
use dex_dir::store::memory::MemoryStore;

use crate::client::{Answer, Client, PROFILE};
use crate::embedded::{Embedded, Hooked, refused_by_system};
use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;

#[test]
fn every_code_is_answered_with_its_status_and_in_the_one_form() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, "{}");
    let server = Server::start(&sandbox);
    let mut answers = wrong_requests(*server);
    answers.push(server.look_up(ALICE));
    answers.push(locked(&sandbox, *server));
    answers.extend(troubled_stores());
    let found: BTreeMap<String, u16> = answers.iter().map(|a| (a.code(), a.status)).collect();
    let known = Code::ALL.map(|code| (code.name().to_owned(), code.status()));
    assert_eq!(found, BTreeMap::from(known));
}

fn wrong_requests(server: Client) -> Vec<Answer> {
    let alice = profile_json(ALICE, "Alice");
    let condition = "Content-Type: application/json\r\nIf-Match: \"0\"\r\n";
    let new = profile_json("new@example.com", "New");
    vec![
        server.send("PUT", PROFILE, condition, new.as_bytes()),
        server.put("{"),
        server.put("[]"),
        server.put(profile_json("", "Nobody")),
        server.get(&format!("{PROFILE}?emailAddress=%")),
        server.send("GET", PROFILE, "Origin: null\r\n", b""),
        server.look_up("nobody@example.com"),
        server.get("/nowhere"),
        server.send("DELETE", PROFILE, "", b""),
        server.put(profile_json(ALICE, &"x".repeat(64 * 1024))),
        server.send("PUT", PROFILE, "", alice.as_bytes()),
        server.raw("GET /healthz HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"),
    ]
}

fn locked(sandbox: &Sandbox, server: Client) -> Answer {
    let file = File::create(sandbox.path(ALICE_LOCK)).expect("a lock file");
    file.try_lock().expect("free");
    server.put(profile_json(ALICE, "Alice"))
}

fn troubled_stores() -> Vec<Answer> {
    let alice = profile_json(ALICE, "Alice");
    let config = Config {
        body_time: Duration::from_millis(50),
        ..Config::default()
    };
    let guarded = Config {
        tokens: "token".parse().expect("tokens"),
        ..Config::default()
    };
    let serve = |store| Embedded::serve(Arc::new(store), Config::default());
    let empty = Embedded::serve(Arc::new(MemoryStore::default()), config);
    vec![
        Embedded::serve(Arc::new(MemoryStore::default()), guarded).look_up(ALICE),
        empty.look_up(ALICE),
        empty.raw(empty.put_head(10, "")),
        serve(Hooked::before(|| Err(refused_by_system(ENOSPC)))).put(&alice),
        serve(Hooked::before(|| Err(refused_by_system(EMFILE)))).put(&alice),
        serve(Hooked::before(|| panic!("{ALICE}"))).put(&alice),
        serve(Hooked::after(|| Err(not_durable()))).put(&alice),
    ]
}

fn not_durable() -> StoreError {
    StoreError::NotDurable {
        path: PathBuf::from("/secret/path"),
        source: std::io::Error::from_raw_os_error(ENOSPC),
    }
}

#[test]
fn what_went_wrong_inside_is_not_told_outside() {
    for answer in troubled_stores() {
        assert!(!answer.body.contains("secret"), "{}", answer.body);
        assert!(!answer.body.contains(ALICE), "{}", answer.body);
    }
}

#[test]
fn a_request_that_panics_is_the_only_one_that_fails() {
    let panics = |email: &'static str| move || panic!("{email}");
    let server = Embedded::serve(Arc::new(Hooked::before(panics(ALICE))), Config::default());
    for _ in 0..3 {
        server.look_up(ALICE).assert_failed(500, "InternalError");
    }
    assert_eq!(server.get("/healthz").status, 200);
    // The lock was given back.
    for _ in 0..2 {
        let answer = server.put(profile_json(ALICE, "Alice"));
        answer.assert_failed(500, "InternalError");
    }
}

#[test]
fn a_held_lock_is_a_conflict_at_once_and_changes_nothing() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let server = Server::start(&sandbox);
    let before = sandbox.read(ALICE_PARTITION);
    let file = File::open(sandbox.path(ALICE_LOCK)).expect("a lock file");
    file.try_lock().expect("free");
    let conflict = server.put(profile_json(ALICE, "Alicia"));
    conflict.assert_failed(409, "RPCLockConflict");
    assert_eq!(conflict.header("retry-after"), Some("1"));
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
    // Readers and other partitions don't care.
    assert_eq!(server.look_up(ALICE).status, 200);
    assert_eq!(
        server.put(profile_json("bob@example.org", "Bob")).status,
        200
    );
    drop(file);
    assert_eq!(server.put(profile_json(ALICE, "Alicia")).status, 200);
}

#[test]
fn a_corrupt_partition_is_left_as_it_is_and_concerns_no_other() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let corrupt = b"{\"profilesByCanonicalEmail\":{\n\"alice";
    sandbox.write(ALICE_PARTITION, corrupt);
    for answer in [
        server.look_up(ALICE),
        server.put(profile_json(ALICE, "Alice")),
    ] {
        answer.assert_failed(500, "CorruptPartition");
        assert!(!answer.body.contains("partition-278"), "{}", answer.body);
    }
    assert_eq!(sandbox.read(ALICE_PARTITION), corrupt);
    assert_eq!(
        server.put(profile_json("bob@example.org", "Bob")).status,
        200
    );
    let log = server.stop().join("\n");
    let path = sandbox.path(ALICE_PARTITION);
    assert!(
        log.contains(&format!("{} is corrupt: line 2, column", path.display())),
        "{log}"
    );
}

#[test]
fn a_manifest_that_turns_bad_is_the_operators_to_mend() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    sandbox.write("directory.json", "{}");
    for answer in [server.look_up(ALICE), server.start()] {
        answer.assert_failed(500, "StorageError");
    }
    assert_eq!(sandbox.read("directory.json"), b"{}");
}
