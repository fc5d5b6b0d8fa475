//! A customer profile: the four fields, what makes them valid, and a profile as it is stored.

use std::borrow::Cow;
use std::fmt;

use crate::email::{CanonicalEmail, EmailError};
use crate::json::{self, JsonError, Member, Reason};

mod borrowed;
mod stored;

pub use borrowed::ProfileRef;
pub use stored::StoredProfile;

/// One of the four fields that every profile has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The canonical e-mail.
    EmailAddress,
    /// The customer's name.
    FullName,
    /// The company's name.
    CompanyName,
    /// The tier: any text, such as `gold`.
    CustomerTier,
}

impl Field {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 4] = [
        Self::EmailAddress,
        Self::FullName,
        Self::CompanyName,
        Self::CustomerTier,
    ];

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EmailAddress => "emailAddress",
            Self::FullName => "fullName",
            Self::CompanyName => "companyName",
            Self::CustomerTier => "customerTier",
        }
    }

    /// The field with this name in JSON.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Its text among the members of a profile; `None` if it isn't there or isn't text.
    pub(crate) fn of<'a>(self, members: &'a [Member<'_>]) -> Option<Cow<'a, str>> {
        let member = members.iter().find(|member| member.name == self.name());
        member.and_then(|member| json::string(member.value))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A valid profile, ready to be saved: four non-empty fields, at most [`CustomerProfile::MAX_BYTES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerProfile {
    email: CanonicalEmail,
    json: Box<str>,
}

/// Why something is not a valid profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Not JSON at all. The offset is in bytes from the start of the text.
    #[error("invalid JSON: {0}")]
    Json(JsonError),
    /// JSON, but not an object.
    #[error("a profile must be a JSON object")]
    NotAnObject,
    /// The address is missing, empty or not ASCII.
    #[error(transparent)]
    Email(#[from] EmailError),
    /// A required field isn't there.
    #[error("{0} is required")]
    Missing(Field),
    /// A required field is the empty string.
    #[error("{0} must not be empty")]
    Empty(Field),
    /// A field is there, but not as a string.
    #[error("{0} must be a string")]
    NotAString(Field),
    /// A field is a string that holds half a surrogate pair, so it is no text.
    #[error("{0} holds a lone surrogate")]
    Undecodable(Field),
    /// A member that no profile has. It is refused, because leaving it out would lose data.
    #[error("unknown member {}", json::quoted(.0))]
    Unknown(String),
    /// A member that is given twice.
    #[error("{} is given twice", json::quoted(.0))]
    Repeated(String),
    /// The compact JSON of the four fields is longer than the limit.
    #[error("the profile is {0} bytes long, more than the {limit} allowed", limit = CustomerProfile::MAX_BYTES)]
    TooLarge(usize),
}

impl CustomerProfile {
    /// The most bytes that the compact JSON of the four fields may have: 64 KiB.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// A profile of these four fields, in the order of [`Field::ALL`].
    pub fn new(
        email: CanonicalEmail,
        full_name: &str,
        company_name: &str,
        customer_tier: &str,
    ) -> Result<Self, ProfileError> {
        let values = [email.as_str(), full_name, company_name, customer_tier];
        // Exactly, if nothing has to be escaped.
        let mut json =
            String::with_capacity(EMPTY.len() + values.map(str::len).iter().sum::<usize>());
        for (field, value) in Field::ALL.into_iter().zip(values) {
            if value.is_empty() {
                return Err(ProfileError::Empty(field));
            }
            json.push(if json.is_empty() { '{' } else { ',' });
            json::push_quoted(&mut json, field.name());
            json.push(':');
            json::push_quoted(&mut json, value);
        }
        json.push('}');
        if json.len() > Self::MAX_BYTES {
            return Err(ProfileError::TooLarge(json.len()));
        }
        Ok(Self {
            email,
            json: json.into_boxed_str(),
        })
    }

    /// Reads a profile from a JSON object with exactly the four members.
    pub fn from_json(text: &str) -> Result<Self, ProfileError> {
        let mut values: [Option<Cow<'_, str>>; 4] = Default::default();
        let mut fault = None;
        json::for_each_member(text, |member| {
            let taken = member.map_err(ProfileError::from_json_error);
            if let Err(error) = taken.and_then(|member| take(&mut values, member)) {
                fault.get_or_insert(error);
            }
        })
        .map_err(ProfileError::from_json_error)?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let [email, full_name, company_name, customer_tier] = values;
        Self::new(
            CanonicalEmail::parse(&email.ok_or(EmailError::Empty)?)?,
            &full_name.ok_or(ProfileError::Missing(Field::FullName))?,
            &company_name.ok_or(ProfileError::Missing(Field::CompanyName))?,
            &customer_tier.ok_or(ProfileError::Missing(Field::CustomerTier))?,
        )
    }

    /// The canonical e-mail under which it is kept.
    #[must_use]
    pub fn email(&self) -> &CanonicalEmail {
        &self.email
    }

    /// One field's text, decoded.
    #[must_use]
    pub fn field(&self, field: Field) -> String {
        field_in(&self.json, field)
    }

    /// The four fields as compact JSON.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.json
    }
}

/// A profile all of whose values are empty.
const EMPTY: &str = r#"{"emailAddress":"","fullName":"","companyName":"","customerTier":""}"#;

/// A field of a profile that is known to be valid.
fn field_in(json: &str, field: Field) -> String {
    let members = json::members(json).unwrap_or_default();
    field.of(&members).unwrap_or_default().into_owned()
}

/// Puts a member's text where its field belongs.
fn take<'a>(
    values: &mut [Option<Cow<'a, str>>; 4],
    member: Member<'a>,
) -> Result<(), ProfileError> {
    let Some(field) = Field::from_name(&member.name) else {
        return Err(ProfileError::Unknown(member.name.into_owned()));
    };
    let text = text_of(field, member.value)?;
    match values[field as usize].replace(text) {
        None => Ok(()),
        Some(_) => Err(ProfileError::Repeated(member.name.into_owned())),
    }
}

fn text_of(field: Field, value: &str) -> Result<Cow<'_, str>, ProfileError> {
    match json::string(value) {
        Some(text) => Ok(text),
        None if value.starts_with('"') => Err(ProfileError::Undecodable(field)),
        None => Err(ProfileError::NotAString(field)),
    }
}

impl ProfileError {
    fn from_json_error(error: JsonError) -> Self {
        match error.reason {
            Reason::NotAnObject => Self::NotAnObject,
            Reason::Repeated(name) => Self::Repeated(name),
            Reason::Syntax(_) | Reason::UndecodableName => Self::Json(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: &str = r#"{"emailAddress":"alice@example.com","fullName":"Alice","companyName":"Acme","customerTier":"gold"}"#;

    #[test]
    fn json_in_any_order_becomes_the_canonical_profile() {
        let text = r#" { "customerTier":"gold", "fullName":"A\u006cice",
            "companyName":"Acme", "emailAddress":" ALICE@example.com\t" } "#;
        let profile = CustomerProfile::from_json(text).expect("a profile");
        assert_eq!(profile.as_json(), ALICE);
    }

    #[test]
    fn what_is_not_a_profile_is_named() {
        use ProfileError::{
            Empty, Missing, NotAString, NotAnObject, Repeated, Undecodable, Unknown,
        };
        for (from, to, error) in [
            ("\"gold\"", "\"\"", Empty(Field::CustomerTier)),
            ("\"gold\"", "null", NotAString(Field::CustomerTier)),
            ("\"gold\"", r#""\ud800""#, Undecodable(Field::CustomerTier)),
            (
                r#","customerTier":"gold""#,
                "",
                Missing(Field::CustomerTier),
            ),
            (
                r#""emailAddress":"alice@example.com","#,
                "",
                EmailError::Empty.into(),
            ),
            ("alice@", "josé@", EmailError::NotAscii.into()),
            ("customerTier", "tier", Unknown("tier".into())),
            ("customerTier", "fullName", Repeated("fullName".into())),
            (ALICE, r#"["a","b","c","d"]"#, NotAnObject),
        ] {
            let text = ALICE.replace(from, to);
            assert_eq!(CustomerProfile::from_json(&text), Err(error), "{text}");
        }
    }

    #[test]
    fn the_limit_is_measured_on_the_compact_json() {
        let with_name = |n| {
            let name = format!("\"fullName\":{:9}\"{}\"", "", "x".repeat(n));
            CustomerProfile::from_json(&ALICE.replace(r#""fullName":"Alice""#, &name))
        };
        let most = CustomerProfile::MAX_BYTES - (ALICE.len() - "Alice".len());
        assert!(with_name(most).is_ok());
        assert_eq!(
            with_name(most + 1),
            Err(ProfileError::TooLarge(CustomerProfile::MAX_BYTES + 1))
        );
    }
}
