//! An e-mail address in its canonical form, parsed once: behind [`CanonicalEmail`] nobody sees a
//! raw address. It never checks whether mail could be delivered, and never touches the disk.

use std::fmt;

/// A canonical e-mail: ASCII, without surrounding white space, in lower case, never empty.
///
/// Nothing else is changed or checked: there need be no `@`, and dots, plus tags and inner spaces
/// stay as they are. Every implementation of the *Hash-Partitioned `AttributeMap`* pattern
/// canonicalises in the same way, so an address means the same profile in all of them.
///
/// ```
/// use dex_dir::email::CanonicalEmail;
///
/// let email = CanonicalEmail::parse(" Alice@Example.COM ")?;
/// assert_eq!(email.as_str(), "alice@example.com");
/// # Ok::<(), dex_dir::email::EmailError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalEmail(String);

/// Why a text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// A byte above 0x7F, anywhere, white space included.
    #[error("emailAddress must contain only ASCII characters")]
    NotAscii,
    /// Nothing is left once surrounding white space is removed.
    #[error("emailAddress is required")]
    Empty,
}

impl CanonicalEmail {
    /// Canonicalises `address`.
    pub fn parse(address: &str) -> Result<Self, EmailError> {
        // First, so that Unicode white space and Unicode case never get a say.
        if !address.is_ascii() {
            return Err(EmailError::NotAscii);
        }
        let trimmed = address.trim_matches(is_white_space);
        if trimmed.is_empty() {
            return Err(EmailError::Empty);
        }
        Ok(Self(trimmed.to_ascii_lowercase()))
    }

    /// The canonical address, as it stands in partition files.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CanonicalEmail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Space and 0x09 to 0x0D. Vertical tab counts here, which `char::is_ascii_whitespace` leaves out.
fn is_white_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}
