//! The pure steps of a lookup and a save, by the number of profiles in the partition.

// A benchmark of sound bytes has nothing to report.
#![allow(clippy::expect_used)]

use std::hint::black_box;

use dex_dir::document::Document;
use dex_dir::email::CanonicalEmail;
use dex_dir::partition::{Partition, fnv1a_32};
use dex_dir::profile::CustomerProfile;
use divan::{Bencher, counter::BytesCount};

const PROFILES: [usize; 4] = [1, 100, 1_000, 10_000];

fn main() {
    divan::main();
}

fn email(number: usize) -> CanonicalEmail {
    CanonicalEmail::parse(&format!("customer+{number:05}@example.com")).expect("an address")
}

fn profile(number: usize, company: &str) -> CustomerProfile {
    CustomerProfile::new(email(number), "Alice Smith", company, "gold").expect("a profile")
}

/// The bytes of a file with so many profiles.
fn file(profiles: usize) -> Vec<u8> {
    file_of(0..profiles)
}

/// The bytes of a file with the profiles of these numbers.
fn file_of(numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    let profiles: Vec<_> = numbers.map(|number| profile(number, "Acme")).collect();
    let mut document = Document::empty();
    for profile in &profiles {
        document.upsert(profile);
    }
    document.to_bytes()
}

#[divan::bench]
fn hash(bencher: Bencher<'_, '_>) {
    let email = email(1);
    bencher.bench(|| fnv1a_32(black_box(email.as_str().as_bytes())));
}

/// As for an answer that nobody is there: the whole file is read.
#[divan::bench(args = PROFILES)]
fn lookup(bencher: Bencher<'_, '_>, profiles: usize) {
    let (file, email) = (file(profiles), email(profiles / 2));
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        let document = Document::parse(black_box(&file)).expect("a sound file");
        document.get(&email).expect("a sound profile")
    });
}

/// As `verify` does it if there is nothing to say: all are at home in this partition.
#[divan::bench(args = PROFILES)]
fn check(bencher: Bencher<'_, '_>, profiles: usize) {
    let partition = Partition::of(&email(0));
    let is_at_home = |number: &usize| Partition::of(&email(*number)) == partition;
    let file = file_of((0..).filter(is_at_home).take(profiles));
    bencher
        .counter(BytesCount::of_slice(&file))
        .bench(|| Document::check(black_box(&file), partition));
}

/// As a save does it, from the old bytes to the new ones.
#[divan::bench(args = PROFILES)]
fn edit(bencher: Bencher<'_, '_>, profiles: usize) {
    let (file, changed) = (file(profiles), profile(profiles / 2, "Acme & Sons"));
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        let mut document = Document::parse(black_box(&file)).expect("a sound file");
        document.upsert(&changed);
        document.to_bytes()
    });
}
