//! Valid records, packed one after the other: an allocation for each of a million profiles would
//! take longer than reading them.

use std::collections::HashSet;

use crate::profile::ProfileRef;

/// Profiles and the lines on which they stood, in input order.
#[derive(Default)]
pub(super) struct Records {
    /// The address and the JSON of each.
    texts: String,
    places: Vec<Place>,
}

/// Where one record is.
struct Place {
    line: u64,
    /// Where the address ends, which begins where the record before ended.
    email_end: usize,
    /// Where the JSON ends, which begins where the address ends.
    end: usize,
}

impl Records {
    pub(super) fn push(&mut self, line: u64, profile: ProfileRef<'_>) {
        self.texts.push_str(profile.email());
        let email_end = self.texts.len();
        self.texts.push_str(profile.as_json());
        self.places.push(Place {
            line,
            email_end,
            end: self.texts.len(),
        });
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes [`Records::push`] takes for a profile.
    pub(super) fn bytes_of(profile: ProfileRef<'_>) -> usize {
        profile.email().len() + profile.as_json().len() + size_of::<Place>()
    }

    /// Each record's line and profile.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, ProfileRef<'_>)> {
        (0..self.places.len()).map(|i| self.get(i))
    }

    fn get(&self, i: usize) -> (u64, ProfileRef<'_>) {
        let begin = i.checked_sub(1).map_or(0, |before| self.places[before].end);
        let place = &self.places[i];
        let email = &self.texts[begin..place.email_end];
        let json = &self.texts[place.email_end..place.end];
        (place.line, ProfileRef::new(email, json))
    }

    /// The latest record of each address, and how many others there were.
    pub(super) fn latest(self) -> (Self, u64) {
        let mut seen = HashSet::with_capacity(self.len());
        let is_latest: Vec<_> = self
            .iter()
            .rev()
            .map(|(_, profile)| seen.insert(profile.email()))
            .collect();
        let superseded = is_latest.len() - seen.len();
        drop(seen);
        if superseded == 0 {
            return (self, 0);
        }
        let mut latest = Self::default();
        for ((line, profile), is_latest) in self.iter().zip(is_latest.iter().rev()) {
            if *is_latest {
                latest.push(line, profile);
            }
        }
        (latest, superseded as u64)
    }
}
