//! Where everything is in a directory on disk: every file name of the project is in this file.

use std::path::{Path, PathBuf};

use crate::partition::Partition;

/// The names in one directory.
#[derive(Debug)]
pub(super) struct Layout {
    directory: PathBuf,
}

impl Layout {
    pub(super) fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.directory.join("directory.json")
    }

    pub(super) fn manifest_temporary(&self) -> PathBuf {
        self.directory.join(".directory.tmp")
    }

    pub(super) fn partition(&self, partition: Partition) -> PathBuf {
        self.directory.join(format!("{partition}.json"))
    }

    pub(super) fn partition_temporary(&self, partition: Partition) -> PathBuf {
        self.directory.join(format!(".{partition}.tmp"))
    }

    pub(super) fn locks(&self) -> PathBuf {
        self.directory.join("locks")
    }

    pub(super) fn manifest_lock(&self) -> PathBuf {
        self.locks().join("directory.lock")
    }

    pub(super) fn partition_lock(&self, partition: Partition) -> PathBuf {
        self.locks().join(format!("{partition}.lock"))
    }

    /// The partition whose file has this name.
    pub(super) fn partition_of(file_name: &str) -> Option<Partition> {
        Partition::from_name(file_name.strip_suffix(".json")?)
    }
}
