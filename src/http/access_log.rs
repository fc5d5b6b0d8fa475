//! The access log: one event a request with the method, the route's pattern (never the path, which
//! anybody can choose), the status, the time taken and the partition; and the same counted.

use std::time::Instant;

use axum_core::extract::Request;
use axum_core::response::Response;
use http::{HeaderMap, HeaderValue, Method};

use super::log::Detail;
use super::metrics::Metrics;
use super::route::Route;
use crate::escape;
use crate::partition::Partition;

const REQUEST_ID: &str = "x-request-id";

/// What is told of a request.
pub(super) struct Record {
    begun: Instant,
    method: &'static str,
    route: &'static str,
    id: HeaderValue,
}

impl Record {
    /// That of a request that begins now.
    pub(super) fn begin(request: &Request) -> Self {
        Self {
            begun: Instant::now(),
            method: shown(request.method()),
            route: Route::of(request.uri().path()).map_or("-", Route::path),
            id: id_of(request.headers()),
        }
    }

    /// Tells of it and its answer, and of whatever only the log is told.
    pub(super) fn end(self, metrics: &Metrics, mut response: Response) -> Response {
        let (status, taken) = (response.status(), self.begun.elapsed());
        metrics.answered(self.method, self.route, status, taken);
        let id = self.id.to_str().unwrap_or_default();
        tracing::info!(
            method = self.method,
            route = self.route,
            status = status.as_u16(),
            ms = taken.as_secs_f64() * 1000.0,
            partition = response
                .extensions()
                .get::<Partition>()
                .map(tracing::field::display),
            id,
            "answered"
        );
        if let Some(Detail(detail)) = response.extensions().get::<Detail>() {
            tracing::error!(error = escape::text(detail), id, "failed");
        }
        response.headers_mut().insert(REQUEST_ID, self.id);
        response
    }
}

/// A method may be any token, of any length: only the known ones are shown.
fn shown(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("OTHER")
}

/// The id that the request came with, if it looks like one and can't be anybody's name or address:
/// hexadecimal digits and hyphens, as in UUIDs and trace ids. Otherwise a new one.
fn id_of(headers: &HeaderMap) -> HeaderValue {
    let is_id = |id: &&HeaderValue| {
        let may_be = |b: &u8| b.is_ascii_hexdigit() || *b == b'-';
        (8..=64).contains(&id.len()) && id.as_bytes().iter().all(may_be)
    };
    let new = || HeaderValue::from_str(&format!("{:032x}", fastrand::u128(..)));
    match headers.get(REQUEST_ID).filter(is_id) {
        Some(id) => id.clone(),
        // Hexadecimal digits are a header's value.
        None => new().unwrap_or(HeaderValue::from_static("0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(sent: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, sent.parse().expect("a value"));
        id_of(&headers).to_str().expect("text").to_owned()
    }

    #[test]
    fn an_id_that_could_say_something_is_replaced() {
        for sent in ["0af7651916cd43dd", "A1b2C3d4-0000-4000-8000-000000000000"] {
            assert_eq!(id(sent), sent);
        }
        for sent in ["", "abc", "alice@example.com", "zanzibar", &"0".repeat(65)] {
            let given = id(sent);
            assert_eq!(given.len(), 32, "{given}");
            assert_ne!(given, id(sent));
        }
    }
}
