//! `…/customer-profile`: looked up and saved.

use std::sync::Arc;
use std::time::Duration;

use axum_core::extract::Request;
use axum_core::response::{IntoResponse, Response};
use tokio::time::sleep;

use super::answer;
use super::code::Code;
use super::condition::{Conditions, Unmet};
use super::failure::Failure;
use super::service::Service;
use super::{payload, prefer, query};
use crate::email::{CanonicalEmail, EmailError};
use crate::json::Position;
use crate::partition::Partition;
use crate::profile::{CustomerProfile, Field, ProfileError, StoredProfile};
use crate::retry::Pauses;

/// Answers the profile of the address in the query, as it is stored.
pub(super) async fn get(service: &Service, request: Request) -> Response {
    let asked = Asked::parse(request.uri().query().unwrap_or_default());
    let conditions = Conditions::of(request.headers());
    let (asked, conditions) = match (asked, conditions) {
        (Ok(asked), Ok(conditions)) => (asked, conditions),
        (Err(failure), _) | (_, Err(failure)) => return failure.into_response(),
    };
    let answer = look_up(service, &asked, &conditions).await;
    about(Partition::of(&asked.email), answer)
}

/// Saves the profile in the body, new or not, and answers it as it is stored.
pub(super) async fn put(service: &Service, request: Request) -> Response {
    let wait = prefer::wait(request.headers()).map(|wait| wait.min(service.config.max_wait));
    let (profile, conditions) = match sent(service, request).await {
        Ok(sent) => sent,
        Err(failure) => return failure.into_response(),
    };
    let partition = Partition::of(profile.email());
    let saved = save(service, profile, conditions, wait.unwrap_or_default()).await;
    about(partition, (applied(wait), saved))
}

/// What the log is told beside the answer.
fn about(partition: Partition, answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.extensions_mut().insert(partition);
    response
}

/// The profile that a request asks to be saved, and over which versions.
async fn sent(
    service: &Service,
    request: Request,
) -> Result<(CustomerProfile, Conditions), Failure> {
    let (head, body) = request.into_parts();
    let conditions = Conditions::of(&head.headers)?;
    let max_bytes = service.config.max_body_bytes;
    let text = payload::json_text(&head.headers, body, max_bytes).await?;
    let profile = CustomerProfile::from_json(&text).map_err(|error| refused(&error, &text))?;
    Ok((profile, conditions))
}

async fn look_up(
    service: &Service,
    asked: &Asked,
    conditions: &Conditions,
) -> Result<Response, Failure> {
    let found = find(service, &asked.email).await?;
    match (conditions.check(found.as_ref()), found) {
        (Err(Unmet::IfNoneMatch), Some(profile)) => Ok(answer::not_modified(&profile)),
        (_, None) => Err(asked.not_found()),
        (Err(unmet), _) => Err(unmet.into()),
        (Ok(()), Some(profile)) => Ok(profile.into_response()),
    }
}

/// Looks it up here if all is in the system's memory: the way to another thread and back takes longer
/// than that. Otherwise there, where a disk may be waited for.
async fn find(service: &Service, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Failure> {
    if let Ok(answer) = service.cache.get_now(email) {
        return Ok(answer);
    }
    let email = email.clone();
    service.run(move |cache| cache.get(&email)).await
}

/// Saves the profile if the conditions allow it, and on a lock conflict tries again until `wait` has
/// passed. Between the tries nothing is held, and when the client is gone there is none any more.
async fn save(
    service: &Service,
    profile: CustomerProfile,
    conditions: Conditions,
    wait: Duration,
) -> Result<StoredProfile, Failure> {
    let work = Arc::new((profile, conditions));
    let mut pauses = Pauses::during(wait);
    loop {
        let pause = pauses.next();
        let work = Arc::clone(&work);
        let saved = service.save(move |directory| {
            let (profile, conditions) = &*work;
            if conditions.are_none() {
                return directory.upsert(profile).map(Ok);
            }
            directory.upsert_if(profile, |current| conditions.check(current))
        });
        match (saved.await, pause) {
            (Err(failure), Some(pause)) if failure.code() == Code::LockConflict => {
                sleep(pause).await;
            }
            (saved, _) => return Ok(saved??.profile),
        }
    }
}

/// The header that says that a preference counted.
fn applied(wait: Option<Duration>) -> Option<[(&'static str, String); 1]> {
    wait.map(|wait| [("preference-applied", format!("wait={}", wait.as_secs()))])
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
