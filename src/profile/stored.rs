//! A profile as a partition file holds it.

use super::{Field, field_in};

/// A profile as a partition file holds it: one line of compact JSON with the four fields and
/// whatever a person added to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProfile(String);

impl StoredProfile {
    /// Takes `json`, one line of compact JSON in which the four fields were found to be valid.
    pub(crate) fn new(json: String) -> Self {
        Self(json)
    }

    /// The whole profile, one line of JSON without a line break at its end.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The same, given away.
    #[must_use]
    pub fn into_json(self) -> String {
        self.0
    }

    /// One field's text, decoded.
    #[must_use]
    pub fn field(&self, field: Field) -> String {
        field_in(&self.0, field)
    }
}
