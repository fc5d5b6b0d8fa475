//! A partition file taken apart as far as it goes, and all that keeps it from being used.

use super::{Corrupt, PROFILES};
use crate::json::{self, JsonError, Member, Position, Reason};

/// What a partition file consists of. Only without faults is it the whole.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    /// The file without a byte order mark: what all offsets are counted in.
    pub(super) bytes: &'a [u8],
    /// The same as text; empty if it isn't any.
    pub(super) text: &'a str,
    /// The members of the map, in their order.
    pub(super) profiles: Vec<Member<'a>>,
    /// The members beside the map, in theirs.
    pub(super) others: Vec<Member<'a>>,
    /// Why the file is corrupt.
    pub(super) faults: Vec<Fault>,
}

/// One reason why a file is corrupt.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    /// Repeats nothing of what the file holds.
    pub(super) reason: String,
    /// The name that is given twice, which only those who may read the file may see.
    pub(super) name: Option<String>,
}

impl<'a> Parts<'a> {
    /// Takes a file apart.
    pub(super) fn of(file: &'a [u8]) -> Self {
        let mut parts = Self {
            bytes: file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file),
            ..Self::default()
        };
        if let Err(fault) = parts.take_apart() {
            parts.faults.push(fault);
        }
        parts
    }

    /// The first fault, in the order in which a file is taken apart.
    pub(super) fn corrupt(&self) -> Option<Corrupt> {
        let fault = self.faults.first()?;
        Some(Corrupt {
            position: Position::at(self.bytes, fault.offset),
            reason: fault.reason.clone(),
        })
    }

    fn take_apart(&mut self) -> Result<(), Fault> {
        self.text = str::from_utf8(self.bytes)
            .map_err(|e| Fault::new(e.valid_up_to(), "the file is not UTF-8"))?;
        if self.text.is_empty() {
            return Err(Fault::new(0, "the file is empty"));
        }
        let members = self.members(self.text)?.into_iter();
        let (maps, others): (Vec<_>, Vec<_>) = members.partition(|member| member.name == PROFILES);
        self.others = others;
        if maps.is_empty() {
            let start = self.text.len() - self.text.trim_start().len();
            return Err(Fault::new(start, &format!("`{PROFILES}` is missing")));
        }
        for map in maps {
            let profiles = self.members_or_fault(map.value);
            for profile in &profiles {
                self.members_or_fault(profile.value);
            }
            self.profiles.extend(profiles);
        }
        Ok(())
    }

    fn members_or_fault(&mut self, value: &'a str) -> Vec<Member<'a>> {
        self.members(value).unwrap_or_else(|fault| {
            self.faults.push(fault);
            Vec::new()
        })
    }

    /// The members of an object in the text. What is wrong with their names goes to the faults.
    fn members(&mut self, value: &'a str) -> Result<Vec<Member<'a>>, Fault> {
        let start = json::offset_in(self.text, value);
        let fault = |error: JsonError| Fault::within(start, error);
        let (members, faults) = json::members_and_faults(value).map_err(fault)?;
        self.faults.extend(faults.into_iter().map(fault));
        Ok(members)
    }
}

impl Fault {
    fn new(offset: usize, reason: &str) -> Self {
        Self {
            offset,
            reason: reason.to_owned(),
            name: None,
        }
    }

    /// What is wrong with an object that begins at `start`.
    fn within(start: usize, JsonError { offset, reason }: JsonError) -> Self {
        let text = match &reason {
            Reason::NotAnObject | Reason::UndecodableName | Reason::Repeated(_) => {
                reason.to_string()
            }
            Reason::Syntax(message) => format!("invalid JSON: {message}"),
        };
        let name = match reason {
            Reason::Repeated(name) => Some(name),
            Reason::NotAnObject | Reason::UndecodableName | Reason::Syntax(_) => None,
        };
        Self {
            name,
            ..Self::new(start + offset, &text)
        }
    }
}
