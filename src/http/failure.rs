//! A failure on its way to the client: the one JSON form that all have, and how each error of the
//! library is answered. What only the operator may read, such as a path, goes to the log and never
//! into an answer.

use axum_core::response::{IntoResponse, Response};
use serde::Serialize;

use super::answer;
use super::code::Code;
use super::log::Detail;
use crate::error::{Error, ErrorKind};

/// A failure on its way to the client.
#[derive(Debug)]
pub(super) struct Failure {
    code: Code,
    text: String,
    detail: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    code: &'static str,
}

impl Failure {
    /// A failure that the client is told of in these words.
    pub(super) fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            detail: None,
        }
    }

    /// What tells it from other failures.
    pub(super) fn code(&self) -> Code {
        self.code
    }

    /// The same under another code.
    pub(super) fn under(self, code: Code) -> Self {
        Self { code, ..self }
    }

    /// A fault of this program. What exactly happened is not for the client.
    pub(super) fn internal(detail: &str) -> Self {
        Self {
            detail: Some(detail.to_owned()),
            ..Self::new(Code::InternalError, "the server failed to answer")
        }
    }
}

/// The one place that decides how an error of the library is answered.
fn answer_to(kind: ErrorKind) -> (Code, &'static str) {
    match kind {
        ErrorKind::NotStarted => (
            Code::FlowNotFound,
            "the directory has not been started; start it with POST /patterns/hash-partitioned-attribute-map/start",
        ),
        ErrorKind::BadManifest => (
            Code::StorageError,
            "the directory's manifest can't be used; the server's log says why",
        ),
        ErrorKind::CorruptPartition => (
            Code::CorruptPartition,
            "the partition is corrupt and was not changed; the server's log says where",
        ),
        ErrorKind::LockConflict => (
            Code::LockConflict,
            "another writer holds the partition and nothing was changed; try again",
        ),
        ErrorKind::OutOfDescriptors => (
            Code::Unavailable,
            "the server has too many files open; try again later",
        ),
        ErrorKind::Storage => (
            Code::StorageError,
            "reading or writing failed and nothing was changed; the server's log says why",
        ),
        ErrorKind::NotDurable => (
            Code::SavedNotDurable,
            "saved, but it may not survive a power cut; the server's log says why",
        ),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (code, text) = answer_to(error.kind());
        Self {
            detail: Some(error.chain()),
            ..Self::new(code, text)
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = self.code.row();
        let body = Body {
            error: &self.text,
            code,
        };
        let text = serde_json::to_string(&body).unwrap_or_default();
        let mut response = answer::json(status, text);
        response.headers_mut().extend(self.code.header());
        if let Some(detail) = self.detail {
            response.extensions_mut().insert(Detail(detail));
        }
        response
    }
}
