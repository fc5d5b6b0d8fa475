//! Standard output. Whoever has closed it wants no more, which is no error; any other failure to
//! write is one.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// Results on their way to standard output.
pub(super) struct Output {
    out: BufWriter<StdoutLock<'static>>,
}

/// Standard output can't be written.
#[derive(Debug, thiserror::Error)]
#[error("could not write to standard output")]
pub(super) struct OutputError(#[source] io::Error);

impl Output {
    pub(super) fn new() -> Self {
        Self {
            out: BufWriter::new(io::stdout().lock()),
        }
    }

    /// Writes one line. It may be held back until [`Output::finish`].
    pub(super) fn line(&mut self, line: &str) -> Result<(), OutputError> {
        let out = &mut self.out;
        unless_closed(
            out.write_all(line.as_bytes())
                .and_then(|()| out.write_all(b"\n")),
        )
    }

    /// Writes `text` and nothing more.
    pub(super) fn text(mut self, text: &str) -> Result<(), OutputError> {
        unless_closed(self.out.write_all(text.as_bytes()))?;
        self.finish()
    }

    /// Writes what was held back. Without it a failure would go unnoticed.
    pub(super) fn finish(mut self) -> Result<(), OutputError> {
        unless_closed(self.out.flush())
    }
}

fn unless_closed(written: io::Result<()>) -> Result<(), OutputError> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError(error)),
        _ => Ok(()),
    }
}
