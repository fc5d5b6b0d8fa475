//! The advisory lock of a partition: `flock(2)` on a file beside the data, opened anew for each
//! write (a handle that is shared would lock again successfully) and never removed (a lock on a
//! removed file excludes nobody).

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

use fs4::{FileExt, TryLockError};

use super::file::{io_error, parent_of};
use crate::store::StoreError;

mod holder;

/// A lock that is held until this is dropped, or the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Why a lock could not be had.
pub(super) enum LockFailure {
    /// Somebody else has it.
    Held {
        /// Who, where the system tells.
        holder: Option<String>,
    },
    /// Anything else.
    Failed(StoreError),
}

impl Lock {
    /// Takes the lock now or not at all.
    pub(super) fn try_now(path: &Path) -> Result<Self, LockFailure> {
        let file = open(path).map_err(LockFailure::Failed)?;
        // By its full path: the standard library has a method of this name.
        match retry_interrupted(|| FileExt::try_lock(&file)) {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockFailure::Held {
                holder: holder::describe(&file),
            }),
            Err(TryLockError::Error(source)) => {
                Err(LockFailure::Failed(io_error("lock", path, source)))
            }
        }
    }

    /// Waits until the lock is free.
    pub(super) fn wait(path: &Path) -> Result<Self, StoreError> {
        let file = open(path)?;
        loop {
            match FileExt::lock(&file) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(io_error("lock", path, source)),
            }
        }
    }
}

/// Whether anybody holds the lock, found out without taking it; `None` where the system doesn't tell.
pub(super) fn is_held(path: &Path) -> Option<bool> {
    match fs::metadata(path) {
        Ok(metadata) => holder::is_known(&metadata),
        // Nobody can hold what isn't there.
        Err(error) => (error.kind() == ErrorKind::NotFound).then_some(false),
    }
}

/// Opens the lock file, making it if needed. Whoever may not write it can lock it all the same.
fn open(path: &Path) -> Result<File, StoreError> {
    let read_write = || {
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
    };
    let file = match read_write() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_locks_directory(parent_of(path))?;
            read_write()
        }
        Err(error) if is_read_only(&error) => File::open(path).map_err(|_| error),
        opened => opened,
    };
    file.map_err(|source| io_error("open", path, source))
}

/// A directory that was copied without its locks gets them back. What is lost with it in a power
/// cut is nothing: locks don't outlive their processes.
fn make_locks_directory(path: &Path) -> Result<(), StoreError> {
    match fs::create_dir(path) {
        Err(source) if source.kind() != ErrorKind::AlreadyExists => {
            Err(io_error("make directory", path, source))
        }
        _ => Ok(()),
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

/// `flock` without waiting can be interrupted all the same on some file systems.
fn retry_interrupted(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    match lock() {
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => lock(),
        result => result,
    }
}
