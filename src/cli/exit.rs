//! Exit statuses: every number of the project is in this file, and none is ever given another
//! meaning.

use std::fmt::Write;

use tokio::signal::unix::SignalKind;

use crate::error::ErrorKind;

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// All was done.
    Done = 0,
    /// There is no such profile.
    NotFound = 1,
    /// The command line itself is wrong.
    Usage = 2,
    /// What was read from a file or from standard input is wrong.
    BadInput = 65,
    /// The directory has no manifest.
    NotStarted = 66,
    /// A file of the directory can't be used as it is.
    Corrupt = 72,
    /// Reading or writing failed.
    Io = 74,
    /// Another writer holds a partition.
    LockConflict = 75,
}

impl ExitStatus {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Done,
        Self::NotFound,
        Self::Usage,
        Self::BadInput,
        Self::NotStarted,
        Self::Corrupt,
        Self::Io,
        Self::LockConflict,
    ];

    /// What it means, as help and README put it.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::NotFound => "not found",
            Self::Usage => {
                "wrong use: an unknown flag, a bad address, an empty field, listening openly"
            }
            Self::BadInput => {
                "bad input data: a record in a file or on standard input, text from `edit`"
            }
            Self::NotStarted => "the directory has not been started",
            Self::Corrupt => {
                "a file in the directory is corrupt, or made by an incompatible version; `verify` found problems"
            }
            Self::Io => "input/output error: disk full, no permission, not a directory, …",
            Self::LockConflict => "lock conflict: try again",
        }
    }

    /// The status of a single operation that failed in this way.
    #[must_use]
    pub fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotStarted => Self::NotStarted,
            ErrorKind::BadManifest | ErrorKind::CorruptPartition => Self::Corrupt,
            ErrorKind::LockConflict => Self::LockConflict,
            ErrorKind::OutOfDescriptors | ErrorKind::Storage | ErrorKind::NotDurable => Self::Io,
        }
    }

    /// The status of a run in which both happened: the one that wants a person's attention more.
    #[must_use]
    pub fn or_worse(self, other: Self) -> Self {
        if other.gravity() > self.gravity() {
            other
        } else {
            self
        }
    }

    fn gravity(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotFound => 1,
            Self::BadInput => 2,
            Self::LockConflict => 3,
            Self::Corrupt => 4,
            Self::Io => 5,
            Self::NotStarted => 6,
            Self::Usage => 7,
        }
    }
}

impl From<ExitStatus> for u8 {
    fn from(status: ExitStatus) -> Self {
        status as Self
    }
}

/// The status after a signal that ends the program at once: what a shell would say if the signal
/// itself had ended it. It stands for no outcome of this program, so it isn't in the table.
pub(super) fn of_signal(signal: SignalKind) -> i32 {
    128 + signal.as_raw_value()
}

/// The table of statuses as the end of the program's help.
pub(super) fn help() -> String {
    let table = ExitStatus::ALL
        .into_iter()
        .fold(String::new(), |mut table, status| {
            // Writing to a string can't fail.
            let _infallible = writeln!(table, "  {:2}  {}", status as u8, status.meaning());
            table
        });
    format!("Exit status:\n{table}\nExample:\n  dex-dir get --email alice@example.com")
}
