//! The text of tokens: strings written, and white space between tokens left out.

use super::special::special_from;

/// `text` as a JSON string, quotes included.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Appends `text` as a JSON string, quotes included.
pub fn push_quoted(out: &mut String, text: &str) {
    if special_from(text.as_bytes(), 0).is_none() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_between_tokens_and_stays_in_strings() {
        let pretty = "{\n\t\"a b\" : [ 1 , \"c \\\" } d\" ]\r\n}";
        assert_eq!(compact(pretty), r#"{"a b":[1,"c \" } d"]}"#);
    }
}
