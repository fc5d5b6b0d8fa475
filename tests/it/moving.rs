//! Moving in, moving out and backing up, as the README says it.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::documents::{assert_prints_what_it_shows, blocks, shell};
use crate::harness::{ALICE, Sandbox, has_tools, profile_json};
use crate::server::Server;

/// A started directory called `data` with these customers.
fn data_with(addresses: &[&str]) -> Sandbox {
    let sandbox = Sandbox::started();
    for address in addresses {
        sandbox.upsert(address, "Name", &[]);
    }
    fs::rename(sandbox.dir(), sandbox.root().join("data")).expect("renamed");
    sandbox
}

fn run(sandbox: &Sandbox, script: &str) {
    let finished = shell(sandbox, &format!("set -e\n{script}"));
    assert_eq!(finished.status(), 0, "{}", finished.stdout());
}

/// A profile that holds everything that a careless shell script trips over.
const AWKWARD: &str = r"o'brien \$(reboot) -n %s@example.ie";

#[test]
fn moving_in_prints_what_the_readme_shows() {
    let sandbox = Sandbox::new();
    let export = &blocks("README.md", "### Moving in", "csv")[0];
    fs::write(sandbox.root().join("customers.csv"), export).expect("written");
    assert_prints_what_it_shows(&sandbox, "### Moving in", 8);
}

#[test]
fn moving_out_takes_all_to_another_server_or_directory() {
    if !has_tools(&["jq", "curl"]) {
        return;
    }
    let addresses = [ALICE, "bob@example.com", AWKWARD];
    let sandbox = data_with(&addresses);
    let blocks = blocks("README.md", "### Moving out", "sh");
    let [by_http, by_directory] = &blocks[..] else {
        panic!("other blocks: {blocks:?}")
    };
    let other = Sandbox::started();
    let server = Server::start(&other);
    let here = format!("http://{}", server.address);
    let script = by_http.replace("http://127.0.0.1:8080", &here);
    assert_ne!(script, *by_http);
    run(&sandbox, &script);
    run(&sandbox, by_directory);
    assert!(!sandbox.root().join("not-moved.jsonl").exists());
    let all_in = |dir: &Path| {
        let emails = addresses.map(|address| format!("--email={address}"));
        let emails = emails.each_ref().map(String::as_str);
        let dir = dir.to_str().expect("UTF-8");
        sandbox.ok(&[&["--dir", dir, "get"], &emails[..]].concat())
    };
    let before = all_in(&sandbox.root().join("data"));
    assert_eq!(before.lines().count(), addresses.len());
    for dir in [other.dir(), sandbox.root().join("new")] {
        assert_eq!(all_in(&dir), before);
    }
}

#[test]
fn what_another_server_does_not_take_is_kept() {
    if !has_tools(&["jq", "curl"]) {
        return;
    }
    let sandbox = data_with(&[ALICE]);
    let script = blocks("README.md", "### Moving out", "sh").remove(0);
    // Nobody listens there.
    let nowhere = script.replace("127.0.0.1:8080", "127.0.0.1:1");
    run(&sandbox, &nowhere.replace("--retry 5", "--retry 0"));
    let kept = fs::read_to_string(sandbox.root().join("not-moved.jsonl")).expect("kept");
    assert_eq!(kept, profile_json(ALICE, "Name") + "\n");
}

#[test]
fn a_backup_under_load_is_sound_and_can_be_restored() {
    if !has_tools(&["tar", "gzip"]) {
        return;
    }
    let sandbox = data_with(&[ALICE]);
    let script = blocks("README.md", "### Backing up", "sh").remove(0);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (sandbox, is_done) = (&sandbox, &is_done);
            scope.spawn(move || {
                let mut round = 0;
                while !is_done.load(Ordering::Relaxed) {
                    round += 1;
                    let address = format!("{writer}-{round}@example.com");
                    let saved = sandbox.upsert(&address, "Name", &["--dir", "data"]);
                    // Two addresses may share a partition.
                    assert!([0, 75].contains(&saved.status()), "{}", saved.stderr());
                }
            });
        }
        for _ in 0..5 {
            run(&sandbox, &script);
        }
        is_done.store(true, Ordering::Relaxed);
    });
    run(
        &sandbox,
        "mv data lost; tar -xzf backup.tar.gz; mv snapshot data",
    );
    for args in [&["verify"][..], &["get", "--email", ALICE], &["start"]] {
        sandbox.ok(&[&["--dir", "data"], args].concat());
    }
    assert_eq!(
        sandbox.upsert(ALICE, "Other", &["--dir", "data"]).status(),
        0
    );
}
