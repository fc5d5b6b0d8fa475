//! The canonical layout read strictly, as this program writes it: one pass over the bytes and no
//! parser. It finds nothing that taking any JSON apart wouldn't find, and far faster.

use std::ops::Range;

use crate::json;

/// How a file in canonical layout begins.
pub(crate) const BEGINNING: &str = "{\"profilesByCanonicalEmail\":{\n";

/// How it ends if nothing stands beside the map.
pub(crate) const ENDING: &str = "}}\n";

/// One line of the map: where its parts are in the text of the file.
pub(super) struct Line<'a> {
    text: &'a str,
    /// Where its key begins, with the quote.
    pub(super) begin: usize,
    /// The key without its quotes; it is written without escapes.
    key: Range<usize>,
    pub(super) profile: Range<usize>,
    /// The values of the four fields without their quotes, if the profile consists of them alone, in
    /// their order and without white space between its tokens.
    values: Option<[Range<usize>; 4]>,
}

impl<'a> Line<'a> {
    pub(super) fn key(&self) -> &'a str {
        &self.text[self.key.clone()]
    }

    /// The values of the four fields as they are written between their quotes, if the profile consists
    /// of them alone.
    pub(super) fn values(&self) -> Option<[&'a str; 4]> {
        let values = self.values.clone()?;
        Some(values.map(|value| &self.text[value]))
    }

    /// The line that begins at `begin`, whose profile is sound.
    fn at(text: &'a str, begin: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let key = after(bytes, begin, b"\"")?;
        let key = key..json::special_from(bytes, key)?;
        let at_profile = after(bytes, key.end, b"\":")?;
        let (values, end) = match four_values(bytes, at_profile) {
            Some((values, end)) => (Some(values), end),
            None => (None, at_profile + any_profile(&text[at_profile..])?.len()),
        };
        Some(Self {
            text,
            begin,
            key,
            profile: at_profile..end,
            values,
        })
    }
}

/// Gives each line of a sound file to `each`, if the file is in canonical layout with nothing beside
/// the map. `None` says no more than that it must be read in another way, and that nothing that was
/// given counts.
pub(super) fn for_each_line<'a>(text: &'a str, mut each: impl FnMut(Line<'a>)) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = after(bytes, 0, BEGINNING.as_bytes())?;
    let mut last_key = None;
    let mut goes_on = &text[at..] != ENDING;
    while goes_on {
        let line = Line::at(text, at)?;
        let key = line.key();
        if last_key.is_some_and(|last| last >= key) {
            return None;
        }
        last_key = Some(key);
        let end = line.profile.end;
        let next = after(bytes, end, b",\n");
        goes_on = next.is_some();
        at = next.or_else(|| after(bytes, end, b"\n"))?;
        each(line);
    }
    (&text[at..] == ENDING).then_some(())
}

/// Whether `text` is a profile of `email` with the four fields and no more, as this program writes it.
pub(super) fn is_plain_profile(text: &str, email: &str) -> bool {
    four_values(text.as_bytes(), 0).is_some_and(|(values, end)| {
        let [address, ..] = &values;
        text[address.clone()] == *email
            && values.iter().all(|value| !value.is_empty())
            && end == text.len()
    })
}

/// Where the values of the profile that begins at `at` are, if it consists of the four fields in their
/// order, and where it ends.
#[inline]
fn four_values(bytes: &[u8], at: usize) -> Option<([Range<usize>; 4], usize)> {
    let email = string(bytes, after(bytes, at, b"{\"emailAddress\":\"")?)?;
    let name = string(bytes, after(bytes, email.end, b"\",\"fullName\":\"")?)?;
    let company = string(bytes, after(bytes, name.end, b"\",\"companyName\":\"")?)?;
    let tier = string(bytes, after(bytes, company.end, b"\",\"customerTier\":\"")?)?;
    let end = after(bytes, tier.end, b"\"}")?;
    Some(([email, name, company, tier], end))
}

/// The sound profile, whatever it consists of, that the line at the start of `rest` ends with, without
/// white space between its tokens.
fn any_profile(rest: &str) -> Option<&str> {
    let line = &rest[..rest.find('\n')?];
    let profile = line.strip_suffix(',').unwrap_or(line);
    // White space around it would be part of it.
    let is_object = profile.starts_with('{') && profile.ends_with('}');
    let is_sound = is_object && json::members(profile).is_ok();
    (is_sound && json::compact(profile) == profile).then_some(profile)
}

