//! What became of the records of an import: a sum that adds up.

use serde::Serialize;

use crate::document::Outcome;

/// How many records an import read, and what became of them. All others add up to `read`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Records that were read, blank lines left out.
    pub read: u64,
    /// Saved, where there was no such profile.
    pub created: u64,
    /// Saved over other values.
    pub updated: u64,
    /// There already, with these values.
    pub unchanged: u64,
    /// Left out, because a later record has the same address.
    pub superseded: u64,
    /// Not saved: not a valid profile.
    pub rejected: u64,
    /// Not saved: another writer held the partition.
    pub in_conflict: u64,
    /// Not saved, or not known to be safe: the partition is corrupt, or the disk failed.
    pub failed: u64,
    /// Not saved: the import was stopped before.
    pub not_reached: u64,
}

impl Summary {
    /// Counts a profile that was saved, or would have been.
    pub(super) fn saved(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Updated => self.updated += 1,
            Outcome::Unchanged => self.unchanged += 1,
        }
    }

    /// The parts of the sum with their names, in the order in which they are told.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, u64); 8] {
        [
            ("created", self.created),
            ("updated", self.updated),
            ("unchanged", self.unchanged),
            ("superseded", self.superseded),
            ("rejected", self.rejected),
            ("in conflict", self.in_conflict),
            ("failed", self.failed),
            ("not reached", self.not_reached),
        ]
    }

    /// How many records it is settled of what became of them.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.parts().iter().map(|(_, records)| records).sum()
    }
}
