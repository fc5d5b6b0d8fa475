//! Text from outside made safe to show on one line of a terminal or a log: a name must not be able
//! to break a line, move the cursor or reverse what stands beside it.

use std::fmt::Write;
use std::path::Path;

/// `text` with control, line-breaking and bidirectional characters as `\u{…}` escapes.
#[must_use]
pub fn text(text: &str) -> String {
    text.chars()
        .fold(String::with_capacity(text.len()), |mut out, c| {
            if is_unsafe(c) {
                // Writing to a string can't fail.
                let _infallible = write!(out, "{}", c.escape_unicode());
            } else {
                out.push(c);
            }
            out
        })
}

/// `path` as text, escaped in the same way; bytes that aren't UTF-8 show as `\u{fffd}`.
#[must_use]
pub fn path(path: &Path) -> String {
    text(&path.to_string_lossy())
}

/// Whether `c` could change how its neighbours are shown.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_could_disturb_a_line_is_escaped() {
        assert_eq!(
            super::text("a\n\u{1b}[31m\u{202e}é"),
            r"a\u{a}\u{1b}[31m\u{202e}é"
        );
    }
}
