//! Comma-separated values: a header that names the four fields in any order and spelling, then
//! one row a profile.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use csv::{ByteRecord, ReaderBuilder, WriterBuilder};

use super::block::Block;
use super::{Import, ImportError};
use crate::email::{CanonicalEmail, EmailError};
use crate::profile::{CustomerProfile, Field, ProfileError, ProfileRef};

/// The rows of a block.
const BLOCK_ROWS: usize = 2000;

/// Reads all rows of `input`.
pub(super) fn read(input: impl Read, import: &mut Import<'_>) -> Result<(), ImportError> {
    let mut rows = Rows::of(input);
    let Some(header) = rows.next()? else {
        return Ok(());
    };
    let columns = Arc::new(Columns::parse(&header.fields)?);
    import.events.header(&text_of(&header.fields));
    import.columns = Some(Arc::clone(&columns));
    let mut block = Vec::new();
    while let Some(row) = rows.next()? {
        import.guard.mark();
        block.push(row);
        if block.len() == BLOCK_ROWS {
            import.push(Block::Rows(Arc::clone(&columns), mem::take(&mut block)))?;
        }
    }
    import.push(Block::Rows(columns, block))
}

/// The rows of an input.
struct Rows<R> {
    reader: csv::Reader<Remembered<R>>,
    /// The input from the row before on.
    recent: Rc<RefCell<VecDeque<u8>>>,
    /// How many bytes of the input are before that.
    passed: u64,
}

impl<R: Read> Rows<R> {
    fn of(input: R) -> Self {
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

    fn next(&mut self) -> Result<Option<Row>, ImportError> {
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
pub(super) struct Row {
    /// The line on which it begins.
    pub(super) line: u64,
    pub(super) fields: ByteRecord,
    /// False if it spans lines and that may well be by mistake.
    pub(super) is_well_quoted: bool,
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

/// Which column holds which field.
#[derive(Debug)]
pub(super) struct Columns {
    /// The place of each field, in the order of [`Field::ALL`].
    places: [usize; 4],
}

impl Columns {
    /// Finds the four fields in a header, which must name them and nothing else.
    fn parse(header: &ByteRecord) -> Result<Self, ImportError> {
        let malformed = |reason| ImportError::Malformed { line: 1, reason };
        let mut places = [None; 4];
        for (place, name) in header.iter().enumerate() {
            let shown = crate::json::quoted(&String::from_utf8_lossy(name));
            let unknown = || {
                let [a, b, c, d] = Field::ALL;
                malformed(format!(
                    "unknown column {shown}; the columns are {a}, {b}, {c} and {d}"
                ))
            };
            let field = field_named(name).ok_or_else(unknown)?;
            if places[field as usize].replace(place).is_some() {
                return Err(malformed(format!("column {shown} is given twice")));
            }
        }
        let place_of = |field: Field| {
            places[field as usize].ok_or_else(|| malformed(format!("there is no column {field}")))
        };
        let [email, name, company, tier] = Field::ALL.map(place_of);
        Ok(Self {
            places: [email?, name?, company?, tier?],
        })
    }

    /// The profile in a row.
    pub(super) fn profile(&self, row: &Row) -> Result<CustomerProfile, String> {
        if !row.is_well_quoted {
            let lines = row.fields.as_slice().split(|&byte| byte == b'\n').count();
            return Err(format!(
                "a quote is not closed, or stands inside a field: the row goes on for {lines} lines"
            ));
        }
        let row = &row.fields;
        if row.len() != self.places.len() {
            return Err(format!("the row has {} fields instead of 4", row.len()));
        }
        let text = |field: Field| {
            let bytes = row.get(self.places[field as usize]).unwrap_or_default();
            str::from_utf8(bytes).map_err(|_| format!("{field} is not UTF-8"))
        };
        let email = match CanonicalEmail::parse(text(Field::EmailAddress)?) {
            Err(error @ (EmailError::NotAscii | EmailError::Empty)) => Err(error.into()),
            Ok(email) => Ok(email),
        };
        let described = |error: ProfileError| error.to_string();
        let (name, company, tier) = (
            text(Field::FullName)?,
            text(Field::CompanyName)?,
            text(Field::CustomerTier)?,
        );
        CustomerProfile::new(email.map_err(described)?, name, company, tier).map_err(described)
    }

    /// A profile as a row in the order of the columns.
    pub(super) fn row(&self, profile: ProfileRef<'_>) -> Vec<u8> {
        let mut fields = [const { String::new() }; 4];
        for field in Field::ALL {
            fields[self.places[field as usize]] = profile.field(field);
        }
        text_of(&ByteRecord::from(fields.to_vec()))
    }
}

/// A row as a line of text, without a line end.
pub(super) fn text_of(row: &ByteRecord) -> Vec<u8> {
    let mut writer = WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory can't fail.
    let _infallible = writer.write_byte_record(row);
    let mut text = writer.into_inner().unwrap_or_default();
    text.pop();
    text
}

/// The field that a column's name means: `emailAddress`, `email_address`, `Email-Address`,
/// `E-MAIL ADDRESS` are all one.
fn field_named(name: &[u8]) -> Option<Field> {
    let letters = |name: &[u8]| -> Vec<u8> {
        let kept = name.iter().filter(|b| !matches!(b, b' ' | b'_' | b'-'));
        kept.map(u8::to_ascii_lowercase).collect()
    };
    let name = letters(name);
    Field::ALL
        .into_iter()
        .find(|field| letters(field.name().as_bytes()) == name)
}
