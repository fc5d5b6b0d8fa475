//! The manifest, snapshots, versions and the list.

use std::sync::{Arc, Barrier};
use std::thread;

use dex_dir::store::{Snapshot, Store};

use super::changes::commit;
use super::partition;

fn open(store: &Arc<dyn Store>, number: u16) -> Box<dyn Snapshot> {
    let snapshot = store.open(partition(number)).expect("opened");
    snapshot.expect("written before")
}

pub(super) fn a_manifest_is_made_only_if_there_is_none(store: &Arc<dyn Store>) {
    assert_eq!(store.manifest().expect("read"), None);
    for bytes in [b"first", b"other"] {
        assert_eq!(store.create_manifest(bytes).expect("made"), b"first");
        assert_eq!(
            store.manifest().expect("read").as_deref(),
            Some(&b"first"[..])
        );
    }
}

pub(super) fn of_twenty_that_start_at_once_all_get_the_same_manifest(store: &Arc<dyn Store>) {
    let together = Barrier::new(20);
    let start = |bytes: String| {
        together.wait();
        store.create_manifest(bytes.as_bytes()).expect("made")
    };
    let answers: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..20)
            .map(|i| scope.spawn(move || start(format!("manifest {i}"))))
            .collect();
        let join = |thread: thread::ScopedJoinHandle<_>| thread.join().expect("no panic");
        threads.into_iter().map(join).collect()
    });
    let winner = store.manifest().expect("read").expect("made");
    assert!(winner.starts_with(b"manifest "));
    assert_eq!(answers, vec![winner; 20]);
}

pub(super) fn what_was_never_written_is_none(store: &Arc<dyn Store>) {
    assert!(store.open(partition(7)).expect("no error").is_none());
    store.create_manifest(b"made").expect("made");
    assert!(store.open(partition(7)).expect("no error").is_none());
    assert_eq!(store.list().expect("listed"), []);
}

pub(super) fn a_snapshot_gives_what_was_committed(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"0123456789");
    let snapshot = open(store, 7);
    assert_eq!(snapshot.size(), 10);
    for (offset, length) in [(0, 10), (0, 1), (3, 4), (9, 1), (10, 0), (2, 0)] {
        let mut buffer = vec![b'?'; length];
        snapshot
            .read_exact_at(&mut buffer, offset as u64)
            .expect("read");
        assert_eq!(buffer, b"0123456789"[offset..offset + length]);
    }
    // Twice: no read moves on what another gives.
    assert_eq!(snapshot.read().expect("read"), b"0123456789");
    assert_eq!(snapshot.read().expect("read"), b"0123456789");
}

pub(super) fn a_read_past_the_end_is_an_error(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"0123456789");
    let snapshot = open(store, 7);
    for (offset, length) in [
        (0, 11),
        (9, 2),
        (10, 1),
        (11, 1),
        (u64::MAX, 1),
        (u64::MAX, 11),
    ] {
        let mut buffer = vec![0; length];
        assert!(
            snapshot.read_exact_at(&mut buffer, offset).is_err(),
            "{offset}"
        );
    }
}

pub(super) fn a_snapshot_stays_as_it_is_while_a_commit_replaces_it(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"the old bytes");
    let snapshot = open(store, 7);
    let version = snapshot.version();
    commit(store, 7, b"new");
    commit(store, 7, b"newer by far than the old bytes");
    assert_eq!(snapshot.size(), 13);
    assert!(
        snapshot.version() == version,
        "the version of a state changed"
    );
    assert_eq!(snapshot.read().expect("read"), b"the old bytes");
    let mut buffer = [0; 5];
    snapshot.read_exact_at(&mut buffer, 8).expect("read");
    assert_eq!(&buffer, b"bytes");
    assert!(snapshot.read_exact_at(&mut [0; 14], 0).is_err());
}

pub(super) fn a_version_tells_a_state_from_the_next_and_from_nothing_else(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    commit(store, 7, b"same length 0");
    for i in 1..10 {
        let before = open(store, 7).version();
        drop(store.begin(partition(7)).expect("free"));
        let confirmed = store.begin(partition(7)).expect("free").change;
        confirmed.confirm().expect("confirmed");
        commit(store, 8, b"another partition");
        assert!(open(store, 7).version() == before, "nothing had changed");
        commit(store, 7, format!("same length {i}").as_bytes());
        assert!(open(store, 7).version() != before, "the bytes had changed");
    }
}

pub(super) fn partitions_are_listed_in_order_once_written(store: &Arc<dyn Store>) {
    store.create_manifest(b"made").expect("made");
    for number in [999, 0, 278, 10, 0, 99] {
        commit(store, number, b"written");
    }
    drop(store.begin(partition(500)).expect("free"));
    let expected = [0, 10, 99, 278, 999].map(partition);
    assert_eq!(store.list().expect("listed"), expected);
}
