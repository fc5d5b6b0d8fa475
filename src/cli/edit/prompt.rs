//! A question to the person at the terminal.

use std::io::{self, IsTerminal, Write};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::signals::Signals;

/// Whether there is somebody to ask.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks until the answer is yes or no. Whoever ends the input, or interrupts it, means no.
pub(super) fn agrees(question: &str, signals: &Signals) -> io::Result<bool> {
    loop {
        write!(io::stderr(), "dex-dir: {question} (e), or give up (g)? ")?;
        match answer(signals)?.as_deref().map(str::trim) {
            Some("e") => return Ok(true),
            Some("g") | None => return Ok(false),
            Some(_) => {}
        }
    }
}

/// A line; `None` if there will be none.
fn answer(signals: &Signals) -> io::Result<Option<String>> {
    wait_for_input(signals)?;
    let mut line = String::new();
    if signals.is_caught() || io::stdin().read_line(&mut line)? == 0 {
        writeln!(io::stderr())?;
        return Ok(None);
    }
    Ok(Some(line))
}

/// Waits until there is something to read, or a signal is caught: reading itself would go on after one.
fn wait_for_input(signals: &Signals) -> io::Result<()> {
    let input = io::stdin();
    while !signals.is_caught() {
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], None) {
            Err(Errno::INTR) => {}
            ready => return Ok(ready.map(drop)?),
        }
    }
    Ok(())
}
