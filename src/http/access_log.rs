//! The access log: one line a request with the time, the method, the route's pattern (never the
//! path, which anybody can choose), the status, the time taken and the partition.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use super::log::{self, Detail};
use crate::partition::Partition;

/// Answers the request, then writes its line, which ends in whatever only the log is told.
pub(super) async fn record(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = shown(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let partition = response.extensions().get::<Partition>();
    let detail = response.extensions().get::<Detail>();
    log::write_line(&format!(
        "{method} {} {} {:.3}ms {}{}",
        route.as_ref().map_or("-", MatchedPath::as_str),
        response.status().as_u16(),
        begun.elapsed().as_secs_f64() * 1000.0,
        partition.map_or_else(|| "-".to_owned(), Partition::to_string),
        detail.map_or_else(String::new, |Detail(detail)| format!(" error: {detail}")),
    ));
    response
}

/// A method may be any token, of any length: only the known ones are shown.
fn shown(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("OTHER")
}
