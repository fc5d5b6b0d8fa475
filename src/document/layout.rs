//! A file in canonical layout and where its lines are: what hasn't changed is written again as it
//! stands, without being looked at.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::canonical::{self, BEGINNING, ENDING};
use super::entry::{Entry, push_member};
use super::parts::Parts;

/// The canonical layout of a file without profiles.
pub(super) const EMPTY: &str = "{\"profilesByCanonicalEmail\":{\n}}\n";

/// From so many bytes on it is better to write a text from where it stands than to copy it.
const WORTH_KEEPING: usize = 4096;

/// A sound file in canonical layout.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) text: Cow<'a, str>,
    /// In the order of their keys.
    pub(super) lines: Vec<Line<'a>>,
}

/// One profile and its key.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The key, with its escapes decoded.
    pub(super) key: Cow<'a, str>,
    /// Where in the text it begins.
    pub(super) begin: usize,
    profile: Range<usize>,
}

impl<'a> Layout<'a> {
    /// That of a file without profiles.
    pub(super) fn empty() -> Self {
        Self {
            text: EMPTY.into(),
            lines: Vec::new(),
        }
    }

    /// A file that is in canonical layout, if nothing stands beside the map.
    pub(super) fn of_canonical(text: &'a str) -> Option<Self> {
        // A profile's line is seldom shorter than this.
        let mut lines = Vec::with_capacity(text.len() / 128);
        canonical::for_each_line(text, |line| {
            lines.push(Line {
                key: line.key().into(),
                begin: line.begin,
                profile: line.profile,
            });
        })?;
        Some(Self {
            text: text.into(),
            lines,
        })
    }

    /// What is laid out of a sound file that was taken apart.
    pub(super) fn of_parts(parts: &Parts<'a>) -> Self {
        let mut profiles: Vec<_> = parts.profiles.iter().collect();
        profiles.sort_by(|a, b| a.name.cmp(&b.name));
        let mut text = String::with_capacity(parts.text.len() + EMPTY.len());
        text.push_str(BEGINNING.trim_end());
        let mut lines = Vec::with_capacity(profiles.len());
        for member in profiles {
            text.push_str(if lines.is_empty() { "\n" } else { ",\n" });
            let begin = text.len();
            push_member(&mut text, member.name_text, member.value);
            lines.push(Line {
                key: member.name.clone(),
                begin,
                profile: begin + member.name_text.len() + ":".len()..text.len(),
            });
        }
        text.push('\n');
        if parts.others.is_empty() {
            text.push_str(ENDING);
        } else {
            text.push('}');
            for member in &parts.others {
                text.push_str(",\n");
                push_member(&mut text, member.name_text, member.value);
            }
            text.push_str("\n}\n");
        }
        Self {
            text: text.into(),
            lines,
        }
    }

    /// The line with this key, or where it would stand.
    pub(super) fn find(&self, key: &str) -> Result<usize, usize> {
        self.lines.binary_search_by(|line| (*line.key).cmp(key))
    }

    /// The profile with this key.
    pub(super) fn profile_of(&self, key: &str) -> Option<&str> {
        let line = &self.lines[self.find(key).ok()?];
        Some(&self.text[line.profile.clone()])
    }

    /// The text of a line, key and profile.
    pub(super) fn line_text(&self, line: &Line) -> &str {
        &self.text[line.begin..line.profile.end]
    }

