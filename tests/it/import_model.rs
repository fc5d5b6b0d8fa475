//! Imports against a plain model: whatever is written down in whatever way, and however it arrives.
//! `PROPTEST_CASES=20000 cargo test --release import_model` is the long form.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dex_dir::directory::Directory;
use dex_dir::error::Error;
use dex_dir::import::{self, Events, Format, ImportError, NotSaved, Options, Summary};
use dex_dir::partition::Partition;
use dex_dir::profile::Field;
use dex_dir::store::memory::MemoryStore;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

pub mod style;

use style::{records, styles};

/// Gives as many bytes at a time as it is told, and is interrupted now and then.
struct Dribble<'t> {
    rest: &'t [u8],
    steps: std::iter::Cycle<std::vec::IntoIter<usize>>,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let step = self.steps.next().unwrap_or(1).min(buffer.len());
        if step == 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (now, rest) = self.rest.split_at(step.min(self.rest.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}

/// What was told on the way: the lines of bad records, and the summary at each moment.
#[derive(Default)]
struct Told {
    bad_lines: Vec<u64>,
}

impl Events for Told {
    fn header(&mut self, _line: &[u8]) {}

    fn not_saved(&mut self, record: &NotSaved<'_>) -> io::Result<()> {
        assert!(record.reason.is_some(), "nothing is in conflict");
        self.bad_lines.push(record.line);
        Ok(())
    }

    fn partition_failed(&mut self, partition: Partition, _records: u64, error: &Error) {
        panic!("{partition}: {error}");
    }

    fn progress(&mut self, _bytes: u64, _records: u64) {}
}

fn run(
    directory: &Directory,
    input: &[u8],
    format: Option<Format>,
    batch_bytes: usize,
    steps: Vec<usize>,
) -> (Summary, Result<(), ImportError>, Vec<u64>) {
    let options = Options {
        format,
        batch_bytes,
        wait: Duration::ZERO,
        dry_run: false,
        stop: &AtomicBool::new(false),
    };
    let mut told = Told::default();
    let input = Dribble {
        rest: input,
        steps: steps.into_iter().cycle(),
    };
    let (summary, ended) = import::run(directory, input, &options, &mut told);
    (summary, ended, told.bad_lines)
}

fn started() -> Directory {
    Directory::start(Arc::new(MemoryStore::default())).expect("started")
}

/// How an input arrives: a zero is an interruption.
fn steps() -> impl Strategy<Value = Vec<usize>> {
    vec(select(&[0, 1, 3, 50, 100_000][..]), 1..6).prop_map(|mut steps| {
        steps.push(7);
        steps
    })
}

proptest! {
    #[test]
    fn the_last_record_of_each_address_is_saved_and_the_sum_adds_up(
        records in records(),
        style in styles(),
        batch_bytes in select(&[1, 300, 1_000_000][..]),
        steps in steps(),
    ) {
        let (input, lines) = style.write(&records);
        let directory = started();
        // A table can't be told from nothing, and a single row from JSON, but by its header.
        let format = (style.format == Format::Csv).then_some(Format::Csv);
        let (summary, ended, bad_lines) =
            run(&directory, input.as_bytes(), format, batch_bytes, steps);
        prop_assert!(ended.is_ok(), "{ended:?} {input}");
        let good: Vec<_> = records.iter().filter_map(|r| Some((r.email()?, r))).collect();
        let latest: BTreeMap<_, _> = good.iter().cloned().collect();
        let bad = records.iter().zip(lines).filter(|(record, _)| record.email().is_none());
        prop_assert_eq!(bad_lines, bad.map(|(_, line)| line).collect::<Vec<_>>(), "{}", input);
        let saved = summary.created + summary.updated + summary.unchanged + summary.superseded;
        prop_assert_eq!(summary.read, records.len() as u64);
        prop_assert_eq!(saved, good.len() as u64);
        prop_assert_eq!(summary.rejected, (records.len() - good.len()) as u64);
        prop_assert_eq!(summary.created, latest.len() as u64);
        for (email, record) in latest {
            let found = directory.get(&email).expect("sound").expect("saved");
            let fields = Field::ALL.map(|field| found.field(field));
            let mut expected = record.values();
            expected[0] = email.as_str();
            prop_assert_eq!(fields.each_ref().map(String::as_str), expected);
        }
    }

    #[test]
    fn no_input_panics_and_all_sums_add_up(
        input in prop_oneof![
            vec(any::<u8>(), 0..200),
            "[\\[\\]{}:,\"a\\\\ \r\n0-9]{0,80}".prop_map(String::into_bytes),
            (records(), styles(), any::<prop::sample::Index>(), any::<u8>()).prop_map(
                |(records, style, at, byte)| {
                    let mut input = style.write(&records).0.into_bytes();
                    input.push(b'\n');
                    let at = at.index(input.len());
                    input[at] = byte;
                    input
                }
            ),
        ],
        format in select(&[None, Some(Format::JsonLines), Some(Format::Json), Some(Format::Csv)][..]),
        steps in steps(),
    ) {
        let (summary, _, _) = run(&started(), &input, format, 300, steps);
        prop_assert_eq!(summary.read, summary.settled());
    }
}
