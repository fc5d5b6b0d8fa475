//! The log on standard error, one line at a time. No line holds an e-mail address, a name, a query
//! or any part of a body; what can't be written is lost, because there is nowhere else to go.

use std::io::{self, Write};
use std::panic;
use std::time::SystemTime;

use crate::escape;

/// What the log is told about a failure and the client isn't; part of a response until it is
/// logged.
#[derive(Clone, Debug)]
pub(super) struct Detail(pub(super) String);

/// Writes one line to the log, with the time before it.
pub(super) fn write_line(text: &str) {
    let now = humantime::format_rfc3339_millis(SystemTime::now());
    // All at once: lines of other threads and processes must not come in between.
    let line = format!("{now} {}\n", escape::text(text));
    let _nowhere_to_go = io::stderr().write_all(line.as_bytes());
}

/// From now on panics of this process are logged by their place alone: their texts can hold what
/// was worked on.
pub fn without_panic_texts() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        write_line(&format!("panicked at {}", place.unwrap_or_default()));
    }));
}
