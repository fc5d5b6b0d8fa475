//! The JSON text that a request carries: checked for what it says it is, its size and its time,
//! before anything is made of it.

use std::error::Error;

use axum_core::BoxError;
use axum_core::body::Body;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;

use super::code::Code;
use super::failure::Failure;
use super::request_body::Late;

/// Reads the whole body, which must be said to be JSON and have at most `max_bytes`.
pub(super) async fn json_text(
    headers: &HeaderMap,
    body: Body,
    max_bytes: usize,
) -> Result<String, Failure> {
    if !is_json(headers) {
        let text = "the body must be sent as Content-Type: application/json";
        return Err(Failure::new(Code::UnsupportedMediaType, text));
    }
    // Before the first byte is read: a client may ask whether to send it.
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(too_large(max_bytes));
    }
    let whole = Limited::new(body, max_bytes).collect().await;
    let bytes = whole
        .map_err(|error| unreadable(&error, max_bytes))?
        .to_bytes();
    String::from_utf8(bytes.into())
        .map_err(|_| Failure::new(Code::InvalidJson, "invalid JSON: the body is not UTF-8"))
}

/// Whether there is one content type, and it is JSON, whatever its parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(only), None) = (types.next(), types.next()) else {
        return false;
    };
    let essence = only.as_bytes().split(|&b| b == b';').next();
    essence.is_some_and(|e| e.trim_ascii().eq_ignore_ascii_case(b"application/json"))
}

fn unreadable(error: &BoxError, max_bytes: usize) -> Failure {
    if is_caused_by::<LengthLimitError>(error) {
        too_large(max_bytes)
    } else if is_caused_by::<Late>(error) {
        Failure::new(Code::RequestTimeout, Late.to_string())
    } else {
        Failure::new(Code::InvalidJson, "the body ended early or is malformed")
    }
}

fn is_caused_by<E: Error + 'static>(error: &BoxError) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = Some(error.as_ref());
    while let Some(cause) = next {
        if cause.is::<E>() {
            return true;
        }
        next = cause.source();
    }
    false
}

fn too_large(max_bytes: usize) -> Failure {
    let text = format!("the body is longer than the {max_bytes} bytes allowed");
    Failure::new(Code::PayloadTooLarge, text)
}
