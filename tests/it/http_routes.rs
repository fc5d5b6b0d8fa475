//! What the routes answer when all goes well, and that the command line says the same.

use std::fs;
use std::thread;
use std::time::Duration;

use dex_dir::email::CanonicalEmail;
use dex_dir::partition::Partition;

use crate::client::{PROFILE, START};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

#[test]
fn start_makes_the_directory_and_answers_the_same_ever_after() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    server.look_up(ALICE).assert_failed(404, "FlowNotFound");
    server
        .put(profile_json(ALICE, "Alice"))
        .assert_failed(404, "FlowNotFound");
    assert!(!sandbox.dir().exists());

    let first = server.start();
    assert_eq!(first.status, 200);
    assert_eq!(sandbox.ok(&["start"]), format!("{}\n", first.body));
    server.start().assert_ok(&first.body);
    server
        .send("POST", START, "", b"ignored")
        .assert_ok(&first.body);
}

#[test]
fn both_ways_save_and_show_the_same_bytes() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let saved = server.put(profile_json(
        " ALICE@example.com",
        "Al\\u00e9 \\ud83d\\ude00",
    ));
    saved.assert_ok(&profile_json(ALICE, "Alé 😀"));
    let by_http = sandbox.read(ALICE_PARTITION);
    let printed = sandbox.upsert(ALICE, "Alé 😀", &[]).stdout();
    assert_eq!(printed, format!("{}\n", saved.body));
    assert_eq!(sandbox.read(ALICE_PARTITION), by_http);
    let shown = sandbox.ok(&["get", "--email", ALICE]);
    assert_eq!(shown, format!("{}\n", server.look_up(ALICE).body));
    sandbox.assert_no_temporary_files();
}

#[test]
fn what_a_person_added_is_part_of_every_answer() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let stored = profile_json(ALICE, "Alice").replace('}', r#","n":1.10}"#);
    sandbox.write(
        ALICE_PARTITION,
        format!(r#"{{"profilesByCanonicalEmail": {{ "{ALICE}": {stored} }} }}"#),
    );
    server.look_up("%20Alice@Example.com%09").assert_ok(&stored);
    server.put(profile_json(ALICE, "Alice")).assert_ok(&stored);
    let renamed = stored.replace("Alice", "Alicia");
    server
        .put(profile_json(ALICE, "Alicia"))
        .assert_ok(&renamed);
    assert_eq!(
        sandbox.ok(&["get", "--email", ALICE]),
        format!("{renamed}\n")
    );
}

#[test]
fn a_save_by_hand_or_by_another_process_is_seen_by_the_next_request() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for name in ["Alice", "Alicia", "Alice"] {
        sandbox.upsert(ALICE, name, &[]);
        server.look_up(ALICE).assert_ok(&profile_json(ALICE, name));
    }
}

#[test]
fn head_mirrors_get() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let server = Server::start(&sandbox);
    for target in [
        &format!("{PROFILE}?emailAddress={ALICE}"),
        &format!("{PROFILE}?emailAddress=nobody@example.com"),
        PROFILE,
        START,
        "/healthz",
        "/nowhere",
    ] {
        let mut get = server.get(target);
        let mut head = server.send("HEAD", target, "", b"");
        for answer in [&mut get, &mut head] {
            let own = ["date", "x-request-id"];
            answer.headers.retain(|(name, _)| !own.contains(&&**name));
        }
        assert!(!get.body.is_empty());
        get.body.clear();
        assert_eq!(head, get, "{target}");
    }
}

#[test]
fn nothing_follows_the_answer_to_head() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let host = server.address;
    let requests = format!(
        "HEAD /healthz HTTP/1.1\r\nHost: {host}\r\n\r\nHEAD /x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    );
    let mut stream = server.connect();
    std::io::Write::write_all(&mut stream, requests.as_bytes()).expect("sent");
    let all = std::io::read_to_string(stream).expect("text");
    let ends: Vec<_> = all.split("\r\n\r\n").collect();
    assert_eq!(ends.len(), 3, "{all}");
    assert!(ends[1].starts_with("HTTP/1.1 404 "), "{all}");
    assert_eq!(ends[2], "");
}

#[test]
fn health_needs_no_directory() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    server.get("/healthz").assert_ok(r#"{"status":"ok"}"#);
}

/// An address of the same partition.
fn neighbour_of(email: &str) -> String {
    let partition = |email: &str| CanonicalEmail::parse(email).map(|email| Partition::of(&email));
    let mut others = (0..).map(|i| format!("customer-{i}@example.com"));
    let neighbour = others.find(|other| partition(other) == partition(email));
    neighbour.expect("there are only so many partitions")
}

#[test]
fn what_the_server_has_seen_before_is_looked_at_again() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    sandbox.upsert(ALICE, "Alice", &[]);
    let missing = &neighbour_of(ALICE);
    // From now on the files are old enough to be remembered.
    thread::sleep(Duration::from_millis(3500));
    for _ in 0..3 {
        assert_eq!(server.look_up(ALICE).status, 200);
        assert_eq!(server.look_up(missing).status, 404);
    }
    // In place, and of the same length.
    let path = sandbox.path(ALICE_PARTITION);
    let text = fs::read_to_string(&path).expect("read");
    sandbox.write(ALICE_PARTITION, text.replace("Alice", "Alina"));
    assert!(server.look_up(ALICE).body.contains("Alina"));
    sandbox.upsert(missing, "New", &[]);
    assert_eq!(server.look_up(missing).status, 200);
    sandbox.write(ALICE_PARTITION, "{}");
    server.look_up(ALICE).assert_failed(500, "CorruptPartition");
    fs::remove_file(&path).expect("removed");
    assert_eq!(server.look_up(ALICE).status, 404);
    sandbox.write("directory.json", "{}");
    server.look_up(ALICE).assert_failed(500, "StorageError");
    fs::remove_file(sandbox.path("directory.json")).expect("removed");
    server.look_up(ALICE).assert_failed(404, "FlowNotFound");
}
