//! `dex-dir get --from`: addresses by the batch, so that each partition is read once for all of
//! them, on all cores; answered in the order of the input.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;

use super::missing;
use crate::cli::exit::ExitStatus;
use crate::cli::input::Input;
use crate::cli::output::{Output, OutputError};
use crate::cli::report::complain;
use crate::directory::Directory;
use crate::email::CanonicalEmail;
use crate::error::Error;
use crate::in_order::in_order;
use crate::partition::Partition;
use crate::profile::{CustomerProfile, StoredProfile};

/// How many addresses are looked up together: enough to find several in each partition, and few
/// enough for their answers to be kept in memory.
const BATCH: usize = 100_000;

/// The longest line that is read. No profile has an address that long.
const MAX_LINE_BYTES: u64 = CustomerProfile::MAX_BYTES as u64;

/// Answers all addresses of a file, one a line.
pub(super) fn run(directory: &Directory, path: &Path) -> anyhow::Result<ExitStatus> {
    let input = Input::open(path, "get")?;
    let mut addresses = Addresses {
        name: input.name().to_owned(),
        input: BufReader::new(input),
        line: 0,
        status: ExitStatus::Done,
    };
    let mut output = Output::new();
    let mut status = ExitStatus::Done;
    while !output.is_closed() {
        let batch = addresses
            .next_batch()
            .with_context(|| format!("could not read {}", addresses.name))?;
        if batch.is_empty() {
            break;
        }
        status = status.or_worse(answer_batch(directory, &batch, &mut output)?);
    }
    output.finish()?;
    Ok(status.or_worse(addresses.status))
}

/// The addresses of an input.
struct Addresses<R> {
    name: String,
    input: BufReader<R>,
    line: u64,
    /// What the lines that hold no address make of the run.
    status: ExitStatus,
}

impl<R: Read> Addresses<R> {
    fn next_batch(&mut self) -> io::Result<Vec<CanonicalEmail>> {
        let mut batch = Vec::new();
        let mut line = Vec::new();
        while batch.len() < BATCH && self.read_line(&mut line)? {
            let text = line.trim_ascii();
            if !text.is_empty() {
                batch.extend(self.address(text));
            }
        }
        Ok(batch)
    }

    /// Reads one line, of a line that is too long only the beginning; false at the end.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        let mut beginning = (&mut self.input).take(MAX_LINE_BYTES);
        if beginning.read_until(b'\n', line)? == 0 {
            return Ok(false);
        }
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
        }
        self.line += 1;
        if self.line == 1 && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        Ok(true)
    }

    /// The address that a line holds; one that holds none is told.
    fn address(&mut self, text: &[u8]) -> Option<CanonicalEmail> {
        let reason = if text.len() as u64 >= MAX_LINE_BYTES {
            "the line is too long for an address".to_owned()
        } else {
            // A byte that isn't UTF-8 isn't ASCII either.
            match CanonicalEmail::parse(&String::from_utf8_lossy(text)) {
                Ok(email) => return Some(email),
                Err(error) => error.to_string(),
            }
        };
        complain(&format!("{}, line {}: {reason}", self.name, self.line));
        self.status = self.status.or_worse(ExitStatus::BadInput);
        None
    }
}

/// What was found of one address; nothing if its partition or its profile can't be used.
type Answer = Option<Option<StoredProfile>>;

fn answer_batch(
    directory: &Directory,
    batch: &[CanonicalEmail],
    output: &mut Output,
) -> Result<ExitStatus, OutputError> {
    let mut status = ExitStatus::Done;
    let mut answers: Vec<Answer> = vec![None; batch.len()];
    let look_up = |(partition, places): &(Partition, Vec<usize>)| {
        let emails: Vec<_> = places.iter().map(|&place| &batch[place]).collect();
        (places.clone(), directory.get_all(*partition, &emails))
    };
    let Ok(()) = in_order(&by_partition(batch), look_up, |(places, found)| {
        match found {
            Ok(found) => {
                for (place, found) in places.into_iter().zip(found) {
                    answers[place] = found
                        .map_err(|e| status = status.or_worse(failed(&e, 1)))
                        .ok();
                }
            }
            Err(error) => status = status.or_worse(failed(&error, places.len())),
        }
        Ok::<(), Infallible>(())
    });
    for (email, answer) in batch.iter().zip(answers) {
        match answer {
            Some(Some(profile)) => output.line(profile.as_json())?,
            Some(None) => status = status.or_worse(missing(directory, email)),
            // That was told already.
            None => {}
        }
    }
    Ok(status)
}

/// The places of the addresses in their batch, by partition.
fn by_partition(batch: &[CanonicalEmail]) -> Vec<(Partition, Vec<usize>)> {
    let mut partitions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (place, email) in batch.iter().enumerate() {
        let places = partitions.entry(Partition::of(email)).or_default();
        places.push(place);
    }
    partitions.into_iter().collect()
}

fn failed(error: &Error, addresses: usize) -> ExitStatus {
    complain(&match addresses {
        1 => error.chain(),
        _ => format!("{}; {addresses} addresses have no answer", error.chain()),
    });
    ExitStatus::of(error.kind())
}
