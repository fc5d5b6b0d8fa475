//! What the real program did to the disk, call by call, from a trace of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::calls::Call;

/// What a call does to what is on the disk. Paths are below the root of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Makes a file if there is none.
    Create(PathBuf),
    MakeDirectory(PathBuf),
    /// Writes to the end of a file.
    Write(PathBuf, Vec<u8>),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    Sync(PathBuf),
    /// Tells somebody outside that the work is done.
    Report,
}

/// One operation, and the places in the trace where its call began and ended.
#[derive(Clone, Debug)]
pub struct Step {
    pub operation: Operation,
    pub begun: usize,
    pub ended: usize,
}

impl Step {
    /// Where it counts: a report and a change when they begin, a sync only when it has ended.
    pub fn place(&self) -> usize {
        match self.operation {
            Operation::Sync(_) => self.ended,
            _ => self.begun,
        }
    }
}

/// The steps of a trace that concern what is below `root`, or report.
pub fn steps(calls: &[Call], root: &Path) -> Vec<Step> {
    let roots = Roots {
        given: root.to_owned(),
        real: fs::canonicalize(root).expect("a folder"),
    };
    let calls = calls.iter().filter(|call| !call.failed());
    let steps = calls.filter_map(|call| {
        Some(Step {
            operation: roots.operation(call)?,
            begun: call.begun,
            ended: call.ended,
        })
    });
    // A sync that the program didn't live to see made nothing safe.
    steps.filter(|step| step.place() != usize::MAX).collect()
}

/// One folder, as the program was told of it and as the system calls it.
struct Roots {
    given: PathBuf,
    real: PathBuf,
}

impl Roots {
    fn operation(&self, call: &Call) -> Option<Operation> {
        match &*call.name {
            "openat" if call.has(&["O_CREAT"]) => {
                assert!(!call.has(&["O_TRUNC"]), "not foreseen: {}", call.text());
                self.named(call, 0).map(Operation::Create)
            }
            "mkdir" | "mkdirat" => self.named(call, 0).map(Operation::MakeDirectory),
            "unlink" | "unlinkat" => self.named(call, 0).map(Operation::Remove),
            "rename" | "renameat" | "renameat2" => {
                let (from, to) = (self.named(call, 0)?, self.named(call, 1)?);
                Some(Operation::Rename(from, to))
            }
            "fsync" | "fdatasync" => self.open(call).map(Operation::Sync),
            "write" | "writev" | "sendto" if is_report(call) => Some(Operation::Report),
            "write" | "writev" => {
                let bytes = call.strings().concat();
                assert!(
                    [bytes.len().to_string(), "?".to_owned()].contains(&call.result().to_owned())
                );
                Some(Operation::Write(self.open(call)?, bytes))
            }
            name => {
                assert!(
                    !NOT_FORESEEN.contains(&name),
                    "not foreseen: {}",
                    call.text()
                );
                None
            }
        }
    }

    /// The path that is a call's nth string.
    fn named(&self, call: &Call, nth: usize) -> Option<PathBuf> {
        let path = String::from_utf8(call.strings().swap_remove(nth)).expect("UTF-8");
        self.below(&self.given.join(path))
    }

    /// The open file that a call is given.
    fn open(&self, call: &Call) -> Option<PathBuf> {
        self.below(call.open_files().first()?)
    }

    fn below(&self, path: &Path) -> Option<PathBuf> {
        let below = path.strip_prefix(&self.given);
        let below = below.or_else(|_| path.strip_prefix(&self.real));
        below.ok().map(Path::to_owned)
    }
}

/// Whether a call writes to standard output, or answers a request with success.
fn is_report(call: &Call) -> bool {
    call.has(&["(1<"]) || call.has(&["<socket:", "\"HTTP/1.1 200 "])
}

/// What changes or syncs files in ways that no recording knows of.
const NOT_FORESEEN: [&str; 15] = [
    "copy_file_range",
    "creat",
    "fallocate",
    "ftruncate",
    "link",
    "linkat",
    "open",
    "pwrite64",
    "pwritev",
    "sendfile",
    "symlink",
    "symlinkat",
    "sync",
    "sync_file_range",
    "syncfs",
];
