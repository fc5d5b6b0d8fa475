//! The text of tokens: strings written, and white space between tokens left out.

/// `text` as a JSON string, quotes included.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Appends `text` as a JSON string, quotes included.
pub fn push_quoted(out: &mut String, text: &str) {
    if special_in(text.as_bytes()).is_none() {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&serde_json::Value::from(text).to_string());
    }
}

/// Appends `value`, which must be sound JSON, without the white space between its tokens.
pub fn compact_into(out: &mut String, value: &str) {
    let mut rest = value;
    while let Some(quote) = rest.find('"') {
        let (between, string) = rest.split_at(quote);
        push_without_white_space(out, between);
        let end = string_end(string);
        out.push_str(&string[..end]);
        rest = &string[end..];
    }
    push_without_white_space(out, rest);
}

/// `value` without the white space between its tokens.
#[must_use]
pub fn compact(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    compact_into(&mut out, value);
    out
}

fn push_without_white_space(out: &mut String, between: &str) {
    for piece in between.split([' ', '\t', '\n', '\r']) {
        out.push_str(piece);
    }
}

/// The length of the string at the start of `text`, both quotes included.
pub(crate) fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 1;
    while i < bytes.len() && bytes[i] != b'"' {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    (i + 1).min(bytes.len())
}

/// Where the first byte is that can't stand for itself in a string: a quote, a backslash or a control
/// character. Eight at a time, by the arithmetic of Mycroft and others
/// (<https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord>), whose lowest hit is exact.
#[inline]
pub(crate) fn special_in(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let less_than = |word: u64, n: u8| word.wrapping_sub(ONES * u64::from(n)) & !word & HIGHS;
    let equal_to = |word: u64, byte: u8| less_than(word ^ (ONES * u64::from(byte)), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, &word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(word);
        let hits = less_than(word, b' ') | equal_to(word, b'"') | equal_to(word, b'\\');
        if hits != 0 {
            return Some(i * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let is_special = |&byte: &u8| byte < b' ' || byte == b'"' || byte == b'\\';
    let at = rest.iter().position(is_special)?;
    Some(words.len() * 8 + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_between_tokens_and_stays_in_strings() {
        let pretty = "{\n\t\"a b\" : [ 1 , \"c \\\" } d\" ]\r\n}";
        assert_eq!(compact(pretty), r#"{"a b":[1,"c \" } d"]}"#);
    }
}
