//! What can go wrong with a directory, and of what kind it is: the kinds are what exit statuses and
//! HTTP statuses are made from. No text here repeats any customer's data, so all of it may be logged.

use std::io;
use std::iter::successors;
use std::path::PathBuf;

use crate::document::Corrupt;
use crate::manifest::ManifestError;
use crate::store::StoreError;

/// Why an operation on a directory failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no manifest.
    #[error("{} has not been started", crate::escape::path(.directory))]
    NotStarted {
        /// The directory.
        directory: PathBuf,
    },
    /// There is a manifest, but not one to work with.
    #[error("can't use {}", crate::escape::path(.directory))]
    Manifest {
        /// The directory.
        directory: PathBuf,
        /// What is wrong with its manifest.
        source: ManifestError,
    },
    /// A partition file, or the profile that was asked for, is corrupt. The file is as it was.
    #[error("{} is corrupt", crate::escape::path(.path))]
    Partition {
        /// The partition file.
        path: PathBuf,
        /// What is wrong, and where.
        source: Corrupt,
    },
    /// The back end failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The kinds of [`Error`]: what a caller can do about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Start the directory first.
    NotStarted,
    /// Use another directory, or another version of the program.
    BadManifest,
    /// Repair the partition file, with `edit` for instance.
    CorruptPartition,
    /// Try again: another writer holds the partition.
    LockConflict,
    /// Try again later: the process has no file descriptors left.
    OutOfDescriptors,
    /// See to the disk or its permissions.
    Storage,
    /// See to the disk: what was saved is there, but may not survive a power cut.
    NotDurable,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::NotStarted,
        Self::BadManifest,
        Self::CorruptPartition,
        Self::LockConflict,
        Self::OutOfDescriptors,
        Self::Storage,
        Self::NotDurable,
    ];
}

impl Error {
    /// Its text and those of all its causes, on one line.
    #[must_use]
    pub fn chain(&self) -> String {
        let causes = successors(Some(self as &dyn std::error::Error), |error| error.source());
        let texts: Vec<_> = causes.map(ToString::to_string).collect();
        texts.join(": ")
    }

    /// Of what kind it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotStarted { .. } => ErrorKind::NotStarted,
            Self::Manifest { .. } => ErrorKind::BadManifest,
            Self::Partition { .. } => ErrorKind::CorruptPartition,
            Self::Store(StoreError::LockConflict { .. }) => ErrorKind::LockConflict,
            Self::Store(StoreError::NotDurable { .. }) => ErrorKind::NotDurable,
            Self::Store(StoreError::Io { source, .. }) if is_out_of_descriptors(source) => {
                ErrorKind::OutOfDescriptors
            }
            Self::Store(StoreError::Io { .. } | StoreError::Unsuitable { .. }) => {
                ErrorKind::Storage
            }
        }
    }
}

fn is_out_of_descriptors(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let codes = [Errno::MFILE, Errno::NFILE].map(|errno| Some(errno.raw_os_error()));
    codes.contains(&error.raw_os_error())
}