    /// The layout with `upserted` in it, each in the place of the line with its key: texts that are to
    /// be written one after the other.
    pub(super) fn with(&self, upserted: &BTreeMap<&str, Entry>) -> Vec<Cow<'_, str>> {
        let mut texts = Texts::default();
        let mut written = 0;
        let mut is_first = self.lines.is_empty();
        for (key, entry) in upserted {
            match self.find(key).map_err(|place| self.lines.get(place)) {
                Ok(place) => {
                    let line = &self.lines[place];
                    texts.keep(&self.text[written..line.begin]);
                    entry.push_to(texts.new_text());
                    written = line.profile.end;
                }
                Err(Some(next)) => {
                    texts.keep(&self.text[written..next.begin]);
                    entry.push_to(texts.new_text());
                    texts.new_text().push_str(",\n");
                    written = next.begin;
                }
                Err(None) => {
                    texts.keep(&self.text[written..self.end()]);
                    let separator = if is_first { "\n" } else { ",\n" };
                    texts.new_text().push_str(separator);
                    entry.push_to(texts.new_text());
                    written = self.end();
                    is_first = false;
                }
            }
        }
        texts.keep(&self.text[written..]);
        texts.0
    }

    /// Where the last line ends, or where there would be one.
    fn end(&self) -> usize {
        let end_of = |line: &Line| line.profile.end;
        self.lines.last().map_or(BEGINNING.len() - 1, end_of)
    }
}

/// Texts, one after the other: kept ones where they stand, and new ones.
#[derive(Default)]
struct Texts<'t>(Vec<Cow<'t, str>>);

impl<'t> Texts<'t> {
    fn keep(&mut self, text: &'t str) {
        if text.len() < WORTH_KEEPING {
            self.new_text().push_str(text);
        } else {
            self.0.push(text.into());
        }
    }

    /// The new text at the end.
    fn new_text(&mut self) -> &mut String {
        if !matches!(self.0.last(), Some(Cow::Owned(_))) {
            self.0.push(Cow::Owned(String::new()));
        }
        match self.0.last_mut() {
            Some(text) => text.to_mut(),
            None => unreachable!("one was pushed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;
    use crate::email::CanonicalEmail;
    use crate::profile::CustomerProfile;

    type Customers = BTreeMap<usize, String>;

    fn profiles(customers: &Customers) -> Vec<CustomerProfile> {
        let profile = |(i, name): (&usize, &String)| {
            let email = CanonicalEmail::parse(&format!("customer-{i:03}@example.com"));
            CustomerProfile::new(email.expect("an address"), name, "Acme", "gold").expect("valid")
        };
        customers.iter().map(profile).collect()
    }

    /// What anybody would make of these customers without looking at what was there.
    fn file(customers: &Customers) -> String {
        let line =
            |profile: &CustomerProfile| format!("\"{}\":{}", profile.email(), profile.as_json());
        let lines: Vec<_> = profiles(customers).iter().map(line).collect();
        let end = if lines.is_empty() { "" } else { "\n" };
        format!("{BEGINNING}{}{end}{ENDING}", lines.join(",\n"))
    }

    proptest! {
        #[test]
        fn what_is_kept_and_what_is_new_make_one_file(
            mut customers in prop::collection::btree_map(0..300_usize, "[a-z]{1,200}", 0..200),
            changes in prop::collection::btree_map(0..300_usize, "[a-z]{1,9}", 0..9),
        ) {
            let before = file(&customers);
            let changed = profiles(&changes);
            let mut document = Document::parse(before.as_bytes()).expect("sound");
            for profile in &changed {
                let _upserted = document.upsert(profile);
            }
            customers.extend(changes);
            prop_assert_eq!(document.count(), customers.len());
            prop_assert_eq!(document.to_parts().concat(), file(&customers));
        }
    }

    #[test]
    fn most_of_a_long_file_is_written_from_where_it_stands() {
        let customers = (0..500).map(|i| (i * 2, "Alice".to_owned())).collect();
        let before = file(&customers);
        let changed = profiles(&BTreeMap::from([(501, "Bob".to_owned())]));
        let mut document = Document::parse(before.as_bytes()).expect("sound");
        let _upserted = document.upsert(&changed[0]);
        let texts = document.to_parts();
        assert!(matches!(
            &texts[..],
            [Cow::Borrowed(_), Cow::Owned(_), Cow::Borrowed(_)]
        ));
    }
}
