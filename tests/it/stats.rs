//! `stats`: the figures of a directory, as text that fits the terminal and as JSON.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, colliding_addresses, has_tools};

/// Three profiles in partition-963, one in partition-278 and none in partition-000.
fn uneven() -> Sandbox {
    let sandbox = Sandbox::started();
    for address in colliding_addresses(3) {
        sandbox.upsert(&address, "C", &[]);
    }
    sandbox.upsert(ALICE, "A", &[]);
    sandbox.write(
        "partition-000.json",
        "{\"profilesByCanonicalEmail\":{\n}}\n",
    );
    sandbox
}

fn size(sandbox: &Sandbox, name: &str) -> u64 {
    fs::metadata(sandbox.path(name)).expect(name).len()
}

fn figures(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout()).expect("JSON")
}

#[test]
fn the_json_form_has_all_figures() {
    let sandbox = uneven();
    let [none, one, three] =
        ["partition-000.json", ALICE_PARTITION, "partition-963.json"].map(|n| size(&sandbox, n));
    let finished = sandbox.run(&["stats", "--json"]);
    let expected = json!({
        "profiles": 4,
        "bytes": none + one + three,
        "partitionsWritten": 3,
        "notCounted": 0,
        "profilesPerPartition": { "minimum": 0, "median": 1, "maximum": 3, "maximumIn": "partition-963" },
        "bytesPerPartition": { "minimum": none, "median": one, "maximum": three, "maximumIn": "partition-963" },
        "byPartition": {
            "partition-000": { "bytes": none, "profiles": 0 },
            "partition-278": { "bytes": one, "profiles": 1 },
            "partition-963": { "bytes": three, "profiles": 3 },
        },
    });
    assert_eq!(figures(&finished), expected);
    assert_eq!(
        (finished.status(), finished.stdout().lines().count()),
        (0, 1)
    );
}

#[test]
fn the_text_has_the_same_figures_and_what_the_next_upsert_rewrites() {
    let sandbox = uneven();
    let (one, three) = (
        size(&sandbox, ALICE_PARTITION),
        size(&sandbox, "partition-963.json"),
    );
    let text = sandbox.ok(&["stats"]);
    let words: Vec<Vec<_>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    let has = |line: &str| words.contains(&line.split_whitespace().collect());
    let total = format!("bytes {}", 33 + one + three);
    let bytes = format!("bytes 33 {one} {three} partition-963");
    let next = format!("the next upsert rewrites {one} bytes (median), {three} at most");
    for line in [
        "profiles 4",
        &total,
        "partitions 3 of 1000 written",
        "profiles 0 1 3 partition-963",
        &bytes,
        &next,
    ] {
        assert!(has(line), "no {line:?} in\n{text}");
    }
    let histogram: Vec<_> = text.lines().rev().take(4).collect();
    for (line, start) in histogram
        .iter()
        .rev()
        .zip(["0  1  ###", "1  1  ###", "2  0", "3  1  ###"])
    {
        assert!(line.starts_with(start), "{line:?}");
    }
}

#[test]
fn the_histogram_fits_the_terminal() {
    let sandbox = uneven();
    let widest = |text: &str| {
        text.lines()
            .filter(|l| l.contains('#'))
            .map(|l| l.trim_end().len())
            .max()
    };
    let with = |columns: &str| {
        let output = sandbox
            .command()
            .env("COLUMNS", columns)
            .arg("stats")
            .output();
        Finished(output.expect("the program runs")).stdout()
    };
    assert_eq!(widest(&with("40")), Some(40));
    assert_eq!(widest(&with("120")), Some(120));
    assert_eq!(widest(&with("0")), Some(80));
    assert_eq!(widest(&sandbox.ok(&["stats"])), Some(80));
    if has_tools(&["script", "stty"]) {
        let program = assert_cmd::cargo::cargo_bin!("dex-dir")
            .display()
            .to_string();
        let inside = format!(
            "stty cols 50; {program} stats --dir {}",
            sandbox.dir().display()
        );
        let output = Command::new("script")
            .args(["-qec", &inside, "/dev/null"])
            .env_remove("COLUMNS")
            .output();
        assert_eq!(
            widest(&Finished(output.expect("script runs")).stdout()),
            Some(50)
        );
    }
}

#[test]
fn a_directory_without_partitions_has_no_spread() {
    let sandbox = Sandbox::started();
    let text = sandbox.ok(&["stats"]);
    assert_eq!(text.lines().count(), 3, "{text}");
    let figures = figures(&sandbox.run(&["stats", "--json"]));
    assert_eq!(figures["partitionsWritten"], 0);
    assert_eq!(figures["bytesPerPartition"], Value::Null);
}

#[test]
fn a_corrupt_file_is_reported_and_counted_and_the_others_go_on() {
    let sandbox = uneven();
    sandbox.write(ALICE_PARTITION, "{\"profilesByCanonicalEmail\":7}");
    let finished = sandbox.run(&["stats", "--json"]);
    assert_eq!(finished.status(), 72);
    let error = finished.stderr();
    assert!(
        error.contains(ALICE_PARTITION) && error.contains("line 1, column 29"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    let found = figures(&finished);
    assert_eq!(
        (&found["profiles"], &found["notCounted"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(
        found["byPartition"]["partition-278"],
        json!({ "bytes": 30, "profiles": null })
    );
    let text = sandbox.run(&["stats"]);
    assert_eq!(text.status(), 72);
    assert!(
        text.stdout().contains("not counted    1 of them"),
        "{}",
        text.stdout()
    );
    fs::remove_file(sandbox.path(ALICE_PARTITION)).expect("removed");
    fs::create_dir(sandbox.path(ALICE_PARTITION)).expect("a directory");
    assert_eq!(sandbox.run(&["stats"]).status(), 74);
}

#[test]
fn no_address_is_in_the_figures() {
    let sandbox = uneven();
    for args in [&["stats"][..], &["stats", "--json"]] {
        assert!(!sandbox.ok(args).contains("example.com"));
    }
}
