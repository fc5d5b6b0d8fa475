//! What a survey of a back end finds: everything that is there, told apart by what it is to a
//! directory.

use std::io;
use std::path::PathBuf;

use crate::partition::Partition;

/// Something that is there.
#[derive(Debug)]
pub struct Entry {
    /// Where, for messages.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
}

/// What something that is there is to a directory.
#[derive(Debug)]
pub enum EntryKind {
    /// The manifest.
    Manifest,
    /// A partition that has been written. Whether it can be read shows when it is opened.
    Partition {
        /// Which.
        partition: Partition,
        /// Whether its bytes are kept elsewhere, so that it can be read and not replaced.
        is_link: bool,
    },
    /// What a writer left that was killed. The next save of the partition removes it.
    LeftOver,
    /// Something in the place of what every save needs, but of another kind.
    Obstacle,
    /// Something that can't be examined.
    Unreadable(io::Error),
    /// Nothing of the directory's, though it may look like a partition.
    Stray {
        /// Whether a person might take it for one.
        resembles_partition: bool,
    },
}
