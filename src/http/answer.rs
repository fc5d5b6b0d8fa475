//! The form that all answers have: JSON, kept by nobody on the way, because the files may say
//! something else a moment later.

use axum_core::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::condition;
use crate::profile::StoredProfile;

/// What a resource answers when all went well: one JSON text.
pub(super) struct Answer(pub(super) String);

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        json(StatusCode::OK, self.0)
    }
}

impl IntoResponse for StoredProfile {
    fn into_response(self) -> Response {
        let tag = condition::tag_of(&self);
        let mut response = json(StatusCode::OK, self.into_json());
        response.headers_mut().insert(header::ETAG, tag);
        response
    }
}

/// That a client has seen this version already.
pub(super) fn not_modified(profile: &StoredProfile) -> Response {
    let headers = [
        (header::ETAG, condition::tag_of(profile)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::NOT_MODIFIED, headers).into_response()
}

/// A response of this JSON text.
pub(super) fn json(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}
