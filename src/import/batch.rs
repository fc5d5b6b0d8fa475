//! A batch: the profiles that are saved together, by partition. Each partition is locked and
//! replaced once, several at a time, because a thread that waits for the disk does nothing else.

use std::collections::BTreeMap;
use std::mem;
use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::block::Parsed;
use super::records::Records;
use super::{Import, ImportError, NotSaved, Options};
use crate::directory::Directory;
use crate::document::Outcome;
use crate::error::{Error, ErrorKind};
use crate::partition::Partition;
use crate::retry;

/// How many partitions are saved at a time at the least: most of a save is waiting for the disk.
const MIN_WRITERS: usize = 8;

/// Profiles by partition, each partition's in input order.
#[derive(Default)]
pub(super) struct Batch {
    partitions: BTreeMap<Partition, Records>,
    bytes: usize,
}

impl Batch {
    /// Adds the records of a block; `line` is where the lines of the block begin.
    pub(super) fn extend(&mut self, parsed: &Parsed, line: u64) {
        for ((place, profile), partition) in parsed.good.iter().zip(&parsed.partitions) {
            self.bytes += Records::bytes_of(profile);
            let records = self.partitions.entry(*partition).or_default();
            records.push(line + place, profile);
        }
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many records there are.
    pub(super) fn records(&self) -> u64 {
        let records = self.partitions.values();
        records.map(|records| records.len() as u64).sum()
    }
}

/// Why nothing more is saved in a partition.
#[derive(Clone, Copy)]
pub(super) enum GivenUp {
    InConflict,
    Failed,
}

/// What became of one partition's records.
struct Settled {
    partition: Partition,
    /// The latest of each address.
    records: Records,
    superseded: u64,
    result: Result<Vec<Outcome>, Error>,
}

impl Import<'_> {
    /// Saves what was gathered; what was in conflict before comes first, to keep the order.
    pub(super) fn save_batch(&mut self) -> Result<(), ImportError> {
        self.settle_conflicts()?;
        let batch = mem::take(&mut self.batch);
        self.save(batch, false)
    }

    /// Tries the partitions in conflict again, for the last time.
    pub(super) fn settle_conflicts(&mut self) -> Result<(), ImportError> {
        let batch = mem::take(&mut self.in_conflict);
        self.save(batch, true)
    }

    fn save(&mut self, batch: Batch, is_last_try: bool) -> Result<(), ImportError> {
        let queue = Mutex::new(batch.partitions.into_iter());
        let (sender, settled) = channel();
        let (directory, options, given_up) = (self.directory, self.options, self.given_up.clone());
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            for _ in 0..threads.max(MIN_WRITERS) {
                let (queue, given_up, sender) = (&queue, &given_up, sender.clone());
                scope.spawn(move || {
                    while let Some((partition, records)) = next(queue, options) {
                        let is_given_up = given_up.contains_key(&partition);
                        let settled = settle(directory, partition, records, options, is_given_up);
                        // The other end hears all of it before it goes.
                        let _heard = sender.send(settled);
                    }
                });
            }
            drop(sender);
            for settled in settled {
                self.account(settled, is_last_try);
            }
        });
        let left = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.summary.not_reached += left.map(|(_, records)| records.len() as u64).sum::<u64>();
        self.check()
    }

    fn account(&mut self, settled: Settled, is_last_try: bool) {
        let Settled {
            partition,
            records,
            superseded,
            result,
        } = settled;
        self.summary.superseded += superseded;
        match (self.given_up.get(&partition), result) {
            (Some(&cause), _) => self.give_up(&records, cause),
            (None, Ok(outcomes)) => outcomes.into_iter().for_each(|o| self.summary.saved(o)),
            (None, Err(error)) if error.kind() != ErrorKind::LockConflict => {
                self.give_up_partition(partition, &records, GivenUp::Failed, &error);
            }
            (None, Err(error)) if is_last_try => {
                self.give_up_partition(partition, &records, GivenUp::InConflict, &error);
            }
            (None, Err(_)) => drop(self.in_conflict.partitions.insert(partition, records)),
        }
        self.events
            .progress(self.guard.bytes_read(), self.summary.settled());
    }

    /// A later record that was saved, when an earlier one was not, would be undone by saving the
    /// earlier one after all: so nothing more is saved in that partition.
    fn give_up_partition(
        &mut self,
        partition: Partition,
        records: &Records,
        cause: GivenUp,
        error: &Error,
    ) {
        self.given_up.insert(partition, cause);
        self.events
            .partition_failed(partition, records.len() as u64, error);
        self.give_up(records, cause);
    }

    fn give_up(&mut self, records: &Records, cause: GivenUp) {
        match cause {
            GivenUp::InConflict => self.summary.in_conflict += records.len() as u64,
            GivenUp::Failed => self.summary.failed += records.len() as u64,
        }
        for (line, profile) in records.iter() {
            let text = match &self.columns {
                Some(columns) => columns.row(profile),
                None => profile.as_json().as_bytes().to_vec(),
            };
            self.tell(&NotSaved {
                line,
                reason: None,
                text: Some(&text),
            });
        }
    }
}

/// The next partition to save, until there is none or the import is stopped.
fn next<T>(queue: &Mutex<impl Iterator<Item = T>>, options: &Options<'_>) -> Option<T> {
    if options.stop.load(Ordering::Relaxed) {
        return None;
    }
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Saves one partition's records, unless it was given up.
fn settle(
    directory: &Directory,
    partition: Partition,
    records: Records,
    options: &Options<'_>,
    is_given_up: bool,
) -> Settled {
    let (records, superseded) = records.latest();
    let profiles: Vec<_> = records.iter().map(|(_, profile)| profile).collect();
    let result = if is_given_up {
        Ok(Vec::new())
    } else if options.dry_run {
        directory.preview(partition, &profiles)
    } else {
        retry::on_lock_conflict(options.wait, || directory.upsert_all(partition, &profiles))
    };
    Settled {
        partition,
        records,
        superseded,
        result,
    }
}
