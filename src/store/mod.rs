//! The seam between a directory and where its bytes are kept: partitions are read without a lock
//! and replaced whole. Bytes cross it, not types, and there is no plain overwrite: nobody can
//! write a partition who hasn't read it in the same change.

use std::fmt;
use std::io::{self, IoSlice};
use std::path::{Path, PathBuf};

use crate::partition::Partition;

pub mod local;
pub mod memory;
mod survey;

pub use survey::{Entry, EntryKind};

/// A back end. All of it is synchronous: locks and files block anyway, and what must be
/// asynchronous hides its own runtime.
pub trait Store: fmt::Debug + Send + Sync {
    /// Where the whole is, for messages.
    fn location(&self) -> &Path;

    /// Where a partition's bytes are, or would be, for messages.
    fn path_of(&self, partition: Partition) -> PathBuf;

    /// The manifest's bytes; `None` if there is none yet.
    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// What tells the manifest's state from another, without reading it; `None` if there is none, or if
    /// it may have changed too lately to be told from what it was before.
    fn manifest_version(&self) -> Option<Version> {
        None
    }

    /// Makes the manifest of these bytes if there is none, and whatever it needs around it.
    /// Answers the bytes that are there afterwards, safe from a power cut. Of many that call it
    /// at once, all get the same answer.
    fn create_manifest(&self, bytes: &[u8]) -> Result<Vec<u8>, StoreError>;

    /// What a partition holds now, without a lock; `None` if it hasn't been written.
    fn open(&self, partition: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError>;

    /// The same, if neither this nor reading it has to wait for a disk; it then fails where it would
    /// have to. `None` says no more than that [`Store::open`] must be asked.
    fn open_cached(&self, _: Partition) -> Option<Box<dyn Snapshot>> {
        None
    }

    /// Whether a partition could be replaced, as far as that shows without the lock: for whoever
    /// is about to work on it for long.
    fn check_replaceable(&self, _: Partition) -> Result<(), StoreError> {
        Ok(())
    }

    /// Begins a change of a partition. Only one change of a partition is ever committed from
    /// one state of it: the loser gets [`StoreError::LockConflict`], here or on committing, and
    /// nobody waits.
    fn begin(&self, partition: Partition) -> Result<Begun, StoreError>;

    /// The partitions that have been written, in order.
    fn list(&self) -> Result<Vec<Partition>, StoreError>;

    /// Everything that is there, in no order, without a lock: besides what [`Store::list`] gives, all
    /// that shouldn't be there. What a writer at work needs is never among it.
    fn survey(&self) -> Result<Vec<Entry>, StoreError> {
        let entry = |partition| Entry {
            path: self.path_of(partition),
            kind: EntryKind::Partition {
                partition,
                is_link: false,
            },
        };
        Ok(self.list()?.into_iter().map(entry).collect())
    }
}

/// One state of a partition, which later writes don't change.
pub trait Snapshot: Send {
    /// Its length in bytes.
    fn size(&self) -> u64;

    /// What tells this state from another of the same partition.
    fn version(&self) -> Version;

    /// Whether its version tells it from every later state, too: not if it is so young that another
    /// change might not show.
    fn is_settled(&self) -> bool {
        true
    }

    /// Fills `buffer` with the bytes from `offset` on. It is an error if there are fewer.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), StoreError>;

    /// All bytes.
    fn read(&self) -> Result<Vec<u8>, StoreError>;
}

/// A change of a partition that was begun: what is there, and the right to replace it.
pub struct Begun {
    /// The bytes that are there; `None` if the partition hasn't been written.
    pub current: Option<Vec<u8>>,
    /// The right to replace them. Dropping it changes nothing.
    pub change: Box<dyn Change>,
}

/// The right to replace a partition's bytes, once.
pub trait Change {
    /// Replaces the bytes by `parts`, one after the other: whole or not at all, whatever
    /// happens. When it returns, the new bytes are safe from a power cut.
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError>;

    /// Leaves the bytes as they are and makes sure that they, too, are safe from a power cut:
    /// they may be another writer's, who hasn't got that far.
    fn confirm(self: Box<Self>) -> Result<(), StoreError>;
}

/// Tells one state of a partition from another. Only equality means something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(Box<[u8]>);

impl Version {
    /// A version of whatever a back end tells states apart by.
    #[must_use]
    pub fn new(tag: impl Into<Box<[u8]>>) -> Self {
        Self(tag.into())
    }
}

/// What can go wrong in a back end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another writer holds the partition. Nothing was changed.
    #[error("{partition} is locked by another writer{}", by(.holder.as_deref()))]
    LockConflict {
        /// The partition.
        partition: Partition,
        /// Who holds it, where the system tells.
        holder: Option<String>,
    },
    /// An operation failed, and nothing was changed.
    #[error("could not {action} {}", crate::escape::path(.path))]
    Io {
        /// What could not be done, as a verb.
        action: &'static str,
        /// To which file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is of a kind that can't be used in this way, and nothing was changed.
    #[error("could not {action} {}: {reason}", crate::escape::path(.path))]
    Unsuitable {
        /// What could not be done, as a verb.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// The new bytes are there and everybody sees them, but the last sync failed.
    #[error("saved to {}, but it may not survive a power cut: could not sync", crate::escape::path(.path))]
    NotDurable {
        /// The file that was saved.
        path: PathBuf,
        /// Why it could not be synced.
        source: io::Error,
    },
}

fn by(holder: Option<&str>) -> String {
    holder
        .map(|holder| format!(" ({})", crate::escape::text(holder)))
        .unwrap_or_default()
}
