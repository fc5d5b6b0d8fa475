//! `…/customer-profile`: looked up and saved.

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::response::IntoResponse;

use super::answer::Answer;
use super::code::Code;
use super::failure::Failure;
use super::payload;
use super::query;
use super::service::Service;
use crate::directory::Directory;
use crate::email::{CanonicalEmail, EmailError};
use crate::json::Position;
use crate::partition::Partition;
use crate::profile::{CustomerProfile, Field, ProfileError};

/// Answers the profile of the address in the query, as it is stored.
pub(super) async fn get(
    State(service): State<Service>,
    target: Uri,
) -> Result<impl IntoResponse, Failure> {
    let asked = Asked::parse(target.query().unwrap_or_default())?;
    let partition = Partition::of(&asked.email);
    Ok((Extension(partition), look_up(&service, asked).await))
}

/// Saves the profile in the body, new or not, and answers it as it is stored.
pub(super) async fn put(
    State(service): State<Service>,
    request: Request,
) -> Result<impl IntoResponse, Failure> {
    let (head, body) = request.into_parts();
    let max_bytes = service.config.max_body_bytes;
    let text = payload::json_text(&head.headers, body, max_bytes).await?;
    let profile = CustomerProfile::from_json(&text).map_err(|error| refused(&error, &text))?;
    let partition = Partition::of(profile.email());
    Ok((Extension(partition), save(&service, profile).await))
}

async fn look_up(service: &Service, asked: Asked) -> Result<Answer, Failure> {
    let email = asked.email.clone();
    let found = service.on_store(move |store| Directory::open(store)?.get(&email));
    match found.await? {
        Some(profile) => Ok(Answer(profile.as_json().to_owned())),
        None => Err(asked.not_found()),
    }
}

async fn save(service: &Service, profile: CustomerProfile) -> Result<Answer, Failure> {
    let saved = service.on_store(move |store| Directory::open(store)?.upsert(&profile));
    Ok(Answer(saved.await?.profile.as_json().to_owned()))
}

/// The address that a query asks for.
struct Asked {
    email: CanonicalEmail,
    /// Whether a `+` was sent, which means a space, and the address has a space in it.
    plus_as_space: bool,
}

impl Asked {
    fn parse(text: &str) -> Result<Self, Failure> {
        let parameters = query::parse(text)
            .map_err(|error| Failure::new(Code::InvalidQuery, error.to_string()))?;
        let email = parameters
            .iter()
            .find(|parameter| parameter.name == Field::EmailAddress.name());
        let (value, raw) = email.map_or(("", ""), |email| (&*email.value, email.raw_value));
        let email = CanonicalEmail::parse(value).map_err(invalid_address)?;
        let plus_as_space = raw.contains('+') && email.as_str().contains(' ');
        Ok(Self {
            email,
            plus_as_space,
        })
    }

    fn not_found(&self) -> Failure {
        let text = if self.plus_as_space {
            "no such customer profile; + in a query means a space: send a plus sign as %2B"
        } else {
            "no such customer profile"
        };
        Failure::new(Code::CustomerProfileNotFound, text)
    }
}

fn invalid_address(error: EmailError) -> Failure {
    Failure::new(Code::InvalidEmailAddress, error.to_string())
}

/// How a body that isn't a profile is answered.
fn refused(error: &ProfileError, text: &str) -> Failure {
    let code = match error {
        ProfileError::Json(json) => {
            let position = Position::at(text.as_bytes(), json.offset);
            return Failure::new(Code::InvalidJson, format!("{error} at {position}"));
        }
        ProfileError::Email(email) => return invalid_address(*email),
        ProfileError::TooLarge(_) => Code::PayloadTooLarge,
        ProfileError::NotAnObject
        | ProfileError::Missing(_)
        | ProfileError::Empty(_)
        | ProfileError::NotAString(_)
        | ProfileError::Undecodable(_)
        | ProfileError::Unknown(_)
        | ProfileError::Repeated(_) => Code::InvalidProfile,
    };
    Failure::new(code, error.to_string())
}
