//! Why a text was not saved, as a person is told.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::ExitStatus;
use crate::cli::report::{complain, report};
use crate::document::Remark;
use crate::error::Error;
use crate::escape;

/// Why a text was not saved, and must be kept.
pub(super) enum Refusal {
    /// It has these problems.
    Unsound(Vec<Remark>),
    /// Another writer has changed this file since it was opened.
    Outdated(PathBuf),
    /// Saving failed.
    Failed(Error),
    /// The editor failed, or its text can't be read.
    Editor(anyhow::Error),
    /// A signal has asked for the end.
    Stopped,
}

impl Refusal {
    /// Shows each problem of the text at `path`, in the form that editors can jump by.
    pub(super) fn show_problems(&self, path: &Path) {
        let Self::Unsound(problems) = self else {
            return;
        };
        let path = escape::path(path);
        let lines = problems.iter().map(|Remark { position, kind }| {
            let reason = escape::text(&kind.to_string());
            format!("{path}:{}:{}: {reason}\n", position.line, position.column)
        });
        let lines: String = lines.collect();
        // There is nowhere to go with a failure of that.
        let _nowhere_to_go = io::stderr().write_all(lines.as_bytes());
    }

    /// What a person can be asked: whether to edit again, and what.
    pub(super) fn question(&self) -> Option<String> {
        match self {
            Self::Unsound(_) => Some("edit it again".to_owned()),
            Self::Outdated(file) => Some(outdated(file) + "; edit what is there now"),
            Self::Failed(_) | Self::Editor(_) | Self::Stopped => None,
        }
    }

    /// Says why the text was not saved, after where it is `kept`, and with which status that ends.
    pub(super) fn give_up(self, kept: String) -> ExitStatus {
        let (reason, status) = match self {
            Self::Failed(error) => return report(&anyhow::Error::new(error).context(kept)),
            Self::Unsound(problems) => (in_words(problems.len()), ExitStatus::BadInput),
            Self::Outdated(file) => (outdated(&file) + "; try again", ExitStatus::LockConflict),
            Self::Editor(error) => (format!("{error:#}"), ExitStatus::Io),
            // The signal itself ends the program.
            Self::Stopped => ("ended by a signal".to_owned(), ExitStatus::Io),
        };
        complain(&format!("{kept}: {reason}; nothing was changed"));
        status
    }
}

fn in_words(problems: usize) -> String {
    let found = match problems {
        1 => "it has a problem".to_owned(),
        _ => format!("it has {problems} problems"),
    };
    format!("{found}, see above; mend it, and send it again with --through 'cat FILE'")
}

fn outdated(file: &Path) -> String {
    let file = escape::path(file);
    format!("another writer has changed {file} meanwhile")
}
