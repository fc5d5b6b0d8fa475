//! Blocks of the input: parsed each on its own, so that all cores can do it at once.

use std::sync::Arc;

use super::guard::MAX_RECORD_BYTES;
use super::records::{Record, Records};
use super::table::{Columns, Row, text_of};
use crate::json::Position;
use crate::partition::Partition;
use crate::profile::{CustomerProfile, ProfileError};

/// Some records of the input, one after the other.
pub(super) enum Block {
    /// Whole lines of JSON.
    Lines(Vec<u8>),
    /// A line that was too long to keep.
    TooLongLine,
    /// JSON texts, wherever they stood, each with the line on which it began.
    Texts(Vec<(u64, String)>),
    /// Rows of a table.
    Rows(Arc<Columns>, Vec<Row>),
}

/// What a block was found to hold. Lines of a block that doesn't know where it stood are counted
/// from its beginning.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) good: Records,
    /// Where each of the good ones belongs.
    pub(super) partitions: Vec<Partition>,
    pub(super) bad: Vec<Bad>,
    /// How far the lines of the next block are away.
    pub(super) lines: u64,
}

/// A record that is no valid profile.
pub(super) struct Bad {
    pub(super) line: u64,
    pub(super) reason: String,
    /// The record as one line; `None` if it was too long to keep.
    pub(super) text: Option<Vec<u8>>,
}

impl Block {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Lines(bytes) => bytes.len(),
            Self::TooLongLine => 0,
            Self::Texts(texts) => texts.iter().map(|(_, text)| text.len()).sum(),
            Self::Rows(_, rows) => rows.iter().map(|row| row.fields.as_slice().len()).sum(),
        }
    }

    /// Tells its records apart and reads each.
    pub(super) fn parse(&self) -> Parsed {
        let mut parsed = Parsed {
            good: Records::of_text(self.bytes()),
            ..Parsed::default()
        };
        match self {
            Self::Lines(bytes) => parsed.lines(bytes),
            Self::TooLongLine => parsed.too_long_line(),
            Self::Texts(texts) => {
                for (line, text) in texts {
                    parsed.add(*line, profile_in(text.as_bytes()), || {
                        crate::json::compact(text).into_bytes()
                    });
                }
            }
            Self::Rows(columns, rows) => {
                for row in rows {
                    parsed.add(row.line, columns.profile(row), || text_of(&row.fields));
                }
            }
        }
        parsed
    }
}

impl Parsed {
    fn add(
        &mut self,
        line: u64,
        read: Result<CustomerProfile, String>,
        text: impl FnOnce() -> Vec<u8>,
    ) {
        match read {
            Ok(profile) => {
                self.partitions.push(Partition::of(profile.email()));
                self.good.push(Record {
                    line,
                    profile: (&profile).into(),
                });
            }
            Err(reason) => self.bad.push(Bad {
                line,
                reason,
                text: Some(text()),
            }),
        }
    }

    fn lines(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            self.lines += 1;
            let line = line.trim_ascii();
            if !line.is_empty() {
                self.add(self.lines, profile_in(line), || line.to_vec());
            }
        }
    }

    fn too_long_line(&mut self) {
        self.lines = 1;
        let reason = format!("the line is longer than {} MiB", MAX_RECORD_BYTES >> 20);
        self.bad.push(Bad {
            line: 1,
            reason,
            text: None,
        });
    }
}

/// The profile that a JSON text is.
fn profile_in(text: &[u8]) -> Result<CustomerProfile, String> {
    let text = str::from_utf8(text).map_err(|_| "not UTF-8".to_owned())?;
    CustomerProfile::from_json(text).map_err(|error| match &error {
        ProfileError::Json(json) => {
            let column = Position::at(text.as_bytes(), json.offset).column;
            format!("{error} at column {column}")
        }
        _ => error.to_string(),
    })
}
