//! Standard output. Whoever has closed it wants no more, which is no error; any other failure to
//! write is one.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// Results on their way to standard output.
pub(super) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    is_closed: bool,
}

/// Standard output can't be written.
#[derive(Debug, thiserror::Error)]
#[error("could not write to standard output")]
pub(super) struct OutputError(#[source] io::Error);

impl Output {
    pub(super) fn new() -> Self {
        Self {
            out: BufWriter::new(io::stdout().lock()),
            is_closed: false,
        }
    }

    /// Writes one line. It may be held back until [`Output::finish`].
    pub(super) fn line(&mut self, line: &str) -> Result<(), OutputError> {
        let written = self.out.write_all(line.as_bytes());
        let written = written.and_then(|()| self.out.write_all(b"\n"));
        self.unless_closed(written)
    }

    /// Whether it turned out that nobody reads on.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Writes `text` and nothing more.
    pub(super) fn text(mut self, text: &str) -> Result<(), OutputError> {
        let written = self.out.write_all(text.as_bytes());
        self.unless_closed(written)?;
        self.finish()
    }

    /// Writes what was held back. Without it a failure would go unnoticed.
    pub(super) fn finish(mut self) -> Result<(), OutputError> {
        let written = self.out.flush();
        self.unless_closed(written)
    }

    fn unless_closed(&mut self, written: io::Result<()>) -> Result<(), OutputError> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            written => written.map_err(OutputError),
        }
    }
}
