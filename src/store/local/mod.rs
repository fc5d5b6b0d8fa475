//! The back end on a plain directory of a local file system. A writer holds the partition's lock
//! file from before it reads until the new bytes are safe; a reader takes no lock and, because a
//! partition is only ever replaced by rename, never sees half a write.

use std::io::{self, IoSlice};
use std::path::{Path, PathBuf};

use crate::partition::Partition;
use crate::store::{Begun, Change, Entry, Snapshot, Store, StoreError, Version};

mod age;
mod cached;
mod file;
mod layout;
mod left_over;
mod lock;
mod publish;
mod snapshot;
mod survey;

use layout::Layout;
use lock::{Lock, LockFailure};
use snapshot::LocalSnapshot;

/// A directory on a local file system.
#[derive(Debug)]
pub struct LocalStore {
    layout: Layout,
}

impl LocalStore {
    /// The store in `directory`, which need not exist yet. Touches nothing.
    #[must_use]
    pub fn new(directory: PathBuf) -> Self {
        Self {
            layout: Layout::new(directory),
        }
    }
}

impl Store for LocalStore {
    fn location(&self) -> &Path {
        self.layout.directory()
    }

    fn path_of(&self, partition: Partition) -> PathBuf {
        self.layout.partition(partition)
    }

    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.layout.manifest();
        match file::open(&path)? {
            None => Ok(None),
            Some((file, metadata)) => file::read(&file, &metadata, &path).map(Some),
        }
    }

    fn manifest_version(&self) -> Option<Version> {
        let metadata = std::fs::metadata(self.layout.manifest()).ok()?;
        age::is_settled(&metadata).then(|| snapshot::version(&metadata))
    }

    fn create_manifest(&self, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        let manifest = self.layout.manifest();
        // Once made it is never replaced, so there is nothing to lock out.
        if let Some(found) = self.manifest()? {
            publish::confirm(&manifest, self.layout.directory())?;
            return Ok(found);
        }
        file::make_directory(self.layout.directory())?;
        file::make_directory(&self.layout.locks())?;
        let lock = Lock::wait(&self.layout.manifest_lock())?;
        if let Some(found) = self.manifest()? {
            drop(lock);
            publish::confirm(&manifest, self.layout.directory())?;
            return Ok(found);
        }
        let temporary = self.layout.manifest_temporary();
        publish::publish(&manifest, &temporary, &mut [IoSlice::new(bytes)])?;
        Ok(bytes.to_vec())
    }

    fn open(&self, partition: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        let path = self.layout.partition(partition);
        let Some((file, metadata)) = file::open(&path)? else {
            return Ok(None);
        };
        Ok(Some(Box::new(LocalSnapshot {
            file,
            metadata,
            path,
            only_cached: false,
        })))
    }

    fn open_cached(&self, partition: Partition) -> Option<Box<dyn Snapshot>> {
        let path = self.layout.partition(partition);
        let (file, metadata) = cached::open(&path)?;
        Some(Box::new(LocalSnapshot {
            file,
            metadata,
            path,
            only_cached: true,
        }))
    }

    fn check_replaceable(&self, partition: Partition) -> Result<(), StoreError> {
        file::check_replaceable(&self.layout.partition(partition))?;
        file::check_writable(self.layout.directory())
    }

    fn begin(&self, partition: Partition) -> Result<Begun, StoreError> {
        let lock = self.lock(partition)?;
        let path = self.layout.partition(partition);
        file::check_replaceable(&path)?;
        let current = match file::open(&path)? {
            None => None,
            Some((file, metadata)) => Some(file::read(&file, &metadata, &path)?),
        };
        let temporary = self.layout.partition_temporary(partition);
        Ok(Begun {
            current,
            change: Box::new(LocalChange {
                path,
                temporary,
                _lock: lock,
            }),
        })
    }

    fn list(&self) -> Result<Vec<Partition>, StoreError> {
        let directory = self.layout.directory();
        let entries = std::fs::read_dir(directory)
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .map_err(|source| file::io_error("list", directory, source))?;
        let mut partitions: Vec<_> = entries
            .iter()
            .filter_map(|entry| Layout::partition_of(entry.file_name().to_str()?))
            .collect();
        partitions.sort();
        Ok(partitions)
    }

    fn survey(&self) -> Result<Vec<Entry>, StoreError> {
        survey::survey(&self.layout)
    }
}

impl LocalStore {
    /// The lock of a partition, without waiting for it.
    fn lock(&self, partition: Partition) -> Result<Lock, StoreError> {
        let path = self.layout.partition_lock(partition);
        match Lock::try_now(&path) {
            Ok(lock) => Ok(lock),
            Err(LockFailure::Held { holder }) => {
                Err(StoreError::LockConflict { partition, holder })
            }
            Err(LockFailure::Failed(error)) => Err(error),
        }
    }
}

/// A partition whose lock is held. The lock goes last, when all else is done.
struct LocalChange {
    path: PathBuf,
    temporary: PathBuf,
    _lock: Lock,
}

impl Change for LocalChange {
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError> {
        publish::publish(&self.path, &self.temporary, parts)
    }

    fn confirm(self: Box<Self>) -> Result<(), StoreError> {
        publish::remove_left_over(&self.temporary)?;
        publish::confirm(&self.path, publish::directory_of(&self.path))
    }
}
