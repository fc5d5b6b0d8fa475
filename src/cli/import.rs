//! `dex-dir upsert --from`: the arguments, the messages on the way, and the summary.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use bytesize::ByteSize;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::ExitStatus;
use super::input::Input;
use super::output::Output;
use super::signals;
use crate::directory::Directory;
use crate::import::{self, Format, Options, Summary};

mod messages;
mod rejects;

use messages::Messages;
use rejects::Rejects;

// Many profiles from a file. Not `///`: it would be told of the command that takes it.
#[derive(Debug, clap::Args)]
#[group(required = false, multiple = true)]
pub(super) struct Import {
    /// Save all profiles in this file (-: standard input): JSON Lines, JSON, or CSV with a header
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    from: PathBuf,
    /// The format, if its beginning doesn't tell
    #[arg(long, requires = "from")]
    format: Option<Format>,
    /// Collect the records that were not saved in this new file, for another try; what was not read
    /// any more when the import was stopped, and a line over 16 MiB, isn't among them
    #[arg(long, value_name = "FILE", requires = "from", value_hint = clap::ValueHint::FilePath)]
    rejects: Option<PathBuf>,
    /// Change nothing, and say what would be changed
    #[arg(long, requires = "from")]
    dry_run: bool,
    /// How much is gathered in memory before it is saved
    #[arg(long, value_name = "SIZE", requires = "from", default_value = "256MiB")]
    batch_bytes: ByteSize,
    /// Show no progress and print no summary
    #[arg(long, requires = "from")]
    quiet: bool,
    /// Print the summary as JSON
    #[arg(long, requires = "from")]
    json: bool,
}

impl Import {
    pub(super) fn run(self, directory: &Directory, wait: Duration) -> anyhow::Result<ExitStatus> {
        let input = Input::open(&self.from, "upsert")?;
        // A dry run makes nothing, not even this.
        let rejects = self.rejects.as_deref().filter(|_| !self.dry_run);
        let rejects = rejects.map(Rejects::new).transpose()?;
        let mut messages = Messages::new(&input, self.quiet, rejects);
        let signals = Signals::catch().context("could not catch signals")?;
        let options = Options {
            format: self.format,
            batch_bytes: usize::try_from(self.batch_bytes.as_u64()).unwrap_or(usize::MAX),
            wait,
            dry_run: self.dry_run,
            stop: &signals.caught,
        };
        let (summary, ended) = import::run(directory, input, &options, &mut messages);
        let status = messages.finish(ended).or_worse(status_of(&summary));
        self.print(&summary).context(if self.dry_run {
            "nothing was saved"
        } else {
            "the profiles were saved"
        })?;
        signals.obey();
        Ok(status)
    }

    fn print(&self, summary: &Summary) -> anyhow::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let line = if self.json {
            serde_json::to_string(summary)?
        } else {
            in_words(summary)
        };
        Ok(Output::new().text(&format!("{line}\n"))?)
    }
}

/// One line in which the sum adds up.
fn in_words(summary: &Summary) -> String {
    let parts = summary
        .parts()
        .map(|(name, records)| format!("{records} {name}"));
    format!("{} read: {}", summary.read, parts.join(", "))
}

/// What the counts alone say. What a partition failed of is known better where it was told.
fn status_of(summary: &Summary) -> ExitStatus {
    let status = |records, status| {
        if records > 0 {
            status
        } else {
            ExitStatus::Done
        }
    };
    status(summary.rejected, ExitStatus::BadInput)
        .or_worse(status(summary.in_conflict, ExitStatus::LockConflict))
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::JsonLines, Self::Json, Self::Csv]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::JsonLines => "jsonl",
            Self::Json => "json",
            Self::Csv => "csv",
        }))
    }
}

/// SIGINT and SIGTERM, kept until a good moment; a second one ends the program at once.
struct Signals {
    caught: Arc<AtomicBool>,
    which: Arc<AtomicUsize>,
}

impl Signals {
    fn catch() -> io::Result<Self> {
        let (caught, which) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicUsize::new(0)),
        );
        for (signal, number) in [
            (SIGINT, SIGINT.unsigned_abs()),
            (SIGTERM, SIGTERM.unsigned_abs()),
        ] {
            flag::register_conditional_default(signal, Arc::clone(&caught))?;
            flag::register_usize(signal, Arc::clone(&which), number as usize)?;
            flag::register(signal, Arc::clone(&caught))?;
        }
        Ok(Self { caught, which })
    }

    /// Ends the program as the signal would have, if there was one.
    fn obey(self) {
        if self.caught.load(Ordering::Relaxed) {
            signals::end_by(self.which.load(Ordering::Relaxed));
        }
    }
}
