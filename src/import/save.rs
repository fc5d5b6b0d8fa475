//! A batch is saved: each partition is locked and replaced once, several at a time, because a thread
//! that waits for the disk does nothing else.

use std::collections::HashSet;
use std::mem;
use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::batch::Batch;
use super::records::{Record, Records};
use super::{Import, ImportError, NotSaved, Options};
use crate::directory::Directory;
use crate::document::Outcome;
use crate::error::{Error, ErrorKind};
use crate::partition::Partition;
use crate::retry;

/// How many partitions are saved at a time at the least: most of a save is waiting for the disk.
const MIN_WRITERS: usize = 8;

/// Why nothing more is saved in a partition.
#[derive(Clone, Copy)]
pub(super) enum GivenUp {
    InConflict,
    Failed,
}

/// What became of one partition's records.
struct Settled<'b> {
    partition: Partition,
    /// The latest of each address.
    records: Vec<Record<'b>>,
    superseded: u64,
    result: Result<Vec<Outcome>, Error>,
}

impl Import<'_> {
    /// Saves what was gathered; what was in conflict before comes first, to keep the order.
    pub(super) fn save_batch(&mut self) -> Result<(), ImportError> {
        self.settle_conflicts()?;
        let batch = mem::take(&mut self.batch);
        self.save(&batch, false)
    }

    /// Tries the partitions in conflict again, for the last time.
    pub(super) fn settle_conflicts(&mut self) -> Result<(), ImportError> {
        let batch = mem::take(&mut self.in_conflict);
        self.save(&batch, true)
    }

    fn save(&mut self, batch: &Batch, is_last_try: bool) -> Result<(), ImportError> {
        let queue = Mutex::new(batch.partitions());
        let (sender, settled) = channel();
        let (directory, options, given_up) = (self.directory, self.options, self.given_up.clone());
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            for _ in 0..threads.max(MIN_WRITERS) {
                let (queue, given_up, sender) = (&queue, &given_up, sender.clone());
                scope.spawn(move || {
                    while let Some(partition) = next(queue, options) {
                        let records = batch.records(partition);
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
        let left = left.map(|partition| batch.records(partition).len() as u64);
        self.summary.not_reached += left.sum::<u64>();
        self.check()
    }

    fn account(&mut self, settled: Settled<'_>, is_last_try: bool) {
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
            (None, Err(_)) => self.try_again(partition, &records),
        }
        self.events
            .progress(self.guard.bytes_read(), self.summary.settled());
    }

    fn try_again(&mut self, partition: Partition, records: &[Record<'_>]) {
        let mut kept = Records::default();
        for record in records {
            kept.push(*record);
        }
        self.in_conflict.add(kept, &vec![partition; records.len()]);
    }

    /// A later record that was saved, when an earlier one was not, would be undone by saving the
    /// earlier one after all: so nothing more is saved in that partition.
    fn give_up_partition(
        &mut self,
        partition: Partition,
        records: &[Record<'_>],
        cause: GivenUp,
        error: &Error,
    ) {
        self.given_up.insert(partition, cause);
        self.events
            .partition_failed(partition, records.len() as u64, error);
        self.give_up(records, cause);
    }

    fn give_up(&mut self, records: &[Record<'_>], cause: GivenUp) {
        match cause {
            GivenUp::InConflict => self.summary.in_conflict += records.len() as u64,
            GivenUp::Failed => self.summary.failed += records.len() as u64,
        }
        for &Record { line, profile } in records {
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
fn settle<'b>(
    directory: &Directory,
    partition: Partition,
    mut records: Vec<Record<'b>>,
    options: &Options<'_>,
    is_given_up: bool,
) -> Settled<'b> {
    let superseded = leave_latest(&mut records);
    let profiles: Vec<_> = records.iter().map(|record| record.profile).collect();
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

/// Leaves the latest record of each address, and answers how many others there were.
fn leave_latest(records: &mut Vec<Record<'_>>) -> u64 {
    let mut seen = HashSet::with_capacity(records.len());
    let latest_first = records.iter().rev();
    let is_latest: Vec<_> = latest_first
        .map(|record| seen.insert(record.profile.email()))
        .collect();
    let before = records.len();
    let mut is_latest = is_latest.into_iter().rev();
    records.retain(|_| is_latest.next() == Some(true));
    (before - records.len()) as u64
}
