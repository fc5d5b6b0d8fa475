//! Many profiles at once, from a file or a stream: read in blocks, parsed on all cores, grouped by
//! partition, and saved with one lock and one replacement per partition and batch.
//!
//! The way of a record: a format (`lines`, `array`, `table`) cuts the input into `block`s;
//! a block becomes profiles and bad records; profiles gather in a `batch` until it is large
//! enough; a batch is saved partition by partition. Of all records of one address the last in
//! input order wins. However long the input is, no more than a batch of it is in memory.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::directory::Directory;
use crate::error::Error;
use crate::in_order::in_order;
use crate::partition::Partition;

mod array;
mod batch;
mod block;
mod format;
mod guard;
mod lines;
mod records;
mod save;
mod summary;
mod table;

use batch::Batch;
use block::{Block, Parsed};
use guard::Guard;
use save::GivenUp;
use table::Columns;

pub use format::Format;
pub use summary::Summary;

/// How an import goes about it.
#[derive(Debug)]
pub struct Options<'a> {
    /// The format of the input; `None` finds out from its beginning.
    pub format: Option<Format>,
    /// About how many bytes of profiles are gathered before they are saved.
    pub batch_bytes: usize,
    /// How long each partition is tried again on a lock conflict.
    pub wait: Duration,
    /// Whether nothing shall be saved, only counted.
    pub dry_run: bool,
    /// Once it is true, no further partition is begun.
    pub stop: &'a AtomicBool,
}

/// What happens on the way, told as it happens.
pub trait Events {
    /// The input has this line above its records, which rejected ones will need again.
    fn header(&mut self, line: &[u8]);
    /// A record was not saved. An error here ends the import.
    fn not_saved(&mut self, record: &NotSaved<'_>) -> io::Result<()>;
    /// This many records were not saved, because their partition could not be.
    fn partition_failed(&mut self, partition: Partition, records: u64, error: &Error);
    /// So many bytes of the input were read by now, and so many records dealt with.
    fn progress(&mut self, bytes: u64, records: u64);
}

/// A record that was not saved.
#[derive(Debug)]
pub struct NotSaved<'a> {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// What is wrong with it; `None` if nothing is, and its partition could not be saved.
    pub reason: Option<&'a str>,
    /// The record as one line of the input's format; `None` if it was too long to keep.
    pub text: Option<&'a [u8]>,
}

/// Why an import ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Reading failed.
    #[error("could not read the input")]
    Read(#[source] io::Error),
    /// What comes from this line on can't be divided into records.
    #[error("line {line}: {reason}")]
    Malformed {
        /// The line.
        line: u64,
        /// What is wrong there.
        reason: String,
    },
    /// A record that was not saved could not be kept for another try.
    #[error("could not keep the records that were not saved")]
    NotKept(#[source] io::Error),
    /// It was asked to stop.
    #[error("stopped before the end of the input")]
    Stopped,
}

/// Saves all profiles of `input`. The summary is true however it ends.
pub fn run(
    directory: &Directory,
    input: impl Read,
    options: &Options<'_>,
    events: &mut dyn Events,
) -> (Summary, Result<(), ImportError>) {
    let guard = Guard::default();
    let mut import = Import::new(directory, options, events, &guard);
    let read = import.read(guard.reader(input, options.stop));
    // What was read before any trouble is saved all the same.
    let finished = import.finish();
    let ended = match finished {
        // The input seemed to end where it was left.
        Err(ImportError::Stopped) => finished,
        _ => read.and(finished),
    };
    (import.summary, ended)
}

/// The bytes of records that are parsed together.
const ROUND_BYTES: usize = 8 << 20;

/// An import under way.
struct Import<'a> {
    directory: &'a Directory,
    options: &'a Options<'a>,
    events: &'a mut dyn Events,
    guard: &'a Guard,
    round: Vec<Block>,
    round_bytes: usize,
    batch: Batch,
    /// What could not be locked, to be tried once more.
    in_conflict: Batch,
    given_up: BTreeMap<Partition, GivenUp>,
    /// The columns of a table, for the records that have to be given back.
    columns: Option<Arc<Columns>>,
    line: u64,
    summary: Summary,
    trouble: Option<io::Error>,
}

impl<'a> Import<'a> {
    fn new(
        directory: &'a Directory,
        options: &'a Options<'a>,
        events: &'a mut dyn Events,
        guard: &'a Guard,
    ) -> Self {
        Self {
            directory,
            options,
            events,
            guard,
            round: Vec::new(),
            round_bytes: 0,
            batch: Batch::default(),
            in_conflict: Batch::default(),
            given_up: BTreeMap::new(),
            columns: None,
            line: 0,
            summary: Summary::default(),
            trouble: None,
        }
    }

    fn read(&mut self, input: impl Read) -> Result<(), ImportError> {
        let (format, input) = format::find(self.options.format, input)?;
        match format {
            Format::JsonLines => lines::read(input, self),
            Format::Json => array::read(input, self),
            Format::Csv => table::read(input, self),
        }
    }

    /// Takes the next records of the input.
    fn push(&mut self, block: Block) -> Result<(), ImportError> {
        self.round_bytes += block.bytes();
        self.round.push(block);
        if self.round_bytes < ROUND_BYTES.min(self.options.batch_bytes) {
            return self.check();
        }
        self.parse_round()?;
        if self.batch.bytes() < self.options.batch_bytes {
            return Ok(());
        }
        self.save_batch()
    }

    /// Saves what was gathered, and tries what was in conflict a last time.
    fn finish(&mut self) -> Result<(), ImportError> {
        let finished = self
            .check()
            .and_then(|()| self.parse_round())
            .and_then(|()| self.save_batch())
            .and_then(|()| self.settle_conflicts());
        self.summary.not_reached += self.batch.len() + self.in_conflict.len();
        finished
    }

    fn parse_round(&mut self) -> Result<(), ImportError> {
        self.round_bytes = 0;
        let round = mem::take(&mut self.round);
        let Ok(()) = in_order(&round, Block::parse, |parsed| {
            self.gather(parsed);
            Ok::<(), Infallible>(())
        });
        self.events
            .progress(self.guard.bytes_read(), self.summary.settled());
        self.check()
    }

    fn gather(&mut self, mut parsed: Parsed) {
        self.summary.read += parsed.good.len() as u64 + parsed.bad.len() as u64;
        for bad in &parsed.bad {
            self.summary.rejected += 1;
            self.tell(&NotSaved {
                line: self.line + bad.line,
                reason: Some(&bad.reason),
                text: bad.text.as_deref(),
            });
        }
        parsed.good.move_down(self.line);
        self.batch.add(parsed.good, &parsed.partitions);
        self.line += parsed.lines;
    }

    /// A failure ends the import at the next check: what is under way is accounted for first.
    fn tell(&mut self, record: &NotSaved<'_>) {
        if let Err(error) = self.events.not_saved(record) {
            self.trouble.get_or_insert(error);
        }
    }

    fn check(&mut self) -> Result<(), ImportError> {
        if let Some(trouble) = self.trouble.take() {
            return Err(ImportError::NotKept(trouble));
        }
        if self.options.stop.load(Ordering::Relaxed) {
            return Err(ImportError::Stopped);
        }
        Ok(())
    }
}
