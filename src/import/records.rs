//! Valid records, packed one after the other: an allocation for each of a million profiles would
//! take longer than reading them.

use crate::profile::ProfileRef;

/// Profiles and the lines on which they stood, in input order.
#[derive(Default)]
pub(super) struct Records {
    /// The address and the JSON of each.
    texts: String,
    places: Vec<Place>,
}

/// A profile and the line on which it stood.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) line: u64,
    pub(super) profile: ProfileRef<'a>,
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
    /// Room for as many records as a text of so many bytes holds: an address is there twice.
    pub(super) fn of_text(bytes: usize) -> Self {
        Self {
            texts: String::with_capacity(bytes + bytes / 4),
            places: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, record: Record<'_>) {
        self.texts.push_str(record.profile.email());
        let email_end = self.texts.len();
        self.texts.push_str(record.profile.as_json());
        self.places.push(Place {
            line: record.line,
            email_end,
            end: self.texts.len(),
        });
    }

    /// Counts the lines from where `lines` more have gone before.
    pub(super) fn move_down(&mut self, lines: u64) {
        for place in &mut self.places {
            place.line += lines;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes of memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.texts.capacity() + self.places.capacity() * size_of::<Place>()
    }

    /// The record with this number, counted from 0. It must be there.
    pub(super) fn get(&self, number: usize) -> Record<'_> {
        let before = number.checked_sub(1);
        let begin = before.map_or(0, |before| self.places[before].end);
        let place = &self.places[number];
        let email = &self.texts[begin..place.email_end];
        let json = &self.texts[place.email_end..place.end];
        Record {
            line: place.line,
            profile: ProfileRef::new(email, json),
        }
    }
}
