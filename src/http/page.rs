//! `/`: a small web page to look up and save by, in three files that are part of the program. It
//! uses the API like any other client, and nothing from anywhere else.

use axum_core::response::{IntoResponse, Response};
use http::{HeaderValue, header};

/// Nothing is run, shown or sent that isn't the page's own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn html() -> Response {
    file("text/html; charset=utf-8", include_str!("page/index.html"))
}

pub(super) fn css() -> Response {
    file("text/css; charset=utf-8", include_str!("page/page.css"))
}

pub(super) fn js() -> Response {
    file(
        "text/javascript; charset=utf-8",
        include_str!("page/page.js"),
    )
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, text).into_response()
}
