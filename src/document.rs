//! The bytes of one partition file: found in, replaced in, checked. No input or output.
//!
//! Any legal layout is read; the canonical layout is written: one line per profile, sorted by
//! the bytes of the canonical e-mail, so that `cat`, `grep`, `diff` and `jq` work on a file. All
//! that isn't the saved profile keeps the text of each token.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::email::CanonicalEmail;
use crate::json::{self, JsonError, Member, Position, Reason};
use crate::profile::{CustomerProfile, Field, StoredProfile};

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

/// A key of the map and its profile, as they are written.
#[derive(Debug)]
struct Entry<'a> {
    key: Cow<'a, str>,
    profile: Cow<'a, str>,
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
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = str::from_utf8(bytes)
            .map_err(|e| corrupt(bytes, e.valid_up_to(), "the file is not UTF-8"))?;
        if text.is_empty() {
            return Err(corrupt(bytes, 0, "the file is empty"));
        }
        let (map, others): (Vec<_>, Vec<_>) = members_within(text, text)?
            .into_iter()
            .partition(|member| member.name == PROFILES);
        let Some(map) = map.first() else {
            let start = text.len() - text.trim_start().len();
            return Err(corrupt(bytes, start, &format!("`{PROFILES}` is missing")));
        };
        let mut profiles = BTreeMap::new();
        for member in members_within(text, map.value)? {
            members_within(text, member.value)?;
            let entry = Entry {
                key: member.name_text.into(),
                profile: member.value.into(),
            };
            profiles.insert(member.name, entry);
        }
        Ok(Self {
            text,
            profiles,
            others,
            is_changed: false,
        })
    }

    /// The profile of `email` as it is stored, on one line; `None` if there is none.
    ///
    /// It is an error if one of its own four fields is missing, isn't a non-empty string, or
    /// (the address) is another's: to answer it would pass a slip of the hand on as a fact.
    pub fn get(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Corrupt> {
        let Some(entry) = self.profiles.get(email.as_str()) else {
            return Ok(None);
        };
        let members = members_within(self.text, &entry.profile)?;
        for field in Field::ALL {
            if let Err(reason) = check_field(&members, field, email) {
                let offset = json::offset_in(self.text, &entry.profile);
                return Err(corrupt(self.text.as_bytes(), offset, &reason));
            }
        }
        Ok(Some(StoredProfile::new(json::compact(&entry.profile))))
    }

    /// Sets the four fields of the profile and keeps what a person added to it: the four first,
    /// then the others in their order. Answers the whole stored profile.
    pub fn upsert(&mut self, profile: &CustomerProfile) -> (Outcome, StoredProfile) {
        let email = profile.email().as_str();
        let old = self.profiles.get(email).map(|entry| entry.profile.clone());
        let Some(old) = old else {
            return (
                Outcome::Created,
                self.insert(email, profile.as_json().to_owned()),
            );
        };
        if old == profile.as_json() {
            return (Outcome::Unchanged, StoredProfile::new(old.into_owned()));
        }
        // They were checked when the entry was read, and an entry made here is sound.
        let members = json::members(&old).unwrap_or_default();
        let new = json::members(profile.as_json()).unwrap_or_default();
        if Field::ALL
            .into_iter()
            .all(|field| field.of(&members) == field.of(&new))
        {
            return (Outcome::Unchanged, StoredProfile::new(json::compact(&old)));
        }
        (
            Outcome::Updated,
            self.insert(email, merge(profile, &members)),
        )
    }

    /// Whether anything was upserted that wasn't there already.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    fn insert(&mut self, email: &str, profile: String) -> StoredProfile {
        let entry = Entry {
            key: json::quoted(email).into(),
            profile: profile.clone().into(),
        };
        self.is_changed = true;
        self.profiles.insert(Cow::Owned(email.to_owned()), entry);
        StoredProfile::new(profile)
    }

    /// The canonical layout of the document.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = String::with_capacity(self.text.len() + 1024);
        out.push_str("{\"profilesByCanonicalEmail\":{\n");
        let mut separator = "";
        for entry in self.profiles.values() {
            out.push_str(separator);
            push_member(&mut out, &entry.key, &entry.profile);
            separator = ",\n";
        }
        out.push_str(if self.profiles.is_empty() { "}" } else { "\n}" });
        for member in &self.others {
            out.push_str(",\n");
            push_member(&mut out, member.name_text, member.value);
        }
        out.push_str(if self.others.is_empty() {
            "}\n"
        } else {
            "\n}\n"
        });
        out.into_bytes()
    }
}

/// The members of an object that stands in `text`, errors placed in `text`.
fn members_within<'v>(text: &str, value: &'v str) -> Result<Vec<Member<'v>>, Corrupt> {
    json::members(value).map_err(|JsonError { offset, reason }| {
        let offset = json::offset_in(text, value) + offset;
        let reason = match reason {
            Reason::NotAnObject | Reason::UndecodableName | Reason::Repeated(_) => {
                reason.to_string()
            }
            Reason::Syntax(message) => format!("invalid JSON: {message}"),
        };
        corrupt(text.as_bytes(), offset, &reason)
    })
}

fn corrupt(bytes: &[u8], offset: usize, reason: &str) -> Corrupt {
    Corrupt {
        position: Position::at(bytes, offset),
        reason: reason.to_owned(),
    }
}

fn check_field(members: &[Member], field: Field, email: &CanonicalEmail) -> Result<(), String> {
    let member = members.iter().find(|member| member.name == field.name());
    let value = member
        .ok_or_else(|| format!("the profile's {field} is missing"))?
        .value;
    match json::string(value) {
        Some(text) if text.is_empty() => Err(format!("the profile's {field} is empty")),
        Some(text) if field == Field::EmailAddress && text != email.as_str() => {
            Err(format!("the profile's {field} differs from its key"))
        }
        Some(_) => Ok(()),
        None => Err(format!("the profile's {field} is not a string")),
    }
}

/// The four fields of `profile`, then the members of `old` that are not among them.
fn merge(profile: &CustomerProfile, old: &[Member]) -> String {
    let mut out = profile.as_json().to_owned();
    out.pop();
    for member in old
        .iter()
        .filter(|member| Field::from_name(&member.name).is_none())
    {
        out.push(',');
        push_member(&mut out, member.name_text, member.value);
    }
    out.push('}');
    out
}

fn push_member(out: &mut String, name_text: &str, value: &str) {
    out.push_str(name_text);
    out.push(':');
    json::compact_into(out, value);
}
