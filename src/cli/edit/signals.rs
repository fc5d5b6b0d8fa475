//! The signals that would end the program while a person's text is in its hands: kept until the text
//! is saved, or kept and named.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::flag;

use crate::cli::signals;

/// No signal has this number.
const NONE: usize = 0;

/// The signals that were caught since this was made.
pub(super) struct Signals {
    /// From the keyboard: they go to the editor as well, and there they mean something else.
    keyboard: Arc<AtomicUsize>,
    others: Arc<AtomicUsize>,
}

impl Signals {
    pub(super) fn catch() -> io::Result<Self> {
        let [keyboard, others] = [(); 2].map(|()| Arc::new(AtomicUsize::new(NONE)));
        for (signal, caught) in [
            (SIGINT, &keyboard),
            (SIGQUIT, &keyboard),
            (SIGTERM, &others),
            (SIGHUP, &others),
        ] {
            let number = usize::try_from(signal).unwrap_or(NONE);
            flag::register_usize(signal, Arc::clone(caught), number)?;
        }
        Ok(Self { keyboard, others })
    }

    /// The keyboard was the editor's until now.
    pub(super) fn forget_keyboard(&self) {
        self.keyboard.store(NONE, Ordering::Relaxed);
    }

    pub(super) fn is_caught(&self) -> bool {
        self.caught() != NONE
    }

    fn caught(&self) -> usize {
        match self.others.load(Ordering::Relaxed) {
            NONE => self.keyboard.load(Ordering::Relaxed),
            signal => signal,
        }
    }

    /// Ends the program as the signal would have, if there was one.
    pub(super) fn obey(&self) {
        if self.is_caught() {
            signals::end_by(self.caught());
        }
    }
}
