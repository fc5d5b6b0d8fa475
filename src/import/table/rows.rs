//! The rows of a table, each with what the reader doesn't tell of it: the line on which it begins, and
//! whether its quotes are where quotes belong.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder};

use crate::import::ImportError;

/// The rows of an input.
pub(super) struct Rows<R> {
    reader: csv::Reader<Remembered<R>>,
    /// The input from the row before on.
    recent: Rc<RefCell<VecDeque<u8>>>,
    /// How many bytes of the input are before that.
    passed: u64,
}

impl<R: Read> Rows<R> {
    pub(super) fn of(input: R) -> Self {
        let recent = Rc::default();
        let input = Remembered {
            input,
            recent: Rc::clone(&recent),
        };
        let mut reader = ReaderBuilder::new();
        Self {
            reader: reader.has_headers(false).flexible(true).from_reader(input),
            recent,
            passed: 0,
        }
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Row>, ImportError> {
        let mut row = ByteRecord::new();
        let read = self.reader.read_byte_record(&mut row);
        let is_row = read.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => ImportError::Read(error),
            kind => ImportError::Malformed {
                line: self.reader.position().line(),
                reason: format!("{kind:?}"),
            },
        })?;
        let line = self.line_of(row.position());
        let is_well_quoted = !has_line_break(&row) || self.is_well_quoted();
        Ok(is_row.then_some(Row {
            line,
            fields: row,
            is_well_quoted,
        }))
    }

    /// The reader's position of a row is before the line ends that it passes over: those of blank
    /// lines, and the second half of a CRLF.
    fn line_of(&mut self, position: Option<&csv::Position>) -> u64 {
        let Some(position) = position else { return 0 };
        let mut recent = self.recent.borrow_mut();
        let row = usize::try_from(position.byte() - self.passed).unwrap_or(usize::MAX);
        let row = row.min(recent.len());
        recent.drain(..row);
        self.passed += row as u64;
        let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let passed_over = recent.iter().take_while(is_end);
        position.line() + passed_over.filter(|&&byte| byte == b'\n').count() as u64
    }

    /// Whether each quote of the row just read opens a field, closes one, or stands doubled in one. The
    /// reader takes any; but one that was never meant to open a field swallows the rows after it.
    fn is_well_quoted(&self) -> bool {
        let end =
            usize::try_from(self.reader.position().byte() - self.passed).unwrap_or(usize::MAX);
        let recent = self.recent.borrow();
        let mut at = Place::Start;
        for byte in recent.iter().take(end) {
            at = match (at, byte) {
                (Place::Quoted, b'"') => Place::Closed,
                (Place::Quoted, _) | (Place::Start | Place::Closed, b'"') => Place::Quoted,
                (_, b',' | b'\r' | b'\n') => Place::Start,
                (Place::Start | Place::Plain, byte) if *byte != b'"' => Place::Plain,
                _ => return false,
            };
        }
        at != Place::Quoted
    }
}

/// A row, and what is known of how it was written.
pub(in crate::import) struct Row {
    /// The line on which it begins.
    pub(in crate::import) line: u64,
    pub(in crate::import) fields: ByteRecord,
    /// False if it spans lines and that may well be by mistake.
    pub(in crate::import) is_well_quoted: bool,
}

/// Where in a row a byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the start of a field.
    Start,
    /// In a field without quotes.
    Plain,
    /// In a quoted field.
    Quoted,
    /// After a quote in a quoted field: its end, or the first of two.
    Closed,
}

fn has_line_break(row: &ByteRecord) -> bool {
    row.as_slice().contains(&b'\n')
}

/// An input that keeps a copy of what was read of it.
struct Remembered<R> {
    input: R,
    recent: Rc<RefCell<VecDeque<u8>>>,
}

impl<R: Read> Read for Remembered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.recent.borrow_mut().extend(&buffer[..read]);
        Ok(read)
    }
}
