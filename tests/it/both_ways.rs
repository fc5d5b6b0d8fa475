//! The command line and HTTP on one directory at the same time: the same answers, and nothing lost.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::client::{Client, PROFILE};
use crate::harness::{ALICE, Finished, Sandbox, colliding_addresses, profile_json, section};
use crate::server::Server;

fn customers() -> Vec<Value> {
    let lines = include_str!("../vectors/customers-400.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn text<'a>(customer: &'a Value, name: &str) -> &'a str {
    customer[name].as_str().expect("a string")
}

fn save_by_command(sandbox: &Sandbox, customer: &Value) -> String {
    let saved = sandbox.ok(&[
        "upsert",
        "--email",
        text(customer, "emailAddress"),
        "--full-name",
        text(customer, "fullName"),
        "--company-name",
        text(customer, "companyName"),
        "--customer-tier",
        text(customer, "customerTier"),
    ]);
    saved.trim_end_matches('\n').to_owned()
}

/// A query for an address, percent-encoded.
fn query(email: &str) -> String {
    let encoded: Vec<_> = email.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("{PROFILE}?emailAddress={}", encoded.concat())
}

#[test]
fn customers_saved_in_both_ways_are_read_back_in_both_ways_as_the_same_bytes() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let mut saved = BTreeMap::new();
    for (i, customer) in customers().iter().enumerate() {
        let answer = if i % 2 == 0 {
            save_by_command(&sandbox, customer)
        } else {
            server.put(customer.to_string()).body
        };
        saved.insert(text(customer, "emailAddress").to_owned(), answer);
    }
    assert_eq!(saved.len(), 400);
    for (email, answer) in saved {
        let name = text(&serde_json::from_str(&answer).expect("JSON"), "fullName").to_owned();
        assert!(!name.is_empty());
        assert_eq!(
            sandbox.ok(&["get", "--email", &email]),
            format!("{answer}\n")
        );
        server.get(&query(&email)).assert_ok(&answer);
    }
}

const WRITERS: usize = 16;
const SAVES: usize = 50;

/// Saves by HTTP, and again on a conflict, as a client with a retry loop does.
fn save_by_http(server: Client, email: &str) {
    loop {
        let answer = server.put(profile_json(email, "by HTTP"));
        match answer.status {
            200 => return,
            _ => answer.assert_failed(409, "RPCLockConflict"),
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn save_by_waiting(sandbox: &Sandbox, email: &str) {
    let finished = sandbox.upsert(email, "by command", &["--wait", "120s"]);
    assert_eq!(finished.status(), 0, "{}", finished.stderr());
}

#[test]
fn sixteen_writers_of_one_partition_lose_nothing_and_disturb_no_reader() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let addresses = colliding_addresses(WRITERS * SAVES + 1);
    let (first, rest) = addresses.split_first().expect("an address");
    sandbox.upsert(first, "first", &[]);
    let (done, client) = (AtomicBool::new(false), *server);
    let reads = thread::scope(|scope| {
        let writers: Vec<_> = rest
            .chunks(SAVES)
            .enumerate()
            .map(|(i, mine)| {
                let sandbox = &sandbox;
                scope.spawn(move || {
                    for email in mine {
                        match i % 2 {
                            0 => save_by_waiting(sandbox, email),
                            _ => save_by_http(client, email),
                        }
                    }
                })
            })
            .collect();
        let reader = scope.spawn(|| read_until(&done, &sandbox, client, first));
        for writer in writers {
            writer.join().expect("no save fails");
        }
        done.store(true, Ordering::Relaxed);
        reader.join().expect("no read fails")
    });
    assert!(reads > 10, "only {reads} reads");
    assert_all_there(&sandbox, &addresses);
}

/// Reads a profile that is there in both ways, over and over, and counts how often.
fn read_until(done: &AtomicBool, sandbox: &Sandbox, server: Client, email: &str) -> usize {
    let expected = profile_json(email, "first");
    let mut reads = 0;
    while !done.load(Ordering::Relaxed) {
        server.look_up(email).assert_ok(&expected);
        assert_eq!(
            sandbox.ok(&["get", "--email", email]),
            format!("{expected}\n")
        );
        reads += 1;
    }
    reads
}

fn assert_all_there(sandbox: &Sandbox, addresses: &[String]) {
    let file: Value = serde_json::from_slice(&sandbox.read("partition-963.json")).expect("JSON");
    let profiles = file["profilesByCanonicalEmail"].as_object().expect("a map");
    let missing: Vec<_> = addresses
        .iter()
        .filter(|a| !profiles.contains_key(*a))
        .collect();
    assert!(missing.is_empty(), "lost: {missing:?}");
    assert_eq!(profiles.len(), addresses.len());
    sandbox.assert_no_temporary_files();
}

#[test]
fn the_routes_in_the_readme_answer_as_it_says() {
    if !crate::harness::has_tools(&["curl"]) {
        return;
    }
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let section = section("## HTTP");
    let curl = section
        .split("```sh\n")
        .nth(2)
        .and_then(|rest| rest.split("```").next());
    let script = curl
        .expect("a block")
        .replace("127.0.0.1:8080", &server.address.to_string());
    let mut shell = std::process::Command::new("sh");
    shell
        .current_dir(sandbox.root())
        .args(["-c", &script.replace("curl ", "curl -sS -w '\\n' ")]);
    let printed = Finished(shell.output().expect("sh runs"));
    let profile = profile_json(ALICE, "Alice Smith");
    let printed = printed.stdout();
    let lines: Vec<_> = printed.lines().collect();
    assert!(
        lines[0].starts_with(r#"{"flowID":"customer-directory","runID":""#),
        "{printed}"
    );
    assert_eq!(lines[1..], [&profile[..], &profile]);
}
