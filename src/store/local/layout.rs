//! Where everything is in a directory on disk: every file name of the project is in this file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::partition::Partition;

/// What a name in a directory is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The manifest.
    Manifest,
    /// A partition.
    Partition(Partition),
    /// What a writer fills that holds this lock.
    Temporary {
        /// The lock.
        lock: PathBuf,
    },
    /// The directory of the locks.
    Locks,
    /// One of the locks.
    Lock,
    /// Nothing that this program knows.
    None,
}

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

    /// What the name of this path, which is in the directory or among its locks, is for. Only exact
    /// names count: nobody looks for `PARTITION-007.JSON`.
    pub(super) fn role_of(&self, path: &Path) -> Role {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let partition = name.split('.').find_map(Partition::from_name);
        match partition {
            Some(p) if path == self.partition(p) => Role::Partition(p),
            Some(p) if path == self.partition_lock(p) => Role::Lock,
            Some(p) if path == self.partition_temporary(p) => Role::Temporary {
                lock: self.partition_lock(p),
            },
            None if path == self.manifest() => Role::Manifest,
            None if path == self.locks() => Role::Locks,
            None if path == self.manifest_lock() => Role::Lock,
            None if path == self.manifest_temporary() => Role::Temporary {
                lock: self.manifest_lock(),
            },
            _ => Role::None,
        }
    }

    /// Whether a person might take the file for a partition.
    pub(super) fn resembles_partition(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.to_ascii_lowercase().contains("partition-")
    }

    /// The partition whose file has this name.
    pub(super) fn partition_of(file_name: &str) -> Option<Partition> {
        Partition::from_name(file_name.strip_suffix(".json")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_role_and_no_other_name_has_one() {
        let layout = Layout::new(PathBuf::from("dir/"));
        let role = |name: &str| layout.role_of(&Path::new("dir").join(name));
        let seventh = Partition::from_name("partition-007").expect("a partition");
        assert_eq!(role("partition-007.json"), Role::Partition(seventh));
        let lock = layout.partition_lock(seventh);
        assert_eq!(role(".partition-007.tmp"), Role::Temporary { lock });
        assert_eq!(role("locks/partition-007.lock"), Role::Lock);
        assert_eq!(role("locks/directory.lock"), Role::Lock);
        assert_eq!(role("directory.json"), Role::Manifest);
        for stray in [
            "PARTITION-007.JSON",
            "partition-7.json",
            "partition-1000.json",
            "partition-007.json~",
            ".partition-007.json.swp",
            "partition-007.lock",
            "locks/partition-007.json",
            "locks/partition-7.lock",
            "locks/locks",
            "directory.lock",
            ".DS_Store",
        ] {
            assert_eq!(role(stray), Role::None, "{stray}");
        }
    }
}
