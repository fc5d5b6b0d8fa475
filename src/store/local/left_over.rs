//! Telling the temporary file of a writer that was killed from that of a writer at work, without
//! taking the lock: whoever only looks must not be in a writer's way.
//!
//! A writer at work holds the partition's lock for as long as its temporary file is there. So a file
//! is left over if it stays the same file while nobody is seen to hold the lock. Each is watched for
//! [`WATCH`], because holders in another container aren't seen, and because a file that is made in
//! the same moment may get the same number and times. Where the system doesn't tell who holds a
//! lock, a file must also be as old as [`OLD`].

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::{age, lock};

/// How long a file must stay as it is: longer than a writer at work needs to rename it.
const WATCH: Duration = Duration::from_secs(1);

/// Between two looks. Files of writers at work are gone after the first few.
const PAUSE: Duration = Duration::from_millis(20);

/// How old a file is that no writer at work can still be filling.
const OLD: Duration = Duration::from_mins(1);

/// A temporary file, as it was when it was seen first.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    lock: PathBuf,
    identity: Identity,
}

#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl Temporary {
    /// The temporary file at `path`, whose writer holds `lock`; `None` if it is gone.
    pub(super) fn at(path: &Path, lock: PathBuf) -> Option<Self> {
        Some(Self {
            identity: Identity::of(path)?,
            path: path.to_owned(),
            lock,
        })
    }

    fn seems_left_over(&self) -> bool {
        let is_free = match lock::is_held(&self.lock) {
            Some(held) => !held,
            None => self.identity.is_old(),
        };
        // Last, so that a writer who was at work when the lock was looked at has been seen.
        is_free && Identity::of(&self.path).as_ref() == Some(&self.identity)
    }
}

/// Those of these files that no writer will come back to.
pub(super) fn among(mut temporaries: Vec<Temporary>) -> Vec<PathBuf> {
    let begun = Instant::now();
    loop {
        temporaries.retain(Temporary::seems_left_over);
        if temporaries.is_empty() || begun.elapsed() >= WATCH {
            break;
        }
        thread::sleep(PAUSE);
    }
    temporaries.into_iter().map(|t| t.path).collect()
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::symlink_metadata(path).ok()?;
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    fn is_old(&self) -> bool {
        age::since(self.changed.0).is_some_and(|age| age >= OLD)
    }
}
