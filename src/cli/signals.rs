//! The signals that end the server: the first asks it to, the second ends it at once. And the end of
//! whatever else has kept one until it was done.

use std::io;
use std::process;

use signal_hook::consts::SIGTERM;
use signal_hook::low_level;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::exit;

/// SIGTERM and SIGINT, caught from the moment this is made.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Catches the signals. It must be called within a tokio runtime.
    pub(super) fn catch() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Ready at the first signal. From then on the next one ends the process.
    pub(super) async fn first(mut self) {
        self.next().await;
        tokio::spawn(async move {
            let signal = self.next().await;
            process::exit(exit::of_signal(signal));
        });
    }

    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
        }
    }
}

/// Ends the program as this signal would have, had it not been caught.
pub(super) fn end_by(signal: usize) {
    let signal = i32::try_from(signal).unwrap_or(SIGTERM);
    // If it can't be, the program goes on to its end, which is near.
    let _ended = low_level::emulate_default_handler(signal);
}
