//! The routes, and what surrounds all of them.

use std::any::Any;
use std::future::ready;

use axum::Router;
use axum::middleware::{from_fn_with_state, map_request_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use super::code::Code;
use super::failure::Failure;
use super::service::Service;
use super::{
    access_log, customer_profile, gate, health, metrics, openapi, page, request_body, start, stats,
    token,
};

/// The whole API.
pub(super) fn router(service: Service) -> Router {
    let is_read_only = service.config.read_only;
    let (start, profile) = (MethodRouter::new(), get(customer_profile::get));
    let (start, profile) = if is_read_only {
        (start, profile)
    } else {
        (start.post(start::post), profile.put(customer_profile::put))
    };
    let pattern = Router::new()
        .route("/start", start)
        .route("/customer-profile", profile);
    let routes = Router::new()
        .nest("/patterns/hash-partitioned-attribute-map", pattern)
        .route("/healthz", get(health::get))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::get))
        .route("/openapi.json", get(openapi::get))
        .route("/stats", get(stats::get))
        .route("/", get(page::html))
        .route("/page.css", get(page::css))
        .route("/page.js", get(page::js))
        .fallback(no_such_route)
        .method_not_allowed_fallback(move || ready(no_such_method(is_read_only)))
        .with_state(service.clone());
    surrounded(routes, service)
}

/// The last is the outermost: nothing escapes the log, and no panic escapes it unlogged.
fn surrounded(routes: Router, service: Service) -> Router {
    let browsers = option_layer(service.config.origins.layer());
    routes
        .layer(from_fn_with_state(service.clone(), token::check))
        .layer(browsers)
        .layer(from_fn_with_state(service.clone(), gate::check))
        .layer(map_request_with_state(service.clone(), request_body::guard))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(service, access_log::record))
}

async fn no_such_route() -> Failure {
    Failure::new(Code::RouteNotFound, "there is no such path")
}

fn no_such_method(is_read_only: bool) -> Failure {
    let text = if is_read_only {
        "this server is read-only; Allow names the methods that the path knows"
    } else {
        "this path does not know the method; Allow names those it knows"
    };
    Failure::new(Code::MethodNotAllowed, text)
}

/// What the panic says stays out of the log: it can hold what was worked on.
fn panicked(_what: Box<dyn Any + Send>) -> Response {
    Failure::internal("the request's handler panicked").into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::{Body, to_bytes};
    use axum::http::{Request, header};
    use tower::ServiceExt;

    use super::*;
    use crate::http::Config;
    use crate::store::memory::MemoryStore;

    async fn panic() {
        panic!("alice@example.com");
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_answered_like_any_other_failure() {
        let store = Arc::new(MemoryStore::default());
        let service = Service::new(store, Config::default(), false);
        let routes = surrounded(Router::new().route("/", get(panic)), service);
        let response = routes.oneshot(Request::new(Body::empty())).await;
        let (head, body) = response.expect("an answer").into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        assert_eq!(head.status, 500);
        assert_eq!(head.headers[header::CACHE_CONTROL], "no-store");
        assert!(body.ends_with(br#","code":"InternalError"}"#));
    }
}
