//! Every known answer, through the library and through the program.

use dex_dir::email::CanonicalEmail;
use dex_dir::partition::{Partition, fnv1a_32};
use serde_json::Value;

use crate::harness::{Sandbox, colliding_addresses, vectors};

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn entries(name: &str) -> Vec<Value> {
    let entries = vectors()[name].as_array().expect("an array").clone();
    assert!(!entries.is_empty());
    entries
}

#[test]
fn every_valid_address_lands_where_all_implementations_put_it() {
    for entry in entries("valid") {
        let email = CanonicalEmail::parse(text(&entry["input"])).expect("a valid address");
        assert_eq!(email.as_str(), text(&entry["canonicalEmail"]));
        assert_eq!(
            u64::from(fnv1a_32(email.as_str().as_bytes())),
            entry["hash"].as_u64().expect("a hash")
        );
        assert_eq!(Partition::of(&email).to_string(), text(&entry["partition"]));
    }
}

#[test]
fn every_invalid_address_is_refused_with_the_shared_text() {
    for entry in entries("invalid") {
        let error = CanonicalEmail::parse(text(&entry["input"])).expect_err("an invalid address");
        assert_eq!(error.to_string(), text(&entry["error"]));
    }
}

#[test]
fn the_known_collisions_are_the_first_in_their_partition() {
    let known: Vec<String> = vectors()["collisions"]["canonicalEmails"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|email| text(email).to_owned())
        .collect();
    assert_eq!(colliding_addresses(known.len()), known);
}

#[test]
fn the_program_gives_every_known_answer_without_a_directory() {
    let sandbox = Sandbox::new();
    for entry in entries("valid")
        .iter()
        .filter(|e| !text(&e["input"]).contains('\0'))
    {
        let argument = format!("--email={}", text(&entry["input"]));
        let printed = sandbox.ok(&["partition", "--json", &argument]);
        let answer: Value = serde_json::from_str(&printed).expect("JSON");
        for member in ["canonicalEmail", "hash", "partition"] {
            assert_eq!(answer[member], entry[member], "{argument}");
        }
    }
    for entry in entries("invalid") {
        let argument = format!("--email={}", text(&entry["input"]));
        let finished = sandbox.run(&["partition", &argument]);
        assert_eq!(finished.status(), 2, "{argument}");
        assert!(
            finished.stderr().contains(text(&entry["error"])),
            "{}",
            finished.stderr()
        );
    }
    assert!(!sandbox.dir().exists());
}
