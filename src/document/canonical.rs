//! The canonical layout read strictly, as this program writes it: one pass over the bytes and no
//! parser. It finds nothing that taking any JSON apart wouldn't find, and far faster.

use crate::json;

/// How a file in canonical layout begins.
pub(crate) const BEGINNING: &str = "{\"profilesByCanonicalEmail\":{\n";

/// How it ends if nothing stands beside the map.
pub(crate) const ENDING: &str = "}}\n";

/// One line of the map.
pub(super) struct Line<'a> {
    /// The key, which is written without escapes.
    pub(super) key: &'a str,
    /// The same with its quotes.
    pub(super) key_text: &'a str,
    pub(super) profile: &'a str,
    /// The values of the four fields as they are written between their quotes, if the profile consists
    /// of them alone, in their order and without white space between its tokens.
    pub(super) values: Option<[&'a str; 4]>,
}

/// Gives each line of a sound file to `each`, if the file is in canonical layout with nothing beside
/// the map. `None` says no more than that it must be read in another way, and that nothing that was
/// given counts.
pub(super) fn for_each_line<'a>(text: &'a str, mut each: impl FnMut(Line<'a>)) -> Option<()> {
    let mut rest = text.strip_prefix(BEGINNING)?;
    let mut last_key = None;
    let mut goes_on = rest != ENDING;
    while goes_on {
        let line = line(rest)?;
        if last_key.is_some_and(|last| last >= line.key) {
            return None;
        }
        last_key = Some(line.key);
        rest = &rest[json::offset_in(rest, line.profile) + line.profile.len()..];
        goes_on = rest.starts_with(',');
        rest = rest
            .strip_prefix(",\n")
            .or_else(|| rest.strip_prefix('\n'))?;
        each(line);
    }
    (rest == ENDING).then_some(())
}

/// The line at the start of `rest`, whose profile is sound.
fn line(rest: &str) -> Option<Line<'_>> {
    let (key, after_key) = plain_string(rest)?;
    let at_profile = after_key.strip_prefix(':')?;
    let (profile, values) = match four_values(at_profile) {
        Some((values, after)) => (&at_profile[..at_profile.len() - after.len()], Some(values)),
        None => (any_profile(at_profile)?, None),
    };
    Some(Line {
        key,
        key_text: &rest[..key.len() + 2],
        profile,
        values,
    })
}

/// Whether `text` is a profile of `email` with the four fields and no more, as this program writes it.
pub(super) fn is_plain_profile(text: &str, email: &str) -> bool {
    four_values(text).is_some_and(|(values, after)| {
        values[0] == email && values.iter().all(|value| !value.is_empty()) && after.is_empty()
    })
}

/// The values of the profile at the start of `rest`, if it consists of the four fields in their order,
/// and what follows it.
fn four_values(rest: &str) -> Option<([&str; 4], &str)> {
    let (email, rest) = string(rest.strip_prefix("{\"emailAddress\":\"")?)?;
    let (name, rest) = string(rest.strip_prefix(",\"fullName\":\"")?)?;
    let (company, rest) = string(rest.strip_prefix(",\"companyName\":\"")?)?;
    let (tier, rest) = string(rest.strip_prefix(",\"customerTier\":\"")?)?;
    Some(([email, name, company, tier], rest.strip_prefix('}')?))
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

/// The text of the string whose first quote is before `rest`, as it is written, and what follows it.
/// Escapes of four digits, which not everything can be decoded from, are left to the parser.
#[inline]
fn string(rest: &str) -> Option<(&str, &str)> {
    let mut end = 0;
    loop {
        end += json::special_in(&rest.as_bytes()[end..])?;
        match rest.as_bytes()[end..] {
            [b'"', ..] => return Some((&rest[..end], &rest[end + 1..])),
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
    let end = json::special_in(inner.as_bytes())?;
    let after = inner[end..].strip_prefix('"')?;
    Some((&inner[..end], after))
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
            .map(|line| (line.key, line.key_text, line.values))
            .collect();
        let values = ["a@b", r#"é\"\\"#, "C", "t"];
        let expected = [("a@b", "\"a@b\"", Some(values)), ("c@d", "\"c@d\"", None)];
        assert_eq!(read, expected);
        assert!(lines[0].profile.ends_with("\"t\"}"));
        assert!(lines[1].profile.ends_with("[1]}"));
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
                let found = lines.iter().map(|line| (line.key, line.profile));
                let expected = parts.profiles.iter().map(|member| (&*member.name, member.value));
                prop_assert!(found.eq(expected));
                for line in lines {
                    prop_assert_eq!(json::compact(line.profile), line.profile);
                }
            }
        }
    }
}
