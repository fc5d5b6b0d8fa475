//! An import that is stopped or killed on the way, and inputs that nobody feeds.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::harness::{Finished, Sandbox, has_tools, profile_json, shell};

const CUSTOMERS: usize = 20_000;

fn address(i: usize) -> String {
    format!("customer-{i}@example.com")
}

/// An import of many customers under way: small batches, so that it takes a while.
fn begin(sandbox: &Sandbox) -> Child {
    let lines: String = (0..CUSTOMERS)
        .map(|i| profile_json(&address(i), "Name") + "\n")
        .collect();
    fs::write(sandbox.root().join("input"), lines).expect("written");
    let mut command = sandbox.command();
    command.args([
        "upsert",
        "--from",
        "input",
        "--json",
        "--batch-bytes",
        "200KiB",
    ]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("run")
}

/// Waits until something was saved, and longer each time that it is asked to.
fn wait_for_partitions(sandbox: &Sandbox, count: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while partitions(sandbox) < count {
        assert!(Instant::now() < deadline, "nothing is saved");
        thread::sleep(Duration::from_millis(1));
    }
}

fn partitions(sandbox: &Sandbox) -> usize {
    let entries = fs::read_dir(sandbox.dir()).expect("a directory");
    let names = entries.map(|entry| entry.expect("readable").file_name());
    names
        .filter(|name| name.to_string_lossy().ends_with(".json"))
        .count()
}

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_child(child);
    kill_process(pid, signal).expect("sent");
}

fn profiles_in(sandbox: &Sandbox) -> Value {
    let stats: Value = serde_json::from_str(&sandbox.ok(&["stats", "--json"])).expect("JSON");
    stats["profiles"].clone()
}

#[test]
fn a_signal_stops_it_between_partitions_with_a_true_summary() {
    for signal in [Signal::INT, Signal::TERM] {
        let sandbox = Sandbox::started();
        let import = begin(&sandbox);
        wait_for_partitions(&sandbox, 300);
        send(&import, signal);
        let finished = import.wait_with_output().expect("ended");
        assert_eq!(finished.status.signal(), Some(signal.as_raw()));
        let summary: Value = serde_json::from_slice(&finished.stdout).expect("a summary");
        let count = |name: &str| summary[name].as_u64().expect("a count");
        assert!(count("created") > 0, "{summary}");
        assert!(count("created") < CUSTOMERS as u64, "{summary}");
        assert_eq!(
            count("created") + count("notReached"),
            count("read"),
            "{summary}"
        );
        assert_eq!(profiles_in(&sandbox), count("created"));
        sandbox.ok(&["verify"]);
        sandbox.assert_no_temporary_files();
    }
}

#[test]
fn killed_and_run_again_it_has_saved_all() {
    let sandbox = Sandbox::started();
    for partitions in [100, 500, 900] {
        let mut import = begin(&sandbox);
        wait_for_partitions(&sandbox, partitions);
        send(&import, Signal::KILL);
        import.wait().expect("ended");
        let verified = sandbox.run(&["verify"]);
        assert_eq!(verified.status(), 0, "{}", verified.stdout());
    }
    let finished = begin(&sandbox).wait_with_output().expect("ended");
    assert!(finished.status.success());
    let addresses: Vec<_> = (0..CUSTOMERS).map(address).collect();
    fs::write(sandbox.root().join("addresses"), addresses.join("\n")).expect("written");
    let found = sandbox.ok(&["get", "--from", "addresses"]);
    let saved = fs::read_to_string(sandbox.root().join("input")).expect("there");
    assert!(found == saved, "not what was put in");
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_signal_stops_the_wait_for_an_input_that_says_nothing() {
    let sandbox = Sandbox::started();
    let mut command = sandbox.command();
    command.args(["upsert", "--from", "-", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut import = command.spawn().expect("run");
    let mut input = import.stdin.take().expect("piped");
    writeln!(input, "{}", profile_json("a@example.com", "A")).expect("read");
    // Until it has caught signals and waits; earlier it would end all the same.
    thread::sleep(Duration::from_millis(300));
    send(&import, Signal::INT);
    let finished = import.wait_with_output().expect("ended");
    assert_eq!(finished.status.signal(), Some(Signal::INT.as_raw()));
    let summary: Value = serde_json::from_slice(&finished.stdout).expect("a summary");
    assert_eq!(summary["created"], 0);
    drop(input);
}

#[test]
fn a_terminal_is_no_input_and_a_closed_one_is_empty() {
    if !has_tools(&["script"]) {
        return;
    }
    let sandbox = Sandbox::started();
    let program = assert_cmd::cargo::cargo_bin!("dex-dir").display();
    let run = |script: String| {
        let mut command = shell(sandbox.root());
        Finished(command.args(["-c", &script]).output().expect("run"))
    };
    for command in ["get", "upsert"] {
        let from = format!("{program} --dir customers {command} --from -");
        let typed = run(format!("script -qec '{from}' /dev/null < /dev/null"));
        assert_eq!(typed.status(), 2, "{}", typed.stdout());
        let told = typed.stdout();
        assert!(told.contains("standard input is a terminal"), "{told}");
        let closed = run(format!("{from} <&-"));
        assert_eq!((closed.status(), &*closed.stderr()), (0, ""));
        let wrong = run(format!("{from} < ."));
        assert_eq!(wrong.status(), 74);
        let told = wrong.stderr();
        assert!(told.contains("could not read"), "{told}");
        assert!(told.contains("standard input"), "{told}");
    }
}
