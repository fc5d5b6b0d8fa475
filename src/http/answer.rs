//! The form that all answers have: JSON, kept by nobody on the way, because the files may say
//! something else a moment later.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// What a resource answers when all went well: one JSON text.
pub(super) struct Answer(pub(super) String);

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        json(StatusCode::OK, self.0)
    }
}

/// A response of this JSON text.
pub(super) fn json(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}
