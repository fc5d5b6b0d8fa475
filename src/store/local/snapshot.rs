//! An open partition file: it stays as it is, because a write replaces the name, not the bytes.

use std::fs::{File, Metadata};
use std::io::Seek;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;

use super::{age, cached, file};
use crate::store::{Snapshot, StoreError, Version};

/// An open partition file.
pub(super) struct LocalSnapshot {
    pub(super) file: File,
    /// From before anything is read: should a person write into the open file meanwhile, old bytes
    /// can't pass for the new state.
    pub(super) metadata: Metadata,
    pub(super) path: PathBuf,
    /// Whether a part that the system would have to read from the disk is an error.
    pub(super) only_cached: bool,
}

impl Snapshot for LocalSnapshot {
    fn size(&self) -> u64 {
        self.metadata.len()
    }

    fn version(&self) -> Version {
        version(&self.metadata)
    }

    fn is_settled(&self) -> bool {
        age::is_settled(&self.metadata)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), StoreError> {
        let read = if self.only_cached {
            cached::read_exact_at(&self.file, buffer, offset)
        } else {
            self.file.read_exact_at(buffer, offset)
        };
        read.map_err(|source| file::io_error("read", &self.path, source))
    }

    fn read(&self) -> Result<Vec<u8>, StoreError> {
        // An earlier call has read to the end.
        let rewound = (&self.file).rewind();
        rewound.map_err(|source| file::io_error("read", &self.path, source))?;
        file::read(&self.file, &self.metadata, &self.path)
    }
}

/// What tells one state of a file from another: a write, even one that sets the times back, leaves a
/// later time of change behind.
pub(super) fn version(metadata: &Metadata) -> Version {
    let m = metadata;
    let words = [m.dev(), m.ino(), m.size()].map(u64::to_le_bytes);
    let times = [m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec()].map(i64::to_le_bytes);
    Version::new([words.as_flattened(), times.as_flattened()].concat())
}
