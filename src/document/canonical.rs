//! The canonical layout read strictly, as this program writes it: one pass over the bytes and no
//! parser. It finds nothing that taking any JSON apart wouldn't find, and far faster.

use super::Entry;
use crate::json;

/// How a file in canonical layout begins.
pub(crate) const BEGINNING: &str = "{\"profilesByCanonicalEmail\":{\n";

/// How it ends if nothing stands beside the map.
pub(crate) const ENDING: &str = "}}\n";

/// What stands before each of the four values of a profile, in their order.
const BEFORE_VALUES: [&str; 4] = [
    "{\"emailAddress\":",
    ",\"fullName\":",
    ",\"companyName\":",
    ",\"customerTier\":",
];

/// The keys and entries of a sound file, if it is in canonical layout with nothing beside the map.
/// `None` says no more than that it must be read in another way.
pub(super) fn entries(text: &str) -> Option<Vec<(&str, Entry<'_>)>> {
    let mut rest = text.strip_prefix(BEGINNING)?;
    // A profile's line is seldom shorter than this.
    let mut entries = Vec::with_capacity(text.len() / 128);
    let mut goes_on = rest != ENDING;
    while goes_on {
        let (key, after_key) = plain_string(rest)?;
        if entries.last().is_some_and(|(last, _)| *last >= key) {
            return None;
        }
        let (profile, is_compact) = profile(after_key.strip_prefix(':')?)?;
        entries.push((key, entry(rest, key, profile, is_compact)));
        rest = &rest[json::offset_in(rest, profile) + profile.len()..];
        goes_on = rest.starts_with(',');
        rest = rest
            .strip_prefix(",\n")
            .or_else(|| rest.strip_prefix('\n'))?;
    }
    (rest == ENDING).then_some(entries)
}

fn entry<'a>(line: &'a str, key: &str, profile: &'a str, is_compact: bool) -> Entry<'a> {
    Entry {
        key: line[..key.len() + 2].into(),
        profile: profile.into(),
        is_compact,
    }
}

/// The sound profile at the start of `rest`, and whether it is known to hold no white space
/// between its tokens.
fn profile(rest: &str) -> Option<(&str, bool)> {
    if let Some(profile) = plain_profile(rest) {
        return Some((profile, true));
    }
    let line = &rest[..rest.find('\n')?];
    let profile = line.strip_suffix(',').unwrap_or(line);
    // White space around it would be part of it.
    let is_object = profile.starts_with('{') && profile.ends_with('}');
    let is_sound = is_object && json::members(profile).is_ok();
    is_sound.then_some((profile, false))
}

/// The profile at the start of `rest`, if it consists of the four fields in their order.
fn plain_profile(rest: &str) -> Option<&str> {
    let mut after = rest;
    for before in BEFORE_VALUES {
        (_, after) = plain_string(after.strip_prefix(before)?)?;
    }
    let after = after.strip_prefix('}')?;
    Some(&rest[..rest.len() - after.len()])
}

/// The text of the string at the start of `rest`, if it is written without escapes, and what
/// follows it.
pub(crate) fn plain_string(rest: &str) -> Option<(&str, &str)> {
    let inner = rest.strip_prefix('"')?;
    let is_special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    let end = inner.bytes().position(is_special)?;
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
        r#""a@b":{"emailAddress":"a@b","fullName":"é","companyName":"C","customerTier":"t"},"#,
        "\n",
        r#""c@d":{"emailAddress":"c@d", "fullName":"\u0041","x":[1]}"#,
        "\n}}\n"
    );

    #[test]
    fn lines_as_the_program_and_as_a_person_wrote_them_are_read() {
        let entries = entries(FILE).expect("canonical");
        let read: Vec<_> = entries
            .iter()
            .map(|(key, entry)| (*key, &*entry.key, entry.is_compact))
            .collect();
        assert_eq!(read, [("a@b", "\"a@b\"", true), ("c@d", "\"c@d\"", false)]);
        assert!(FILE.contains(&*entries[1].1.profile));
        assert!(entries[1].1.profile.ends_with("[1]}"));
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
            ("é", "\u{1}"),
        ] {
            let file = FILE.replacen(from, to, 1);
            assert_ne!(file, FILE);
            assert!(entries(&file).is_none(), "{file}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_any_reader_of_json_would_find(
            edits in prop::collection::vec((0..FILE.len(), 0..4_usize, "[ -~\n\té]?"), 0..3),
        ) {
            let mut file = FILE.to_owned();
            for (at, length, text) in edits {
                let at = file.floor_char_boundary(at);
                let end = file.floor_char_boundary(at + length);
                file.replace_range(at..end, &text);
            }
            if let Some(entries) = entries(&file) {
                let parts = Parts::of(file.as_bytes());
                prop_assert_eq!(parts.corrupt(), None);
                prop_assert!(parts.others.is_empty());
                let found = entries.iter().map(|(key, entry)| (*key, &*entry.profile));
                let expected = parts.profiles.iter().map(|member| (&*member.name, member.value));
                prop_assert!(found.eq(expected));
                for (_, entry) in entries.iter().filter(|(_, entry)| entry.is_compact) {
                    prop_assert_eq!(json::compact(&entry.profile), &*entry.profile);
                }
            }
        }
    }
}
