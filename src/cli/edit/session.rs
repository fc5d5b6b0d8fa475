//! Saving a text that came back, whether from a person or from a command.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::refusal::Refusal;
use crate::cli::exit::ExitStatus;
use crate::cli::output::Output;
use crate::cli::report::{complain, report};
use crate::directory::{Directory, Replacement};
use crate::edit::{Change, Edit, Verdict};
use crate::error::Error;
use crate::escape;
use crate::partition::Partition;
use crate::retry;

/// What is to be edited.
pub(super) struct Session {
    pub(super) directory: Directory,
    pub(super) partition: Partition,
    /// How long a lock conflict is waited out.
    pub(super) wait: Duration,
}

impl Session {
    /// Opens what is there now.
    pub(super) fn open(&self) -> Result<Edit<'_>, Error> {
        Edit::open(&self.directory, self.partition)
    }

    /// Saves `text` and prints what that changed, unless it says nothing new. All for which a text must be
    /// kept is a refusal. Once `is_stopped` says so, no lock is waited for.
    pub(super) fn settle(
        &self,
        edit: &Edit<'_>,
        text: &[u8],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<anyhow::Result<ExitStatus>, Refusal> {
        let (document, changes) = match edit.judge(text) {
            Ok(Verdict::Sound { document, changes }) => (document, changes),
            Ok(Verdict::Unsound(problems)) => return Err(Refusal::Unsound(problems)),
            Ok(Verdict::Unchanged) => {
                complain(&format!(
                    "{}: nothing was changed",
                    escape::path(&edit.path())
                ));
                return Ok(Ok(ExitStatus::Done));
            }
            Err(error) => return Ok(Ok(report(&error.into()))),
        };
        let replacement = retry::on_lock_conflict(self.wait, || {
            (!is_stopped()).then(|| edit.save(&document)).transpose()
        });
        match replacement {
            Ok(Some(Replacement::Done)) => Ok(print(&changes, &edit.path())),
            Ok(Some(Replacement::Outdated)) => Err(Refusal::Outdated(edit.path())),
            Ok(None) => Err(Refusal::Stopped),
            Err(error) => Err(Refusal::Failed(error)),
        }
    }
}

fn print(changes: &[Change], path: &Path) -> anyhow::Result<ExitStatus> {
    let mut output = Output::new();
    let mut lines = changes.iter().map(|change| line(change, path));
    lines
        .try_for_each(|line| output.line(&line))
        .and_then(|()| output.finish())
        .with_context(|| format!("{} was saved", escape::path(path)))?;
    Ok(ExitStatus::Done)
}

fn line(change: &Change, path: &Path) -> String {
    match change {
        Change::Added(key) => format!("added\t{}", escape::text(key)),
        Change::Changed(key) => format!("changed\t{}", escape::text(key)),
        Change::Removed(key) => format!("removed\t{}", escape::text(key)),
        Change::OtherMembers => format!("changed\t{}", escape::path(path)),
        Change::Repaired => format!("repaired\t{}", escape::path(path)),
    }
}
