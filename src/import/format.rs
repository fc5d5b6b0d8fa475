//! Which format an input has, found from its beginning.

use std::io::{Cursor, Read};

use serde_json::error::Category;
use serde_json::value::RawValue;

use super::ImportError;

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    JsonLines,
    /// One JSON object, or an array of them, laid out in any way.
    Json,
    /// Comma-separated values with a header, RFC 4180.
    Csv,
}

/// How far the first line is looked at.
const BEGINNING: u64 = 1 << 20;

/// The format, asked for or found, and the input from its beginning without a byte order mark.
pub(super) fn find<R: Read>(
    asked: Option<Format>,
    mut input: R,
) -> Result<(Format, impl Read), ImportError> {
    let mut beginning = Vec::new();
    while !has_line(&beginning) && (beginning.len() as u64) < BEGINNING {
        let mut more = [0; 8192];
        match input.read(&mut more) {
            Ok(0) => break,
            Ok(read) => beginning.extend_from_slice(&more[..read]),
            Err(error) => return Err(ImportError::Read(error)),
        }
    }
    if beginning.starts_with(b"\xEF\xBB\xBF") {
        beginning.drain(..3);
    }
    let format = asked.unwrap_or_else(|| of(&beginning));
    Ok((format, Cursor::new(beginning).chain(input)))
}

/// Whether there is a whole line that isn't blank.
fn has_line(beginning: &[u8]) -> bool {
    let mut lines = beginning.split_inclusive(|&b| b == b'\n');
    lines.any(|line| line.ends_with(b"\n") && !line.trim_ascii().is_empty())
}

/// An object that ends on its first line is the first of many lines. One that goes on, and any
/// array, is JSON. What begins with neither bracket is a table.
fn of(beginning: &[u8]) -> Format {
    let text = beginning.trim_ascii_start();
    match text.first() {
        Some(b'[') => Format::Json,
        Some(b'{') => {
            let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
            match serde_json::from_slice::<&RawValue>(line) {
                Err(error) if error.classify() == Category::Eof && line.len() < text.len() => {
                    Format::Json
                }
                _ => Format::JsonLines,
            }
        }
        Some(_) => Format::Csv,
        None => Format::JsonLines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_format() {
        for (beginning, format) in [
            ("", Format::JsonLines),
            ("\n \n", Format::JsonLines),
            ("{\"a\":1}\n{", Format::JsonLines),
            ("\n{\"a\":1}", Format::JsonLines),
            ("{\"a\":oops}\n", Format::JsonLines),
            ("{\"a\":1}{\"a\":2}\n", Format::JsonLines),
            ("{\"a\":1", Format::JsonLines),
            ("{\n\"a\":1}", Format::Json),
            ("[", Format::Json),
            ("[{\"a\":1}]\n", Format::Json),
            ("emailAddress,", Format::Csv),
            ("\"email address\",", Format::Csv),
        ] {
            assert_eq!(of(beginning.as_bytes()), format, "{beginning}");
        }
    }
}
