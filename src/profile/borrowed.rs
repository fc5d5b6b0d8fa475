//! A valid profile whose text is kept elsewhere.

use super::{CustomerProfile, Field, field_in};
use crate::json;

/// A valid profile that is kept elsewhere, packed with others perhaps: to [`CustomerProfile`] as
/// `str` is to `String`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileRef<'a> {
    email: &'a str,
    json: &'a str,
}

/// How the JSON of every profile begins.
const BEFORE_EMAIL: &str = "{\"emailAddress\":";

impl<'a> ProfileRef<'a> {
    /// The profile that was taken apart into these two.
    pub(crate) fn new(email: &'a str, json: &'a str) -> Self {
        Self { email, json }
    }

    /// The canonical e-mail.
    #[must_use]
    pub fn email(self) -> &'a str {
        self.email
    }

    /// The four fields as compact JSON.
    #[must_use]
    pub fn as_json(self) -> &'a str {
        self.json
    }

    /// One field's text, decoded.
    #[must_use]
    pub fn field(self, field: Field) -> String {
        field_in(self.json, field)
    }

    /// The canonical e-mail as a JSON string, quotes included.
    pub(crate) fn email_text(self) -> &'a str {
        let text = self.json.strip_prefix(BEFORE_EMAIL).unwrap_or_default();
        &text[..json::string_end(text)]
    }
}

impl<'a> From<&'a CustomerProfile> for ProfileRef<'a> {
    fn from(profile: &'a CustomerProfile) -> Self {
        Self::new(profile.email.as_str(), &profile.json)
    }
}
