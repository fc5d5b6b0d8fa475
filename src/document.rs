//! The bytes of one partition file: found in, replaced in, checked. No input or output.
//!
//! Any legal layout is read; the canonical layout is written: one line per profile, sorted by
//! the bytes of the canonical e-mail, so that `cat`, `grep`, `diff` and `jq` work on a file. All
//! that isn't the saved profile keeps the text of each token.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use crate::email::CanonicalEmail;
use crate::json::{self, Member, Position};
use crate::profile::{Field, ProfileRef, StoredProfile};

pub(crate) mod canonical;
mod check;
mod entry;
mod layout;
mod parts;
mod remark;

pub use check::Checked;
use entry::{Entry, member_text, merged};
use layout::Layout;
use parts::Parts;
pub use remark::{Remark, RemarkKind};

/// The name of the map that a partition file holds.
const PROFILES: &str = "profilesByCanonicalEmail";

/// A partition file that was read and found sound.
#[derive(Debug)]
pub struct Document<'a> {
    /// The file as it was read, without a byte order mark.
    file: &'a str,
    /// What it held, in canonical layout.
    layout: Layout<'a>,
    /// What was upserted since, over what it held.
    upserted: BTreeMap<&'a str, Entry<'a>>,
    others: Vec<Member<'a>>,
}

/// Why a partition file, or one profile in it, can't be used. The text says where, and repeats
/// nothing of what the file holds, so that it may be logged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct Corrupt {
    /// Where in the file.
    pub position: Position,
    /// What is wrong there.
    pub reason: String,
}

/// What an upsert did to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There was no such profile.
    Created,
    /// There was one, with other values.
    Updated,
    /// The four values were there already: the document is as it was.
    Unchanged,
}

/// A profile that was upserted into a document.
#[derive(Clone, Copy, Debug)]
pub struct Upserted<'d> {
    /// What it did.
    pub outcome: Outcome,
    profile: &'d str,
}

impl Upserted<'_> {
    /// The whole profile, as the document holds it now.
    #[must_use]
    pub fn stored(&self) -> StoredProfile {
        StoredProfile::new(self.profile.to_owned())
    }
}

impl<'a> Document<'a> {
    /// The document of a partition that hasn't been written yet.
    #[must_use]
    pub fn empty() -> Self {
        Self::new("", Layout::empty())
    }

    fn new(file: &'a str, layout: Layout<'a>) -> Self {
        Self {
            file,
            layout,
            upserted: BTreeMap::new(),
            others: Vec::new(),
        }
    }

