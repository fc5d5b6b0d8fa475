//! A watch on the input: how much was read, on which line that is, and that no single record takes
//! all memory, as one with a quote that is never closed would.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};

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
    pub(super) fn reader<R: Read>(&self, input: R) -> Watched<'_, R> {
        Watched { input, guard: self }
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
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Guard { bytes, marked } = self.guard;
        if bytes.get() - marked.get() > MAX_RECORD_BYTES {
            let text = format!("a record is longer than {} MiB", MAX_RECORD_BYTES >> 20);
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        let read = self.input.read(buffer)?;
        bytes.set(bytes.get() + read as u64);
        Ok(read)
    }
}
