//! A back end in memory: for tests, and the plainest statement of what a back end must do. It
//! keeps nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IoSlice};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Begun, Change, Snapshot, Store, StoreError, Version};
use crate::partition::Partition;

/// A directory that lives as long as this value and its clones.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    manifest: Option<Vec<u8>>,
    partitions: BTreeMap<Partition, Stored>,
    locked: BTreeSet<Partition>,
    commits: u64,
}

#[derive(Clone, Debug)]
struct Stored {
    bytes: Arc<[u8]>,
    version: u64,
}

impl MemoryStore {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds it can leave it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn location(&self) -> &Path {
        Path::new("memory")
    }

    fn path_of(&self, partition: Partition) -> PathBuf {
        self.location().join(format!("{partition}.json"))
    }

    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state().manifest.clone())
    }

    fn create_manifest(&self, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        Ok(self
            .state()
            .manifest
            .get_or_insert_with(|| bytes.to_vec())
            .clone())
    }

    fn open(&self, partition: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        let stored = self.state().partitions.get(&partition).cloned();
        Ok(stored.map(|stored| Box::new(stored) as Box<dyn Snapshot>))
    }

    fn begin(&self, partition: Partition) -> Result<Begun, StoreError> {
        let mut state = self.state();
        if !state.locked.insert(partition) {
            return Err(StoreError::LockConflict {
                partition,
                holder: None,
            });
        }
        let current = state
            .partitions
            .get(&partition)
            .map(|stored| stored.bytes.to_vec());
        let change = MemoryChange {
            store: self.clone(),
            partition,
        };
        Ok(Begun {
            current,
            change: Box::new(change),
        })
    }

    fn list(&self) -> Result<Vec<Partition>, StoreError> {
        Ok(self.state().partitions.keys().copied().collect())
    }
}

impl Snapshot for Stored {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn version(&self) -> Version {
        Version::new(self.version.to_le_bytes())
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), StoreError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = self
            .bytes
            .get(start..)
            .and_then(|rest| rest.get(..buffer.len()));
        let found = found.ok_or_else(|| StoreError::Io {
            action: "read",
            path: PathBuf::from("memory"),
            source: io::ErrorKind::UnexpectedEof.into(),
        })?;
        buffer.copy_from_slice(found);
        Ok(())
    }

    fn read(&self) -> Result<Vec<u8>, StoreError> {
        Ok(self.bytes.to_vec())
    }
}

struct MemoryChange {
    store: MemoryStore,
    partition: Partition,
}

impl Change for MemoryChange {
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError> {
        let bytes = parts.iter().flat_map(|part| part.iter().copied()).collect();
        let mut state = self.store.state();
        state.commits += 1;
        let stored = Stored {
            bytes,
            version: state.commits,
        };
        state.partitions.insert(self.partition, stored);
        drop(state);
        Ok(())
    }

    fn confirm(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Drop for MemoryChange {
    fn drop(&mut self) {
        self.store.state().locked.remove(&self.partition);
    }
}
