//! What a process remembers of a directory never shows: whatever anybody does to the files between two
//! lookups, the answer is that of somebody who remembers nothing.

use std::io::{self, IoSlice};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use dex_dir::cache::{Cache, NotNow};
use dex_dir::directory::Directory;
use dex_dir::email::CanonicalEmail;
use dex_dir::manifest::Manifest;
use dex_dir::partition::Partition;
use dex_dir::store::{Begun, Change, Snapshot, Store, StoreError, Version};
use proptest::prelude::*;

/// Two files, of which anybody may make anything, and what the system has of them in memory. All
/// partitions are one.
#[derive(Clone, Debug, Default)]
struct Files(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    manifest: File,
    partition: File,
    is_cached: bool,
    /// Whether the clock goes on between two changes of the partition, so that both show.
    is_slow: bool,
}

#[derive(Clone, Debug, Default)]
struct File {
    bytes: Option<Vec<u8>>,
    changed: u8,
}

impl File {
    fn set(&mut self, bytes: Option<Vec<u8>>, is_slow: bool) {
        self.bytes = bytes;
        self.changed += u8::from(is_slow);
    }
}

impl Files {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic")
    }

    fn snapshot(&self, only_cached: bool) -> Option<Box<dyn Snapshot>> {
        let state = self.state().clone();
        let bytes = state.partition.bytes?;
        Some(Box::new(Open {
            bytes,
            version: state.partition.changed,
            is_settled: state.is_slow,
            is_readable: state.is_cached || !only_cached,
        }))
    }
}

struct Open {
    bytes: Vec<u8>,
    version: u8,
    is_settled: bool,
    is_readable: bool,
}

impl Snapshot for Open {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn version(&self) -> Version {
        Version::new([self.version])
    }

