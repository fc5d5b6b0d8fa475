//! One key of the map with its profile: saved over, and written down.

use std::borrow::Cow;

use super::Outcome;
use crate::json::{self, Member};
use crate::profile::{Field, ProfileRef};

/// A key of the map and its profile, as they are written.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) profile: Cow<'a, str>,
    /// Whether the profile is known to hold no white space between its tokens.
    pub(super) is_compact: bool,
}

impl<'a> Entry<'a> {
    /// What is kept of `profile` once it is written as `text`.
    pub(super) fn new(profile: ProfileRef<'a>, text: Cow<'a, str>) -> Self {
        Self {
            key: profile.email_text().into(),
            profile: text,
            is_compact: true,
        }
    }

    /// Sets the four fields, unless they are the same already.
    pub(super) fn update(&mut self, profile: ProfileRef<'a>) -> Outcome {
        if self.profile == profile.as_json() {
            return Outcome::Unchanged;
        }
        // They were checked when the entry was read, and an entry made here is sound.
        let old = json::members(&self.profile).unwrap_or_default();
        let new = json::members(profile.as_json()).unwrap_or_default();
        let is_same = |field: Field| field.of(&old) == field.of(&new);
        if Field::ALL.into_iter().all(is_same) {
            return Outcome::Unchanged;
        }
        *self = Self::new(profile, merge(profile, &old));
        Outcome::Updated
    }

    pub(super) fn push_to(&self, out: &mut String) {
        if self.is_compact {
            out.push_str(&self.key);
            out.push(':');
            out.push_str(&self.profile);
        } else {
            push_member(out, &self.key, &self.profile);
        }
    }
}

/// The four fields of `profile`, then the members of `old` that are not among them.
fn merge<'a>(profile: ProfileRef<'a>, old: &[Member]) -> Cow<'a, str> {
    let mut merged = Cow::Borrowed(profile.as_json());
    let is_added = |member: &&Member| Field::from_name(&member.name).is_none();
    for member in old.iter().filter(is_added) {
        let text = merged.to_mut();
        text.truncate(text.len() - "}".len());
        text.push(',');
        push_member(text, member.name_text, member.value);
        text.push('}');
    }
    merged
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
