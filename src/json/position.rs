//! Places in a text as people and editors count them.

use std::fmt;

/// A place in a text, counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in that line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Position {
    /// The place of the byte at `offset`. Text that isn't UTF-8 is counted as an editor shows it.
    #[must_use]
    pub fn at(text: &[u8], offset: usize) -> Self {
        Positions::of(text).at(offset)
    }
}

/// The places of many offsets, which must be asked for in ascending order: each byte of the text
/// is looked at once, however many are asked for.
#[derive(Debug)]
pub struct Positions<'t> {
    text: &'t [u8],
    offset: usize,
    position: Position,
}

impl<'t> Positions<'t> {
    /// The places in `text`.
    #[must_use]
    pub fn of(text: &'t [u8]) -> Self {
        Self {
            text,
            offset: 0,
            position: Position { line: 1, column: 1 },
        }
    }

    /// The place of the byte at `offset`.
    pub fn at(&mut self, offset: usize) -> Position {
        let end = offset.clamp(self.offset, self.text.len());
        for line in self.text[self.offset..end].split_inclusive(|&b| b == b'\n') {
            if line.ends_with(b"\n") {
                self.position.line += 1;
                self.position.column = 1;
            } else {
                self.position.column += String::from_utf8_lossy(line).chars().count();
            }
        }
        self.offset = end;
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters() {
        let text = "{\n\"é\" x".as_bytes();
        let offset = text.len() - 1;
        assert_eq!(Position::at(text, offset), Position { line: 2, column: 5 });
    }

    #[test]
    fn places_found_one_after_the_other_are_those_found_alone() {
        let text = "é\n\n{\"ü\": 1,\n}\n";
        let mut positions = Positions::of(text.as_bytes());
        for (offset, _) in text.char_indices().chain([(text.len(), ' '), (99, ' ')]) {
            let alone = Position::at(text.as_bytes(), offset);
            assert_eq!(positions.at(offset), alone, "{offset}");
        }
    }
}
