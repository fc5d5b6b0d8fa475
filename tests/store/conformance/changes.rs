//! Begin, commit, confirm, conflict.

use std::io::IoSlice;
use std::sync::Arc;

use dex_dir::store::{Begun, Store, StoreError};

use super::partition;

/// Replaces a partition's bytes, which nobody else is doing.
pub(super) fn commit(store: &Arc<dyn Store>, number: u16, bytes: &[u8]) {
    let begun = store.begin(partition(number)).expect("free");
    commit_begun(begun, bytes).expect("committed");
}

pub(super) fn commit_begun(begun: Begun, bytes: &[u8]) -> Result<(), StoreError> {
    begun.change.commit(&mut [IoSlice::new(bytes)])
}

/// What a partition holds, to one who reads it.
fn bytes_of(store: &Arc<dyn Store>, number: u16) -> Option<Vec<u8>> {
    let snapshot = store.open(partition(number)).expect("opened");
    snapshot.map(|snapshot| snapshot.read().expect("read"))
}

pub(super) fn a_change_begins_from_what_is_there(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    assert_eq!(store.begin(partition(7)).expect("free").current, None);
    for bytes in [&b"first"[..], b"", b"and last"] {
        commit(store, 7, bytes);
        let current = store.begin(partition(7)).expect("free").current;
        assert_eq!(current.as_deref(), Some(bytes));
        assert_eq!(bytes_of(store, 7).as_deref(), Some(bytes));
    }
}

pub(super) fn a_dropped_change_changes_nothing_and_frees_the_partition(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    drop(store.begin(partition(7)).expect("free"));
    assert_eq!(bytes_of(store, 7), None);
    commit(store, 7, b"there");
    drop(store.begin(partition(7)).expect("free"));
    drop(store.begin(partition(7)).expect("free"));
    assert_eq!(bytes_of(store, 7).as_deref(), Some(&b"there"[..]));
    commit(store, 7, b"replaced");
    assert_eq!(bytes_of(store, 7).as_deref(), Some(&b"replaced"[..]));
}

pub(super) fn a_commit_puts_its_parts_one_after_the_other(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    // More than a system takes in one call, and more bytes than it takes in one go.
    let many: Vec<_> = (0..3000).map(|i| format!("{i},").into_bytes()).collect();
    let long = vec![vec![b'a'; 100_000], vec![], vec![b'b'; 300_000]];
    let few = |parts: &[&str]| parts.iter().map(|part| part.as_bytes().to_vec()).collect();
    for parts in [
        few(&["one"]),
        few(&["", "", "a", "", "bc", "", "", "d", ""]),
        few(&["", ""]),
        few(&[]),
        many,
        long,
    ] {
        let mut slices: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
        let change = store.begin(partition(7)).expect("free").change;
        change.commit(&mut slices).expect("committed");
        assert!(bytes_of(store, 7) == Some(parts.concat()), "other bytes");
    }
}

pub(super) fn of_two_changes_begun_at_once_exactly_one_commits(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    // The first time there is nothing to be replaced yet. Who commits first may differ from who
    // began first, and to write what is there already is a change as well.
    for (one, two) in [("b", "c"), ("d", "d"), ("e", "d")] {
        let first = store.begin(partition(7)).expect("free");
        let second = store.begin(partition(7));
        let second = second.and_then(|begun| commit_begun(begun, two.as_bytes()));
        let first = commit_begun(first, one.as_bytes());
        let (winner, loser) = match (first, second) {
            (Ok(()), Err(loser)) => (one, loser),
            (Err(loser), Ok(())) => (two, loser),
            (Ok(()), Ok(())) => panic!("both were committed"),
            (Err(first), Err(second)) => panic!("neither was committed: {first}, {second}"),
        };
        assert!(
            matches!(loser, StoreError::LockConflict { partition: p, .. } if p == partition(7)),
            "{loser}"
        );
        assert_eq!(bytes_of(store, 7).as_deref(), Some(winner.as_bytes()));
        commit(store, 7, b"the loser's second try");
    }
}

pub(super) fn changes_of_different_partitions_do_not_conflict(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    let numbers = [7, 8, 70, 999];
    let begun = numbers.map(|number| store.begin(partition(number)).expect("free"));
    for (begun, number) in begun.into_iter().zip(numbers) {
        commit_begun(begun, &number.to_be_bytes()).expect("committed");
    }
    for number in numbers {
        assert_eq!(
            bytes_of(store, number).as_deref(),
            Some(&number.to_be_bytes()[..])
        );
    }
}

pub(super) fn nobody_who_reads_waits_for_a_change(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"old");
    let begun = store.begin(partition(7)).expect("free");
    assert_eq!(bytes_of(store, 7).as_deref(), Some(&b"old"[..]));
    assert_eq!(store.list().expect("listed"), [partition(7)]);
    assert_eq!(store.create_manifest(b"other").expect("there"), b"made");
    commit_begun(begun, b"new").expect("committed");
}

pub(super) fn confirming_leaves_the_bytes_and_frees_the_partition(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"there");
    for _ in 0..2 {
        let change = store.begin(partition(7)).expect("free").change;
        change.confirm().expect("confirmed");
        assert_eq!(bytes_of(store, 7).as_deref(), Some(&b"there"[..]));
    }
    commit(store, 7, b"replaced");
}
