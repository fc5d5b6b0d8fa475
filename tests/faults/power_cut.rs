//! A power cut at any moment: every state in which it may leave the disk, rebuilt from the calls
//! that the real program made. In each, every file is the old one or the new one, whole; what was
//! reported is there; and the program gets on with it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dex_dir::directory::Directory;
use dex_dir::email::CanonicalEmail;
use dex_dir::store::local::LocalStore;
use dex_dir::verify::verify;

use crate::calls::{Fault, can_trace};
use crate::client::Client;
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::scene::{copy, save};
use crate::server::Server;
use crate::tally::{Tally, short_or_long};
use crate::tree::Tree;

mod contents;
mod disk;
mod recording;
mod steps;

use recording::Recording;
use steps::{Operation, Step};

/// Cuts the power in every way. Every state is judged. In the long form each is put on a real disk too,
/// where the library reads it and the program goes on from it; in the short form some are.
fn cut_the_power(part: &'static str, recording: &Recording, least: usize) {
    let states = recording.states();
    let mut tally = Tally::new(part, least);
    let one_in = |some: usize| short_or_long(states.len() / some + 1, 1);
    let (read, go_on) = (one_in(200), one_in(20));
    for (i, state) in states.iter().enumerate() {
        tally.fault("a state of the disk", || {
            recording.judge(state).expect("a sound state");
            if i % read == 0 || i % go_on == 0 {
                let sandbox = copy(&state.tree);
                assert_readable(&sandbox, &state.tree);
                if i % go_on == 0 {
                    assert_goes_on(&sandbox);
                }
            }
        });
    }
    tally.finish();
}

/// Whatever is there is sound for whoever reads it.
fn assert_readable(sandbox: &Sandbox, tree: &Tree) {
    let store = LocalStore::new(sandbox.dir());
    if !sandbox.path("directory.json").exists() {
        return;
    }
    let mut files = tree.0.keys();
    // Otherwise it would watch whether somebody is at work.
    if files.all(|file| file.extension().is_none_or(|extension| extension != "tmp")) {
        let summary = verify(&store, &mut |_| ()).expect("a directory");
        assert_eq!(summary.problems, 0);
    }
    let directory = Directory::open(Arc::new(store)).expect("a directory");
    let email = CanonicalEmail::parse(ALICE).expect("an address");
    directory.get(&email).expect("an answer");
}

/// It can be started, saved to and looked up, and the save leaves nothing behind.
fn assert_goes_on(sandbox: &Sandbox) {
    sandbox.ok(&["start"]);
    let saved = sandbox.ok(&save("Next"));
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), saved);
    assert!(!sandbox.path(".partition-278.tmp").exists());
}

/// A directory in which Alice's partition takes several blocks.
fn directory() -> Sandbox {
    let sandbox = Sandbox::started();
    sandbox.ok(&save(&"Old".repeat(800)));
    sandbox
}

fn record_saves(prepare: impl Fn(&Sandbox), names: &[&str]) -> Recording {
    let sandbox = directory();
    prepare(&sandbox);
    let mut recording = Recording::new(&sandbox);
    for name in names {
        recording.run(&sandbox, &save(&name.repeat(800)));
    }
    recording
}

fn record_start() -> Recording {
    let sandbox = Sandbox::new();
    let mut recording = Recording::new(&sandbox);
    recording.run(&sandbox, &["start"]);
    recording.run(&sandbox, &save("First"));
    recording
}

/// A save that is killed after the rename, and then the same save again: it finds the bytes there.
fn record_unchanged_save() -> Recording {
    let sandbox = directory();
    let mut recording = Recording::new(&sandbox);
    let name = "New".repeat(800);
    let directory_sync = Fault {
        call: "fsync",
        nth: 2,
        what: "signal=KILL".to_owned(),
    };
    recording.run_killed(&sandbox, &save(&name), &directory_sync);
    recording.run(&sandbox, &save(&name));
    recording
}

fn is_sync_of(operation: &Operation, what: &str) -> bool {
    matches!(operation, Operation::Sync(path) if path == Path::new(what))
}

#[test]
fn a_start_and_a_first_save_survive() {
    if can_trace() {
        cut_the_power("power cut in a start and a first save", &record_start(), 60);
    }
}

