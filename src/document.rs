//! The bytes of one partition file: found in, replaced in, checked. No input or output.
//!
//! Any legal layout is read; the canonical layout is written: one line per profile, sorted by
//! the bytes of the canonical e-mail, so that `cat`, `grep`, `diff` and `jq` work on a file. All
//! that isn't the saved profile keeps the text of each token.

use std::borrow::Cow;
use std::collections::btree_map::{self, BTreeMap};

use crate::email::CanonicalEmail;
use crate::json::{self, Member, Position};
use crate::profile::{Field, ProfileRef, StoredProfile};

pub(crate) mod canonical;
mod check;
mod entry;
mod parts;
mod remark;

pub use check::Checked;
use entry::{Entry, member_text, push_member};
use parts::Parts;
pub use remark::{Remark, RemarkKind};

/// The name of the map that a partition file holds.
const PROFILES: &str = "profilesByCanonicalEmail";

/// A partition file that was read and found sound.
#[derive(Debug)]
pub struct Document<'a> {
    text: &'a str,
    profiles: BTreeMap<Cow<'a, str>, Entry<'a>>,
    others: Vec<Member<'a>>,
    is_changed: bool,
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
        StoredProfile::new(json::compact(self.profile))
    }
}

impl<'a> Document<'a> {
    /// The document of a partition that hasn't been written yet.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            text: "",
            profiles: BTreeMap::new(),
            others: Vec::new(),
            is_changed: false,
        }
    }

    /// Reads the whole file and checks it: syntax everywhere, and that no name is given twice in
    /// the file's object, in the map or in a profile. What a profile's fields hold isn't judged.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        if let Some(document) = Self::from_canonical(bytes) {
            return Ok(document);
        }
        let parts = Parts::of(bytes);
        match parts.corrupt() {
            Some(corrupt) => Err(corrupt),
            None => Ok(Self::from_parts(parts)),
        }
    }

    /// The key of each profile of a sound file in canonical layout with nothing beside the map, and
    /// where its line begins; `None` if it isn't such a file.
    pub(crate) fn lines(bytes: &[u8]) -> Option<impl Iterator<Item = (&str, usize)>> {
        let text = str::from_utf8(bytes).ok()?;
        let lines = canonical::lines(text)?.into_iter();
        Some(lines.map(|line| (line.key, json::offset_in(text, line.key_text))))
    }

    fn from_canonical(bytes: &'a [u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let entry = |line: canonical::Line<'a>| {
            let entry = Entry {
                key: line.key_text.into(),
                profile: line.profile.into(),
                is_compact: line.values.is_some(),
            };
            (line.key.into(), entry)
        };
        let lines = canonical::lines(text)?.into_iter();
        Some(Self {
            text,
            profiles: lines.map(entry).collect(),
            ..Self::empty()
        })
    }

    fn from_parts(parts: Parts<'a>) -> Self {
        let entry = |member: Member<'a>| {
            let entry = Entry {
                key: member.name_text.into(),
                profile: member.value.into(),
                is_compact: false,
            };
            (member.name, entry)
        };
        Self {
            text: parts.text,
            profiles: parts.profiles.into_iter().map(entry).collect(),
            others: parts.others,
            is_changed: false,
        }
    }

    /// How many profiles it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        self.profiles.len()
    }

    /// The profile of `email` as it is stored, on one line; `None` if there is none.
    ///
    /// It is an error if one of its own four fields is missing, isn't a non-empty string, or
    /// (the address) is another's: to answer it would pass a slip of the hand on as a fact.
    pub fn get(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Corrupt> {
        let Some(entry) = self.profiles.get(email.as_str()) else {
            return Ok(None);
        };
        // They were checked when the entry was read.
        let members = json::members(&entry.profile).unwrap_or_default();
        match fault_of(&entry.profile, &members, email) {
            None => Ok(Some(StoredProfile::new(json::compact(&entry.profile)))),
            Some(reason) => Err(Corrupt {
                position: self.position_of(&entry.profile),
                reason,
            }),
        }
    }

    fn position_of(&self, part: &str) -> Position {
        Position::at(self.text.as_bytes(), json::offset_in(self.text, part))
    }

    /// Sets the four fields of the profile and keeps what a person added to it: the four first,
    /// then the others in their order.
    pub fn upsert(&mut self, profile: impl Into<ProfileRef<'a>>) -> Upserted<'_> {
        let profile = profile.into();
        let (outcome, entry) = match self.profiles.entry(profile.email().into()) {
            btree_map::Entry::Vacant(place) => {
                let entry = Entry::new(profile, profile.as_json().into());
                (Outcome::Created, place.insert(entry))
            }
            btree_map::Entry::Occupied(place) => {
                let entry = place.into_mut();
                (entry.update(profile), entry)
            }
        };
        self.is_changed |= outcome != Outcome::Unchanged;
        Upserted {
            outcome,
            profile: &entry.profile,
        }
    }

    /// Whether anything was upserted that wasn't there already.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Each profile's key, and the text of both on one line, in the order of the keys.
    pub fn profiles(&self) -> impl Iterator<Item = (&str, String)> {
        let line = |entry: &Entry| member_text(&entry.key, &entry.profile);
        self.profiles
            .iter()
            .map(move |(key, entry)| (&**key, line(entry)))
    }

    /// The text of each member beside the map, in their order.
    pub fn others(&self) -> impl Iterator<Item = String> {
        self.others
            .iter()
            .map(|member| member_text(member.name_text, member.value))
    }

    /// The canonical layout of the document.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = String::with_capacity(self.text.len() + 1024);
        out.push_str(canonical::BEGINNING);
        let mut separator = "";
        for entry in self.profiles.values() {
            out.push_str(separator);
            entry.push_to(&mut out);
            separator = ",\n";
        }
        if !self.profiles.is_empty() {
            out.push('\n');
        }
        if self.others.is_empty() {
            out.push_str(canonical::ENDING);
            return out.into_bytes();
        }
        out.push('}');
        for member in &self.others {
            out.push_str(",\n");
            push_member(&mut out, member.name_text, member.value);
        }
        out.push_str("\n}\n");
        out.into_bytes()
    }
}

/// The stored profile that `text` is, if it is sound and its own fields are.
pub(crate) fn stored(text: &str, email: &CanonicalEmail) -> Option<StoredProfile> {
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
