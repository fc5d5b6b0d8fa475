//! JSON laid out in any way: objects one after the other, or arrays of them, taken one by one. An
//! array is never in memory whole.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::mem;

use serde::Deserializer as _;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::block::Block;
use super::{Import, ImportError};

/// The bytes of a block.
const BLOCK_BYTES: usize = 256 << 10;

/// Reads all objects of `input`.
pub(super) fn read(input: impl Read, import: &mut Import<'_>) -> Result<(), ImportError> {
    let lines = Cell::new(0);
    let counted = CountedLines {
        input: BufReader::new(input),
        lines: &lines,
    };
    let mut json = serde_json::Deserializer::from_reader(counted);
    let mut objects = Objects {
        import,
        lines: &lines,
        block: Vec::new(),
        bytes: 0,
        ended: None,
    };
    while json.end().is_err() {
        let read = json.deserialize_any(&mut objects);
        if let Some(ended) = objects.ended.take() {
            return Err(ended);
        }
        if let Err(error) = read {
            objects.flush()?;
            return Err(import_error(&error, lines.get() + 1));
        }
    }
    objects.flush()
}

fn import_error(error: &serde_json::Error, line: u64) -> ImportError {
    match error.io_error_kind() {
        Some(kind) if kind != io::ErrorKind::InvalidData => ImportError::Read(kind.into()),
        _ => ImportError::Malformed {
            line,
            reason: format!("invalid JSON: {error}"),
        },
    }
}

/// The objects that the parser comes upon.
struct Objects<'i, 'a> {
    import: &'i mut Import<'a>,
    lines: &'i Cell<u64>,
    block: Vec<(u64, String)>,
    bytes: usize,
    /// Why no more are wanted.
    ended: Option<ImportError>,
}

impl Objects<'_, '_> {
    fn push(&mut self, text: String) -> Result<(), ImportError> {
        self.import.guard.mark();
        let inside = text.matches('\n').count() as u64;
        self.bytes += text.len();
        self.block.push((self.lines.get() + 1 - inside, text));
        if self.bytes < BLOCK_BYTES {
            Ok(())
        } else {
            self.flush()
        }
    }

    fn flush(&mut self) -> Result<(), ImportError> {
        self.bytes = 0;
        self.import.push(Block::Texts(mem::take(&mut self.block)))
    }

    /// Hands an object on. The parser knows errors of its own kind alone.
    fn hand_on<E: serde::de::Error>(&mut self, text: String) -> Result<(), E> {
        self.push(text).map_err(|ended| {
            self.ended = Some(ended);
            E::custom("no more objects are wanted")
        })
    }
}

impl<'de> Visitor<'de> for &mut Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element::<Box<RawValue>>()? {
            self.hand_on(element.get().to_owned())?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut text = String::from("{");
        while let Some((name, value)) = members.next_entry::<Box<RawValue>, Box<RawValue>>()? {
            let separator = if text.len() > 1 { "," } else { "" };
            text.extend([separator, name.get(), ":", value.get()]);
        }
        text.push('}');
        self.hand_on(text)
    }
}

/// Counts the lines that the parser has read: it takes one byte at a time.
struct CountedLines<'a, R> {
    input: R,
    lines: &'a Cell<u64>,
}

impl<R: Read> Read for CountedLines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let lines = buffer[..read].split(|&b| b == b'\n').count() as u64 - 1;
        self.lines.set(self.lines.get() + lines);
        Ok(read)
    }
}
