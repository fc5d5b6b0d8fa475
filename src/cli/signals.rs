//! The signals that end the server: the first asks it to, the second ends it at once.

use std::io;
use std::process;

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
