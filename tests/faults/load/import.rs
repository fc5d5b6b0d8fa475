//! SIGKILL of an import at random moments, while it saves several partitions at once.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::time::Instant;

use super::run_and_kill;
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::scene::{copy, save_as};
use crate::tally::{Tally, short_or_long};
use crate::tree::Tree;

const CUSTOMERS: usize = 60;
const IMPORT: [&str; 3] = ["upsert", "--from", "input"];

/// A directory, and a file of many customers, of whom it has one.
fn before() -> Tree {
    let sandbox = Sandbox::started();
    save_as("Old")(&sandbox);
    let emails = (1..CUSTOMERS).map(|i| format!("customer-{i}@example.com"));
    let lines = emails.map(|email| profile_json(&email, "New") + "\n");
    let input = lines.collect::<String>() + &profile_json(ALICE, "New");
    fs::write(sandbox.root().join("input"), input).expect("a file");
    Tree::of(sandbox.root())
}

#[test]
fn an_import_may_be_killed_at_any_moment_and_made_again() {
    let before = before();
    let undisturbed = copy(&before);
    let begun = Instant::now();
    undisturbed.ok(&IMPORT);
    let (usual, after) = (
        begun.elapsed(),
        Tree::of(undisturbed.root()).without_locks(),
    );
    let mut tally = Tally::new("kill of an import", short_or_long(10, 200));
    while tally.lacks_faults() {
        let sandbox = copy(&before);
        let killed = run_and_kill(sandbox.command().args(IMPORT), usual);
        if killed.0.status.signal() != Some(9) {
            continue;
        }
        tally.fault("the import", || {
            let found = Tree::of(sandbox.root()).without_locks();
            let found = found.without(|path| path.extension().is_some_and(|end| end == "tmp"));
            for (path, bytes) in &found.0 {
                assert!([before.file(path), after.file(path)].contains(&bytes.as_deref()));
            }
            if !killed.0.stdout.is_empty() {
                assert_eq!(found, after);
            }
            let again = sandbox.ok(&IMPORT);
            assert!(again.starts_with(&format!("{CUSTOMERS} read:")), "{again}");
            assert_eq!(Tree::of(sandbox.root()).without_locks(), after);
        });
    }
    tally.finish();
}
