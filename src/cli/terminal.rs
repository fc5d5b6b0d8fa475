//! How wide the terminal is.

use std::io::{self, IsTerminal};

/// Where nobody tells.
const USUAL: usize = 80;

/// The columns of standard output, found as git does: `COLUMNS` if that is set, else what the
/// terminal says, else 80.
pub(super) fn columns() -> usize {
    let variable = std::env::var("COLUMNS").ok();
    let given = variable.and_then(|columns| columns.parse().ok());
    given
        .filter(|columns| *columns > 0)
        .or_else(of_terminal)
        .unwrap_or(USUAL)
}

fn of_terminal() -> Option<usize> {
    let output = io::stdout();
    let size = output
        .is_terminal()
        .then(|| rustix::termios::tcgetwinsize(&output))?;
    size.ok()
        .map(|size| size.ws_col.into())
        .filter(|columns| *columns > 0)
}
