//! Everything that the person responsible for a partition file wants to know about it, at once and
//! with its place.

use std::collections::BTreeMap;

use super::parts::{Fault, Parts};
use super::remark::{Remark, RemarkKind};
use super::{Document, canonical, field_fault};
use crate::email::{CanonicalEmail, EmailError};
use crate::json::{self, Member, Position, Positions};
use crate::partition::Partition;
use crate::profile::Field;

/// What a check of a partition file found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many profiles could be told apart.
    pub profiles: usize,
    /// All that is to be said, in the order of the file.
    pub remarks: Vec<Remark>,
}

impl Document<'_> {
    /// Finds all that is wrong or unusual in the file of this partition.
    #[must_use]
    pub fn check(file: &[u8], partition: Partition) -> Checked {
        if let Some(profiles) = unremarkable(file, partition) {
            return Checked {
                profiles,
                remarks: Vec::new(),
            };
        }
        let mut check = Check {
            parts: Parts::of(file),
            partition,
            remarks: Vec::new(),
        };
        check.members_beside_the_map();
        check.profiles();
        let profiles = check.parts.profiles.len();
        Checked {
            profiles,
            remarks: check.finish(file),
        }
    }
}

/// How many profiles there are in a file about which there is plainly nothing to say, as in most. `None`
/// says no more than that it must be looked at part by part.
fn unremarkable(file: &[u8], partition: Partition) -> Option<usize> {
    let (mut profiles, mut is_unremarkable) = (0, true);
    canonical::for_each_line(str::from_utf8(file).ok()?, |line| {
        profiles += 1;
        is_unremarkable &= is_plain(&line, partition);
    })?;
    is_unremarkable.then_some(profiles)
}

/// Whether a line holds a profile of this partition under its own address, with the four fields and
/// no more.
fn is_plain(line: &canonical::Line, partition: Partition) -> bool {
    let key = line.key();
    let is_own =
        |email: CanonicalEmail| email.as_str() == key && Partition::of(&email) == partition;
    let is_right =
        |values: [&str; 4]| values[0] == key && values.iter().all(|value| !value.is_empty());
    line.values().is_some_and(is_right) && CanonicalEmail::parse(key).is_ok_and(is_own)
}

/// A check under way. Remarks are placed at its end, in one pass over the text.
struct Check<'a> {
    parts: Parts<'a>,
    partition: Partition,
    remarks: Vec<(usize, RemarkKind)>,
}

impl<'a> Check<'a> {
    fn remark(&mut self, part: &str, kind: RemarkKind) {
        self.remarks
            .push((json::offset_in(self.parts.text, part), kind));
    }

    fn members_beside_the_map(&mut self) {
        let others = self.parts.others.clone();
        self.unknown_members(None, &others.iter().collect::<Vec<_>>());
    }

    fn unknown_members(&mut self, key: Option<&str>, unknown: &[&Member]) {
        let Some(first) = unknown.first() else { return };
        let names = unknown.iter().map(|member| member.name.clone().into());
        let kind = RemarkKind::UnknownMembers {
            key: key.map(str::to_owned),
            names: names.collect(),
        };
        self.remark(first.name_text, kind);
    }

    fn profiles(&mut self) {
        let profiles = std::mem::take(&mut self.parts.profiles);
        let spellings = Spellings::of(&profiles);
        for member in &profiles {
            let email = CanonicalEmail::parse(&member.name);
            self.key(member, &email, &spellings);
            self.profile(member, email.ok().as_ref());
        }
        self.parts.profiles = profiles;
    }

    fn key(
        &mut self,
        member: &Member<'a>,
        email: &Result<CanonicalEmail, EmailError>,
        spellings: &Spellings<'_>,
    ) {
        let key = || member.name.clone().into_owned();
        if !email.as_ref().is_ok_and(|e| e.as_str() == member.name) {
            let kind = RemarkKind::KeyNotCanonical {
                key: key(),
                canonical: email.clone(),
                twin: email
                    .as_ref()
                    .ok()
                    .and_then(|e| spellings.twin(e, &member.name)),
            };
            self.remark(member.name_text, kind);
        }
        if let Some(home) = email.as_ref().ok().map(Partition::of)
            && home != self.partition
        {
            self.remark(member.name_text, RemarkKind::Misplaced { key: key(), home });
        }
    }

    /// The fields and further members of a profile. One that is no object has its fault already.
    fn profile(&mut self, profile: &Member<'a>, email: Option<&CanonicalEmail>) {
        let Ok((members, _)) = json::members_and_faults(profile.value) else {
            return;
        };
        // Under a key that isn't canonical, the canonical address is no further mistake.
        let own = [&*profile.name, email.map_or("", CanonicalEmail::as_str)];
        for field in Field::ALL {
            if let Some((part, reason)) = field_fault(profile.value, &members, field, &own) {
                let key = profile.name.clone().into_owned();
                self.remark(part, RemarkKind::BadField { key, reason });
            }
        }
        let is_unknown = |member: &&Member| Field::from_name(&member.name).is_none();
        let unknown: Vec<_> = members.iter().filter(is_unknown).collect();
        self.unknown_members(Some(&profile.name), &unknown);
    }

    /// All remarks with their places, in the order of these.
    fn finish(mut self, file: &[u8]) -> Vec<Remark> {
        let is_sound = self.parts.faults.is_empty();
        for Fault {
            offset,
            reason,
            name,
        } in self.parts.faults.drain(..)
        {
            self.remarks
                .push((offset, RemarkKind::Corrupt { reason, name }));
        }
        self.remarks.sort_by_key(|(offset, _)| *offset);
        let mut positions = Positions::of(self.parts.bytes);
        let placed = |(offset, kind)| Remark {
            position: positions.at(offset),
            kind,
        };
        let mut remarks: Vec<_> = self.remarks.into_iter().map(placed).collect();
        if is_sound {
            remarks.extend(other_layout(file, &Document::from_parts(&self.parts)));
        }
        remarks.sort_by_key(|remark| remark.position);
        remarks
    }
}

/// The keys of a file by their canonical form.
struct Spellings<'p>(BTreeMap<CanonicalEmail, Vec<&'p str>>);

impl<'p> Spellings<'p> {
    fn of(profiles: &'p [Member]) -> Self {
        let mut spellings: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for profile in profiles {
            if let Ok(email) = CanonicalEmail::parse(&profile.name) {
                spellings.entry(email).or_default().push(&*profile.name);
            }
        }
        Self(spellings)
    }

    /// Another key than this one of the same address, the canonical one before others.
    fn twin(&self, email: &CanonicalEmail, key: &str) -> Option<String> {
        let others = self.0.get(email)?.iter().filter(|other| **other != key);
        let twin = others.min_by_key(|other| **other != email.as_str());
        twin.map(|twin| (*twin).to_owned())
    }
}

/// Where the file begins to differ from what the next save would make of it.
fn other_layout(file: &[u8], document: &Document) -> Option<Remark> {
    let canonical = document.to_bytes();
    if file == canonical {
        return None;
    }
    let same = file
        .iter()
        .zip(&canonical)
        .take_while(|(a, b)| a == b)
        .count();
    Some(Remark {
        position: Position::at(file, same),
        kind: RemarkKind::OtherLayout,
    })
}
