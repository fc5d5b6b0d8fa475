//! `/openapi.json`: the API described for programs, in a document that is written by hand.

use super::answer::Answer;

/// The document.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Answers the document.
pub(super) fn get() -> Answer {
    Answer(OPENAPI.to_owned())
}