    /// Reads the whole file and checks it: syntax everywhere, and that no name is given twice in
    /// the file's object, in the map or in a profile. What a profile's fields hold isn't judged.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        if let Ok(file) = str::from_utf8(bytes)
            && let Some(layout) = Layout::of_canonical(file)
        {
            return Ok(Self::new(file, layout));
        }
        let parts = Parts::of(bytes);
        match parts.corrupt() {
            Some(corrupt) => Err(corrupt),
            None => Ok(Self::from_parts(&parts)),
        }
    }

    fn from_parts(parts: &Parts<'a>) -> Self {
        Self {
            others: parts.others.clone(),
            ..Self::new(parts.text, Layout::of_parts(parts))
        }
    }

    /// The key of each profile of a sound file in canonical layout with nothing beside the map, and
    /// where its line begins; `None` if it isn't such a file.
    pub(crate) fn lines(bytes: &[u8]) -> Option<impl Iterator<Item = (Cow<'_, str>, usize)>> {
        let layout = Layout::of_canonical(str::from_utf8(bytes).ok()?)?;
        let lines = layout.lines.into_iter();
        Some(lines.map(|line| (line.key, line.begin)))
    }

    /// How many profiles it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        let is_new = |key: &&&str| self.layout.find(key).is_err();
        self.layout.lines.len() + self.upserted.keys().filter(is_new).count()
    }

    /// The profile of `email` as it is stored, on one line; `None` if there is none.
    ///
    /// It is an error if one of its own four fields is missing, isn't a non-empty string, or
    /// (the address) is another's: to answer it would pass a slip of the hand on as a fact.
    pub fn get(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Corrupt> {
        let Some(profile) = self.profile(email.as_str()) else {
            return Ok(None);
        };
        // They were checked when the file was read.
        let members = json::members(profile).unwrap_or_default();
        match fault_of(profile, &members, email) {
            None => Ok(Some(StoredProfile::new(profile.to_owned()))),
            Some(reason) => Err(Corrupt {
                position: self.position_of(email),
                reason,
            }),
        }
    }

    fn profile(&self, key: &str) -> Option<&str> {
        if let Some(entry) = self.upserted.get(key) {
            return Some(&entry.profile);
        }
        self.layout.profile_of(key)
    }

    /// Where the file that was read holds the profile of `email`.
    fn position_of(&self, email: &CanonicalEmail) -> Position {
        let parts = Parts::of(self.file.as_bytes());
        let own = |member: &&Member| member.name == email.as_str();
        let own = parts.profiles.iter().find(own);
        let at = own.map_or(0, |own| json::offset_in(self.file, own.value));
        Position::at(self.file.as_bytes(), at)
    }

    /// Sets the four fields of the profile and keeps what a person added to it: the four first,
    /// then the others in their order.
    pub fn upsert(&mut self, profile: impl Into<ProfileRef<'a>>) -> Upserted<'_> {
        let profile = profile.into();
        let (outcome, profile) = match self.upserted.entry(profile.email()) {
            Slot::Occupied(slot) => {
                let entry = slot.into_mut();
                let merged = merged(profile, &entry.profile).map(|text| entry.profile = text);
                let outcome = merged.map_or(Outcome::Unchanged, |()| Outcome::Updated);
                (outcome, &*entry.profile)
            }
            Slot::Vacant(slot) => {
                let (outcome, text) = match self.layout.profile_of(profile.email()) {
                    None => (Outcome::Created, profile.as_json().into()),
                    Some(old) => match merged(profile, old) {
                        Some(text) => (Outcome::Updated, text),
                        None => {
                            return Upserted {
                                outcome: Outcome::Unchanged,
                                profile: old,
                            };
                        }
                    },
                };
                (outcome, &*slot.insert(Entry::new(profile, text)).profile)
            }
        };
        Upserted { outcome, profile }
    }

    /// Whether anything was upserted that wasn't there already.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.upserted.is_empty()
    }

    /// Each profile's key, and the text of both on one line, in the order of the keys, as the file
    /// that was read held them.
    pub fn profiles(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.layout.lines.iter();
        lines.map(|line| (&*line.key, self.layout.line_text(line)))
    }

    /// The text of each member beside the map, in their order.
    pub fn others(&self) -> impl Iterator<Item = String> {
        self.others
            .iter()
            .map(|member| member_text(member.name_text, member.value))
    }

    /// The canonical layout of the document, in parts that are to be written one after the other.
    #[must_use]
    pub fn to_parts(&self) -> Vec<Cow<'_, str>> {
        self.layout.with(&self.upserted)
    }

    /// The canonical layout of the document.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_parts().concat().into_bytes()
    }
}

/// The stored profile that `text` is, if it is sound and its own fields are.
pub(crate) fn stored(text: &str, email: &CanonicalEmail) -> Option<StoredProfile> {
    if canonical::is_plain_profile(text, email.as_str()) {
        return Some(StoredProfile::new(text.to_owned()));
    }
    let members = json::members(text).ok()?;
    let is_sound = fault_of(text, &members, email).is_none();
    is_sound.then(|| StoredProfile::new(json::compact(text)))
}

/// What is wrong with the fields of the profile of `email`.
fn fault_of(profile: &str, members: &[Member], email: &CanonicalEmail) -> Option<String> {
    let fault = |field| field_fault(profile, members, field, &[email.as_str()]);
    Field::ALL
        .into_iter()
        .find_map(fault)
        .map(|(_, reason)| reason)
}

/// What is wrong with a field of `profile`, and at which part of its text. The address must be one
/// of `own`.
fn field_fault<'p>(
    profile: &'p str,
    members: &[Member<'p>],
    field: Field,
    own: &[&str],
) -> Option<(&'p str, String)> {
    let Some(member) = members.iter().find(|member| member.name == field.name()) else {
        return Some((profile, format!("the profile's {field} is missing")));
    };
    let wrong = match json::string(member.value) {
        Some(text) if text.is_empty() => "is empty",
        Some(text) if field == Field::EmailAddress && !own.contains(&&*text) => {
            "differs from its key"
        }
        Some(_) => return None,
        None => "is not a string",
    };
    Some((member.value, format!("the profile's {field} {wrong}")))
}
