//! Comma-separated values: a header that names the four fields in any order and spelling, then
//! one row a profile.

use std::io::Read;
use std::mem;
use std::sync::Arc;

use csv::{ByteRecord, WriterBuilder};

use super::block::Block;
use super::{Import, ImportError};
use crate::email::{CanonicalEmail, EmailError};
use crate::profile::{CustomerProfile, Field, ProfileError, ProfileRef};

mod rows;

pub(super) use rows::Row;
use rows::Rows;

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
