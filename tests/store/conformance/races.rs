//! Many writers at once, and an exact sum: a change that was reported is never lost.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use dex_dir::directory::Directory;
use dex_dir::email::CanonicalEmail;
use dex_dir::partition::Partition;
use dex_dir::profile::CustomerProfile;
use dex_dir::retry;
use dex_dir::store::{Begun, Store, StoreError};

use super::changes::commit_begun;
use super::partition;
use crate::harness::{colliding_addresses, profile_json};

const WRITERS: usize = 6;
const WRITES: usize = 25;
const INCREMENTS: usize = 75;

/// Long enough never to be the reason for a failure.
const PATIENCE: Duration = Duration::from_mins(1);

/// Adds one to the number that partition 7 holds.
fn increment(store: &Arc<dyn Store>) -> Result<(), StoreError> {
    let begun: Begun = store.begin(partition(7))?;
    let current = begun.current.as_deref().unwrap_or(b"0");
    let number: usize = str::from_utf8(current)
        .expect("UTF-8")
        .parse()
        .expect("a number");
    // Whoever is let in now meets the state that is about to be replaced.
    thread::yield_now();
    commit_begun(begun, (number + 1).to_string().as_bytes())
}

/// Tries again at once and with others in its way: who reads too early is then found out sooner.
fn increment_at_last(store: &Arc<dyn Store>) {
    let begun = Instant::now();
    while let Err(error) = increment(store) {
        assert!(matches!(error, StoreError::LockConflict { .. }), "{error}");
        assert!(begun.elapsed() < PATIENCE, "never free");
        thread::yield_now();
    }
}

pub(super) fn no_increment_is_lost(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    let together = Barrier::new(WRITERS);
    let write = || {
        together.wait();
        for _ in 0..INCREMENTS {
            increment_at_last(store);
        }
    };
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(write);
        }
    });
    let sum = store.begin(partition(7)).expect("free").current;
    let sum = String::from_utf8(sum.expect("written")).expect("UTF-8");
    assert_eq!(sum, (WRITERS * INCREMENTS).to_string());
}

fn profile(address: &str, name: &str) -> CustomerProfile {
    CustomerProfile::from_json(&profile_json(address, name)).expect("a profile")
}

fn emails(addresses: &[String]) -> Vec<CanonicalEmail> {
    let parse = |address: &String| CanonicalEmail::parse(address).expect("an address");
    addresses.iter().map(parse).collect()
}

pub(super) fn no_profile_is_lost(store: &Arc<dyn Store>) {
    let addresses = colliding_addresses(WRITERS * WRITES);
    let emails = emails(&addresses);
    let together = Barrier::new(WRITERS);
    // A directory of its own for each, as for processes; they share the one partition.
    let write = |own: Range<usize>| {
        let directory = Directory::start(Arc::clone(store)).expect("started");
        together.wait();
        for address in &addresses[own] {
            let saved = profile(address, address);
            retry::on_lock_conflict(PATIENCE, || directory.upsert(&saved)).expect("saved");
        }
    };
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let write = &write;
            scope.spawn(move || write(writer * WRITES..(writer + 1) * WRITES));
        }
    });
    let directory = Directory::open(Arc::clone(store)).expect("opened");
    for (email, address) in emails.iter().zip(&addresses) {
        let found = directory.get(email).expect("sound").expect(address);
        assert_eq!(found.as_json(), profile_json(address, address));
    }
    assert_eq!(store.list().expect("listed"), [Partition::of(&emails[0])]);
}

pub(super) fn a_reader_sees_whole_states_only(store: &Arc<dyn Store>) {
    let addresses = colliding_addresses(WRITES);
    let emails = emails(&addresses);
    let directory = Directory::start(Arc::clone(store)).expect("started");
    let done = AtomicBool::new(false);
    let read = || {
        let mut seen = 0;
        while !done.load(Ordering::Acquire) {
            // What was there once stays there, so the next is the only one to ask for.
            while seen < WRITES && directory.get(&emails[seen]).expect("sound").is_some() {
                seen += 1;
            }
            for email in &emails[..seen] {
                assert!(
                    directory.get(email).expect("sound").is_some(),
                    "{email} vanished"
                );
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(read);
        scope.spawn(read);
        for address in &addresses {
            directory.upsert(&profile(address, address)).expect("saved");
        }
        done.store(true, Ordering::Release);
    });
}