    fn is_settled(&self) -> bool {
        self.is_settled
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), StoreError> {
        if !self.is_readable {
            return Err(failed(io::ErrorKind::WouldBlock));
        }
        let offset = usize::try_from(offset).expect("in the file");
        let part = self.bytes.get(offset..offset + buffer.len());
        buffer.copy_from_slice(part.ok_or(failed(io::ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn read(&self) -> Result<Vec<u8>, StoreError> {
        Ok(self.bytes.clone())
    }
}

fn failed(kind: io::ErrorKind) -> StoreError {
    StoreError::Io {
        action: "read",
        path: PathBuf::from("partition"),
        source: kind.into(),
    }
}

impl Store for Files {
    fn location(&self) -> &Path {
        Path::new("files")
    }

    fn path_of(&self, _: Partition) -> PathBuf {
        PathBuf::from("partition")
    }

    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state().manifest.bytes.clone())
    }

    fn manifest_version(&self) -> Option<Version> {
        let state = self.state();
        let is_there = state.manifest.bytes.is_some();
        is_there.then(|| Version::new([state.manifest.changed]))
    }

    fn create_manifest(&self, _: &[u8]) -> Result<Vec<u8>, StoreError> {
        unreachable!("it is set")
    }

    fn open(&self, _: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        Ok(self.snapshot(false))
    }

    fn open_cached(&self, _: Partition) -> Option<Box<dyn Snapshot>> {
        self.snapshot(true)
    }

    fn begin(&self, _: Partition) -> Result<Begun, StoreError> {
        Ok(Begun {
            current: self.state().partition.bytes.clone(),
            change: Box::new(self.clone()),
        })
    }

    fn list(&self) -> Result<Vec<Partition>, StoreError> {
        unreachable!("not asked for")
    }
}

impl Change for Files {
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError> {
        let bytes = parts.iter().flat_map(|part| part.iter().copied()).collect();
        let state = &mut *self.state();
        state.partition.set(Some(bytes), state.is_slow);
        Ok(())
    }

    fn confirm(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

#[derive(Clone, Debug)]
enum Step {
    LookUp(usize),
    Save(usize, String),
    /// By hand: so many bytes at a place give way to others.
    Edit(usize, usize, String),
    Remove,
    SpoilManifest(bool),
    Cache(bool),
    Slow(bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        10 => (0..6_usize).prop_map(Step::LookUp),
        3 => (0..6_usize, "[a-c]{1,3}").prop_map(|(i, name)| Step::Save(i, name)),
        1 => (0..900_usize, 0..9_usize, "[a-c\n{}\", ]{0,3}").prop_map(|(at, n, text)| Step::Edit(at, n, text)),
        1 => Just(Step::Remove),
        1 => any::<bool>().prop_map(Step::SpoilManifest),
        1 => prop::bool::weighted(0.8).prop_map(Step::Cache),
        1 => prop::bool::weighted(0.8).prop_map(Step::Slow),
    ];
    prop::collection::vec(step, 1..60)
}

fn email(i: usize) -> CanonicalEmail {
    CanonicalEmail::parse(&format!("customer-{i}@example.com")).expect("an address")
}

fn profile(i: usize, name: &str) -> dex_dir::profile::CustomerProfile {
    dex_dir::profile::CustomerProfile::new(email(i), name, "Acme", "gold").expect("a profile")
}

/// Does it, unless it is a lookup.
fn happen(files: &Files, step: Step) {
    let manifest = |is_spoilt| {
        if is_spoilt {
            b"{}".to_vec()
        } else {
            Manifest::new().to_bytes()
        }
    };
    let mut state = files.state();
    let is_slow = state.is_slow;
    match step {
        Step::LookUp(_) => {}
        Step::Save(i, name) => {
            drop(state);
            let saved = Directory::open(Arc::new(files.clone()))
                .and_then(|directory| directory.upsert(&profile(i, &name)));
            drop(saved);
        }
        Step::Edit(at, length, text) => {
            let Some(mut bytes) = state.partition.bytes.clone() else {
                return;
            };
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, text.into_bytes());
            state.partition.set(Some(bytes), is_slow);
        }
        Step::Remove => state.partition.set(None, is_slow),
        Step::SpoilManifest(is_spoilt) => state.manifest.set(Some(manifest(is_spoilt)), true),
        Step::Cache(is_cached) => state.is_cached = is_cached,
        // Time passes, so that what was young no longer is.
        Step::Slow(is_slow) => {
            state.partition.changed += 1;
            state.is_slow = is_slow;
        }
    }
}

proptest! {
    #[test]
    fn what_is_remembered_never_shows(steps in steps()) {
        let files = Files::default();
        let cache = Cache::new(Arc::new(files.clone()));
        happen(&files, Step::Slow(true));
        happen(&files, Step::Cache(true));
        happen(&files, Step::SpoilManifest(false));
        for step in steps {
            if let Step::LookUp(i) = step {
                let told = |error| format!("{error}");
                let plain = Directory::open(Arc::new(files.clone()));
                let plain = plain.and_then(|plain| plain.get(&email(i))).map_err(told);
                if let Ok(answer) = cache.get_now(&email(i)) {
                    prop_assert_eq!(&Ok(answer), &plain);
                }
                prop_assert_eq!(cache.get(&email(i)).map_err(told), plain);
            } else {
                happen(&files, step);
            }
        }
    }
}

#[test]
fn what_was_looked_up_twice_is_answered_at_once_found_or_not() {
    let files = Files::default();
    let cache = Cache::new(Arc::new(files.clone()));
    happen(&files, Step::Slow(true));
    happen(&files, Step::Cache(true));
    happen(&files, Step::SpoilManifest(false));
    happen(&files, Step::Save(1, "a".to_owned()));
    let not_now = Err(NotNow);
    assert_eq!(cache.get_now(&email(1)), not_now, "is the manifest good?");
    for _ in 0..2 {
        assert_eq!(cache.get(&email(2)).expect("sound"), None);
    }
    assert_eq!(cache.get_now(&email(2)), Ok(None));
    assert!(cache.get_now(&email(1)).expect("known").is_some());
    happen(&files, Step::Cache(false));
    assert_eq!(cache.get_now(&email(1)), not_now, "it is on the disk");
    happen(&files, Step::Slow(false));
    assert_eq!(cache.get_now(&email(2)), not_now, "it is too young");
}
