//! What a person sees while an import goes on: a progress bar on a terminal, and a line for each
//! record and partition that could not be saved.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::rejects::Rejects;
use crate::cli::exit::ExitStatus;
use crate::cli::input::Input;
use crate::cli::report::complain;
use crate::error::Error;
use crate::import::{Events, ImportError, NotSaved};
use crate::partition::Partition;

/// Shows what happens.
pub(super) struct Messages {
    input: String,
    bar: ProgressBar,
    rejects: Option<Rejects>,
    status: ExitStatus,
}

impl Messages {
    pub(super) fn new(input: &Input, quiet: bool, rejects: Option<Rejects>) -> Self {
        let bar = if quiet || !io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            progress_bar(input.size())
        };
        Self {
            input: input.name().to_owned(),
            bar,
            rejects,
            status: ExitStatus::Done,
        }
    }

    /// Says why the import ended, if it ended early, and which status that and all else makes.
    pub(super) fn finish(self, ended: Result<(), ImportError>) -> ExitStatus {
        self.bar.finish_and_clear();
        let mut status = self.status;
        if let Some(Err(error)) = self.rejects.map(Rejects::finish) {
            complain(&format!(
                "{error:#}; records that were not saved are missing there"
            ));
            status = status.or_worse(ExitStatus::Io);
        }
        let Err(error) = ended else {
            return status;
        };
        let (separator, of_error) = match error {
            ImportError::Malformed { .. } => (", ", ExitStatus::BadInput),
            ImportError::Read(_) | ImportError::NotKept(_) => (": ", ExitStatus::Io),
            // The signal says it all.
            ImportError::Stopped => return status,
        };
        let error = anyhow::Error::new(error);
        complain(&format!(
            "{}{separator}{error:#}; nothing from there on was read",
            self.input
        ));
        status.or_worse(of_error)
    }

    fn complain(&self, message: &str) {
        self.bar.suspend(|| complain(message));
    }
}

impl Events for Messages {
    fn header(&mut self, line: &[u8]) {
        if let Some(rejects) = &mut self.rejects {
            rejects.header(line);
        }
    }

    fn not_saved(&mut self, record: &NotSaved<'_>) -> io::Result<()> {
        if let Some(reason) = record.reason {
            self.complain(&format!(
                "{}, line {}: {reason}; not saved",
                self.input, record.line
            ));
        }
        match (&mut self.rejects, record.text) {
            (Some(rejects), Some(text)) => rejects.add(text),
            _ => Ok(()),
        }
    }

    fn partition_failed(&mut self, _: Partition, records: u64, error: &Error) {
        self.status = self.status.or_worse(ExitStatus::of(error.kind()));
        let chain = error.chain();
        self.complain(&format!(
            "{chain}; this concerns {records} records: try them again"
        ));
    }

    fn progress(&mut self, bytes: u64, records: u64) {
        self.bar.set_position(bytes);
        // A run that is faster than the clock has no speed to show yet.
        let seconds = self.bar.elapsed().as_secs().max(1);
        self.bar.set_message(format!(
            "{records} records, {} a second,",
            records / seconds
        ));
    }
}

/// Bytes of the total, records, and the time left; without a known size what there is of that.
fn progress_bar(size: Option<u64>) -> ProgressBar {
    let template = match size {
        Some(_) => "{wide_bar} {bytes} of {total_bytes}, {msg} {eta} left",
        None => "{spinner} {bytes}, {msg} {elapsed}",
    };
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(size, target);
    // The template is a constant that a test draws.
    bar.with_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
