//! Errors as people see them: one line on standard error that says what, where and what to do next.
//! Wrong use of the command line keeps the form of the library that reads it.

use std::io::{self, Write};

use super::exit::ExitStatus;
use super::output::{Output, OutputError};
use crate::error::{Error, ErrorKind};
use crate::escape;

/// Shows what ended the program, and says with which status.
#[must_use]
pub fn report(error: &anyhow::Error) -> ExitStatus {
    if let Some(usage) = error.downcast_ref::<clap::Error>() {
        return report_usage(usage);
    }
    let Some(known) = error.downcast_ref::<Error>() else {
        complain(&format!("{error:#}"));
        return ExitStatus::Io;
    };
    complain(&format!("{error:#}; {}", advice(known.kind())));
    ExitStatus::of(known.kind())
}

/// Shows one line on standard error. There is nowhere to go with a failure of that.
pub(super) fn complain(message: &str) {
    let _nowhere_to_go = writeln!(io::stderr(), "dex-dir: {}", escape::text(message));
}

fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotStarted => "make it with `dex-dir start`, or name another with --dir",
        ErrorKind::BadManifest => "nothing was changed; name another directory with --dir",
        ErrorKind::CorruptPartition => "nothing was changed; mend the file with `dex-dir edit`",
        ErrorKind::LockConflict => "nothing was changed; try again, or wait with --wait 5s",
        ErrorKind::OutOfDescriptors => "raise the limit of open files (ulimit -n)",
        ErrorKind::Storage => "nothing was changed; check the path, its permissions and the disk",
        ErrorKind::NotDurable => "check the disk, then save it again",
    }
}

/// Help goes to standard output, wrong use to standard error, both as the library words them.
fn report_usage(error: &clap::Error) -> ExitStatus {
    if !error.use_stderr() {
        let written = Output::new().text(&format!("{}\n", error.render().to_string().trim_end()));
        return written.map_or_else(|e: OutputError| report(&e.into()), |()| ExitStatus::Done);
    }
    let text = error.render().to_string();
    let lines: Vec<_> = text.split('\n').map(escape::text).collect();
    let _nowhere_to_go = io::stderr().write_all(lines.join("\n").as_bytes());
    ExitStatus::Usage
}