#[test]
fn a_start_below_folders_that_it_makes_survives() {
    if can_trace() {
        let sandbox = Sandbox::new();
        let mut recording = Recording::new(&sandbox);
        recording.run(&sandbox, &["--dir", "new/folders/customers", "start"]);
        cut_the_power("power cut in a start below new folders", &recording, 20);
    }
}

#[test]
fn two_saves_to_one_partition_survive() {
    if can_trace() {
        let recording = record_saves(|_| (), &["New", "Two"]);
        cut_the_power("power cut in two saves", &recording, 150);
    }
}

#[test]
fn a_save_that_finds_a_left_over_survives() {
    if can_trace() {
        let leave = |sandbox: &Sandbox| sandbox.write(".partition-278.tmp", "{\"profiles");
        let recording = record_saves(leave, &["New"]);
        cut_the_power("power cut in a save after a killed one", &recording, 60);
    }
}

#[test]
fn an_unchanged_save_after_one_that_was_killed_survives() {
    if can_trace() {
        let recording = record_unchanged_save();
        cut_the_power("power cut in an unchanged save", &recording, 60);
    }
}

#[test]
fn an_import_of_several_partitions_survives() {
    if !can_trace() {
        return;
    }
    let sandbox = directory();
    let emails = (0..5).map(|i| format!("customer-{i}@example.com"));
    let name = "New".repeat(200);
    let lines = emails.map(|email| profile_json(&email, &name) + "\n");
    let lines: String = lines.collect();
    let input = lines + &profile_json(ALICE, &name);
    fs::write(sandbox.root().join("input"), input).expect("a file");
    let mut recording = Recording::new(&sandbox);
    recording.run(&sandbox, &["upsert", "--from", "input"]);
    cut_the_power("power cut in an import", &recording, 500);
}

#[test]
fn what_a_server_answers_survives() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::new();
    let put = |server: &Client, name: &str| {
        assert_eq!(server.put(profile_json(ALICE, name)).status, 200);
    };
    let mut recording = Recording::new(&sandbox);
    recording.serve(
        &sandbox,
        &[
            &|server: &Server| assert_eq!(server.start().status, 200),
            &|server: &Server| put(server, "Old"),
            &|server: &Server| put(server, "New"),
            &|server: &Server| put(server, "New"),
        ],
    );
    cut_the_power("power cut of a server", &recording, 100);
}

/// Fails unless a recording is found bad that lacks what must not be missing.
fn assert_caught(name: &str, tally: &mut Tally, broken: &Recording) {
    let states = broken.states();
    let bad = states.iter().filter(|state| broken.judge(state).is_err());
    let bad = bad.count();
    println!("{name}: {bad} of {} states are bad", states.len());
    tally.count(name, bad > 0);
}

/// The same with the report before the last sync.
fn reporting_early(mut recording: Recording) -> Recording {
    let is_sync = |step: &&Step| matches!(step.operation, Operation::Sync(_));
    let sync = recording.steps.iter().rfind(is_sync).expect("a sync").begun;
    let mut steps = recording.steps.iter_mut();
    let report = steps.rfind(|step| step.operation == Operation::Report);
    report.expect("a report").begun = sync - 1;
    recording
}

#[test]
fn programs_that_sync_less_or_report_earlier_are_caught() {
    if !can_trace() {
        return;
    }
    let save = record_saves(|_| (), &["New"]);
    let (start, unchanged) = (record_start(), record_unchanged_save());
    let file = |o: &Operation| is_sync_of(o, "customers/.partition-278.tmp");
    let same_file = |o: &Operation| is_sync_of(o, "customers/partition-278.json");
    let directory = |o: &Operation| is_sync_of(o, "customers");
    let parent = |o: &Operation| is_sync_of(o, "");
    let broken = [
        ("no sync of the file", save.without(file)),
        ("no sync of the directory", save.without(directory)),
        ("neither", save.without(|o| file(o) || directory(o))),
        ("no sync of the parent", start.without(parent)),
        (
            "an unchanged save without its syncs",
            unchanged.without(|o| same_file(o) || directory(o)),
        ),
        ("a report before the last sync", reporting_early(save)),
    ];
    let mut tally = Tally::new("power cut with a sync left out", broken.len());
    for (name, broken) in broken {
        assert_caught(name, &mut tally, &broken);
    }
    tally.finish();
}
