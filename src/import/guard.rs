//! A watch on the input: how much was read, that no single record takes all memory, as one with a
//! quote that is never closed would, and that it ends when the import is asked to stop.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};

/// The most bytes that one record may take in the input, white space and escapes included.
pub(super) const MAX_RECORD_BYTES: u64 = 16 << 20;

/// What is known of the input so far.
#[derive(Debug, Default)]
pub(super) struct Guard {
    bytes: Cell<u64>,
    marked: Cell<u64>,
}

impl Guard {
    /// `input`, watched.
    pub(super) fn reader<'a, R: Read>(&'a self, input: R, stop: &'a AtomicBool) -> Watched<'a, R> {
        Watched {
            input,
            guard: self,
            stop,
        }
    }

    /// How many bytes were read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes.get()
    }

    /// A record has ended: the next one may be as long again.
    pub(super) fn mark(&self) {
        self.marked.set(self.bytes.get());
    }
}

/// An input that is watched.
pub(super) struct Watched<'a, R> {
    input: R,
    guard: &'a Guard,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Guard { bytes, marked } = self.guard;
        if bytes.get() - marked.get() > MAX_RECORD_BYTES {
            let text = format!("a record is longer than {} MiB", MAX_RECORD_BYTES >> 20);
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        while !self.stop.load(Ordering::Relaxed) {
            match self.input.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    bytes.set(bytes.get() + *read.as_ref().unwrap_or(&0) as u64);
                    return read;
                }
            }
        }
        Ok(0)
    }
}
