//! Two people and one profile: versions, conditional saves, and waiting for a lock.

use std::fs::File;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client, PROFILE};
use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

fn put(server: Client, name: &str, headers: &str) -> Answer {
    let headers = format!("Content-Type: application/json\r\n{headers}");
    server.send(
        "PUT",
        PROFILE,
        &headers,
        profile_json(ALICE, name).as_bytes(),
    )
}

fn look_up(server: Client, headers: &str) -> Answer {
    let target = format!("{PROFILE}?emailAddress={ALICE}");
    server.send("GET", &target, headers, b"")
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").expect("a tag").to_owned()
}

#[test]
fn whoever_saves_over_another_version_than_they_saw_is_told() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let first = put(*server, "First", "If-None-Match: *\r\n");
    assert_eq!(first.status, 200, "{}", first.body);
    put(*server, "Other", "If-None-Match: *\r\n").assert_failed(412, "PreconditionFailed");
    let seen = look_up(*server, "");
    assert_eq!(tag(&seen), tag(&first));
    // Somebody else changes it by hand.
    sandbox.upsert(ALICE, "By hand", &[]);
    let before = sandbox.read(ALICE_PARTITION);
    let mine = format!("If-Match: {}\r\n", tag(&seen));
    put(*server, "Mine", &mine).assert_failed(412, "PreconditionFailed");
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
    let seen = look_up(*server, "");
    let mine = format!("If-Match: {}\r\n", tag(&seen));
    let saved = put(*server, "Mine", &mine);
    saved.assert_ok(&profile_json(ALICE, "Mine"));
    assert_ne!(tag(&saved), tag(&seen));
}

#[test]
fn a_condition_on_what_is_not_there_is_not_met() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for condition in ["*", "\"0123\"", "W/\"0123\"", "not a tag"] {
        let refused = put(*server, "A", &format!("If-Match: {condition}\r\n"));
        refused.assert_failed(412, "PreconditionFailed");
    }
    assert!(!sandbox.path(ALICE_PARTITION).exists());
}

#[test]
fn a_client_that_has_seen_this_version_is_told_so() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let saved = put(*server, "A", "");
    let seen = format!("If-None-Match: {}\r\n", tag(&saved));
    let again = look_up(*server, &seen);
    assert_eq!((again.status, &*again.body), (304, ""));
    assert_eq!(tag(&again), tag(&saved));
    assert_eq!(again.header("cache-control"), Some("no-store"));
    put(*server, "B", "");
    assert_eq!(look_up(*server, &seen).status, 200);
}

#[test]
fn a_client_that_prefers_to_wait_gets_through() {
    let sandbox = Sandbox::started();
    let server = Server::start_with(&sandbox, &["--max-wait", "20s"]);
    let lock = File::create(sandbox.path(ALICE_LOCK)).expect("a lock file");
    lock.lock().expect("locked");
    let at_once = put(*server, "A", "");
    at_once.assert_failed(409, "RPCLockConflict");
    assert_eq!(at_once.header("preference-applied"), None);
    let begun = Instant::now();
    let in_vain = put(*server, "A", "Prefer: wait=1\r\n");
    in_vain.assert_failed(409, "RPCLockConflict");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let client = *server;
    thread::scope(|scope| {
        let waiting = scope.spawn(move || put(client, "A", "Prefer: wait=600\r\n"));
        thread::sleep(Duration::from_millis(300));
        lock.unlock().expect("unlocked");
        let saved = waiting.join().expect("no panic");
        saved.assert_ok(&profile_json(ALICE, "A"));
        assert_eq!(saved.header("preference-applied"), Some("wait=20"));
    });
}
