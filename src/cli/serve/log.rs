//! Where the server's log goes: to standard error, a line an event, as text or JSON.

use std::io;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_subscriber::fmt;

/// How a line is laid out.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs: one object a line
    Json,
}

/// What is told at all.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Level {
    /// Nothing
    Off,
    /// Failures that the operator should see to
    Error,
    /// And what is unusual
    Warn,
    /// And every request
    Info,
    /// And what the libraries tell
    Debug,
    /// And more of that
    Trace,
}

/// Sends the log to standard error. Nobody waits for it: what can't be written as fast as it comes,
/// or any more, is lost. What is under way is written when the guard is dropped.
pub(super) fn begin(format: Format, level: Level) -> WorkerGuard {
    let (out, guard) = NonBlocking::new(io::stderr());
    let log = fmt()
        .with_writer(out)
        .with_max_level(LevelFilter::from(level));
    let log = log.with_target(false).with_ansi(false);
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().flatten_event(true).init(),
    }
    guard
}

impl From<Level> for LevelFilter {
    fn from(level: Level) -> Self {
        match level {
            Level::Off => Self::OFF,
            Level::Error => Self::ERROR,
            Level::Warn => Self::WARN,
            Level::Info => Self::INFO,
            Level::Debug => Self::DEBUG,
            Level::Trace => Self::TRACE,
        }
    }
}
