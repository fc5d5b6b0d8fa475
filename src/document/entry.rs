//! One key of the map with its profile: saved over, and written down.

use std::borrow::Cow;

use crate::json::{self, Member};
use crate::profile::{Field, ProfileRef};

/// A key of the map and its profile, as they are written.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    key_text: &'a str,
    pub(super) profile: Cow<'a, str>,
}

impl<'a> Entry<'a> {
    /// What is kept of `profile` once it is written as `text`.
    pub(super) fn new(profile: ProfileRef<'a>, text: Cow<'a, str>) -> Self {
        Self {
            key_text: profile.email_text(),
            profile: text,
        }
    }

    pub(super) fn push_to(&self, out: &mut String) {
        out.push_str(self.key_text);
        out.push(':');
        out.push_str(&self.profile);
    }
}

/// What a profile is written as over `old`: its four fields, then the members of `old` that are not
/// among them. `None` if the four are there already.
pub(super) fn merged<'a>(profile: ProfileRef<'a>, old: &str) -> Option<Cow<'a, str>> {
    if old == profile.as_json() {
        return None;
    }
    // They were checked when the file was read, and a profile is sound.
    let old = json::members(old).unwrap_or_default();
    let new = json::members(profile.as_json()).unwrap_or_default();
    let is_same = |field: Field| field.of(&old) == field.of(&new);
    if Field::ALL.into_iter().all(is_same) {
        return None;
    }
    let mut merged = Cow::Borrowed(profile.as_json());
    let is_added = |member: &&Member| Field::from_name(&member.name).is_none();
    for member in old.iter().filter(is_added) {
        let text = merged.to_mut();
        text.truncate(text.len() - "}".len());
        text.push(',');
        push_member(text, member.name_text, member.value);
        text.push('}');
    }
    Some(merged)
}

/// A member on one line.
pub(super) fn member_text(name_text: &str, value: &str) -> String {
    let mut out = String::new();
    push_member(&mut out, name_text, value);
    out
}

/// Appends a member on one line.
pub(super) fn push_member(out: &mut String, name_text: &str, value: &str) {
    out.push_str(name_text);
    out.push(':');
    json::compact_into(out, value);
}
