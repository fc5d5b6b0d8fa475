//! A store whose changes are counted on their way to another.

use std::io::IoSlice;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::metrics::Metrics;
use crate::partition::Partition;
use crate::store::{Begun, Change, Entry, Snapshot, Store, StoreError, Version};

/// A store whose lock conflicts, bytes and times are counted.
#[derive(Debug)]
pub(super) struct Metered {
    pub(super) store: Arc<dyn Store>,
    pub(super) metrics: Arc<Metrics>,
}

/// A conflict can show when a change is begun or when it is committed.
fn count_conflict<T>(metrics: &Metrics, result: &Result<T, StoreError>) {
    if let Err(StoreError::LockConflict { .. }) = result {
        metrics.lock_conflicts.inc();
    }
}

impl Store for Metered {
    fn location(&self) -> &Path {
        self.store.location()
    }

    fn path_of(&self, partition: Partition) -> PathBuf {
        self.store.path_of(partition)
    }

    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.manifest()
    }

    fn manifest_version(&self) -> Option<Version> {
        self.store.manifest_version()
    }

    fn create_manifest(&self, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.store.create_manifest(bytes)
    }

    fn open(&self, partition: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        self.store.open(partition)
    }

    fn open_cached(&self, partition: Partition) -> Option<Box<dyn Snapshot>> {
        self.store.open_cached(partition)
    }

    fn check_replaceable(&self, partition: Partition) -> Result<(), StoreError> {
        self.store.check_replaceable(partition)
    }

    fn begin(&self, partition: Partition) -> Result<Begun, StoreError> {
        let begun = self.store.begin(partition);
        count_conflict(&self.metrics, &begun);
        let Begun { current, change } = begun?;
        let change = Box::new(MeteredChange {
            change,
            metrics: Arc::clone(&self.metrics),
        });
        Ok(Begun { current, change })
    }

    fn list(&self) -> Result<Vec<Partition>, StoreError> {
        self.store.list()
    }

    fn survey(&self) -> Result<Vec<Entry>, StoreError> {
        self.store.survey()
    }
}

struct MeteredChange {
    change: Box<dyn Change>,
    metrics: Arc<Metrics>,
}

impl Change for MeteredChange {
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError> {
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        let begun = Instant::now();
        let committed = self.change.commit(parts);
        count_conflict(&self.metrics, &committed);
        if committed.is_ok() {
            self.metrics.bytes_rewritten.inc_by(bytes as u64);
            self.metrics
                .commit_time
                .observe(begun.elapsed().as_secs_f64());
        }
        committed
    }

    fn confirm(self: Box<Self>) -> Result<(), StoreError> {
        self.change.confirm()
    }
}