/// The string as it is written, of which the first quote is before `begin`, without its last quote.
/// Escapes of four digits, which not everything can be decoded from, are left to the parser.
#[inline]
fn string(bytes: &[u8], begin: usize) -> Option<Range<usize>> {
    let mut end = begin;
    loop {
        end = json::special_from(bytes, end)?;
        match bytes[end..] {
            [b'"', ..] => return Some(begin..end),
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                ..,
            ] => end += 2,
            _ => return None,
        }
    }
}

/// The text of the string at the start of `rest`, if it is written without escapes, and what
/// follows it.
pub(crate) fn plain_string(rest: &str) -> Option<(&str, &str)> {
    let inner = rest.strip_prefix('"')?;
    let end = json::special_from(inner.as_bytes(), 0)?;
    let after = inner[end..].strip_prefix('"')?;
    Some((&inner[..end], after))
}

/// Where `token` ends, if it is at `at`.
#[inline]
fn after(bytes: &[u8], at: usize, token: &[u8]) -> Option<usize> {
    let is_there = bytes.get(at..)?.starts_with(token);
    is_there.then_some(at + token.len())
}

#[cfg(test)]
mod tests {
    use super::super::parts::Parts;
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = concat!(
        "{\"profilesByCanonicalEmail\":{\n",
        r#""a@b":{"emailAddress":"a@b","fullName":"é\"\\","companyName":"C","customerTier":"t"},"#,
        "\n",
        r#""c@d":{"emailAddress":"c@d","fullName":"\u0041","x":[1]}"#,
        "\n}}\n"
    );

    fn lines(text: &str) -> Option<Vec<Line<'_>>> {
        let mut lines = Vec::new();
        for_each_line(text, |line| lines.push(line))?;
        Some(lines)
    }

    #[test]
    fn lines_as_the_program_and_as_a_person_wrote_them_are_read() {
        let lines = lines(FILE).expect("canonical");
        let read: Vec<_> = lines
            .iter()
            .map(|line| (line.key(), line.values()))
            .collect();
        let values = ["a@b", r#"é\"\\"#, "C", "t"];
        assert_eq!(read, [("a@b", Some(values)), ("c@d", None)]);
        assert!(FILE[lines[0].profile.clone()].ends_with("\"t\"}"));
        assert!(FILE[lines[1].profile.clone()].ends_with("[1]}"));
    }

    #[test]
    fn whatever_else_is_left_to_another_way() {
        for (from, to) in [
            ("\n}}\n", "\n}}"),
            ("\n}}\n", "\n},\n\"x\":1\n}\n"),
            ("\n}}\n", ",\n}}\n"),
            ("\n}}\n", "\n}}\n "),
            ("},\n", "}\n"),
            ("},\n", "},\n\n"),
            ("},\n", "},\r\n"),
            ("\"c@d\":", "\"a@b\":"),
            ("\"c@d\":", "\"A\":"),
            ("\"c@d\":", "\"c\\u0040d\":"),
            ("\"c@d\":", "\"c@d\" :"),
            ("\"c@d\":", "\"c@d\": "),
            ("[1]}", "[1]}\t"),
            ("[1]}", "[1]}\r"),
            ("\"x\":[1]", "\"x\":[1"),
            ("\"x\":[1]", "\"x\":\n[1]"),
            ("\"x\":[1]", "\"fullName\":1"),
            ("\"x\":[1]", "\"x\": [1]"),
            ("é", "\u{1}"),
        ] {
            let file = FILE.replacen(from, to, 1);
            assert_ne!(file, FILE);
            assert!(lines(&file).is_none(), "{file}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_any_reader_of_json_would_find(
            edits in prop::collection::vec((0..FILE.len(), 0..4_usize, "[ -~\n\té\\\\\"]?"), 0..3),
        ) {
            let mut file = FILE.to_owned();
            for (at, length, text) in edits {
                let at = file.floor_char_boundary(at);
                let end = file.floor_char_boundary(at + length);
                file.replace_range(at..end, &text);
            }
            if let Some(lines) = lines(&file) {
                let parts = Parts::of(file.as_bytes());
                prop_assert_eq!(parts.corrupt(), None);
                prop_assert!(parts.others.is_empty());
                let found = lines.iter().map(|line| (line.key(), &file[line.profile.clone()]));
                let expected = parts.profiles.iter().map(|member| (&*member.name, member.value));
                prop_assert!(found.clone().eq(expected));
                for (_, profile) in found {
                    prop_assert_eq!(json::compact(profile), profile);
                }
            }
        }
    }
}
