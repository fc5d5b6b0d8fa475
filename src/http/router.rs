//! The routes, and what surrounds all of them.

use std::any::Any;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_request_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use super::code::Code;
use super::failure::Failure;
use super::service::Service;
use super::{access_log, customer_profile, gate, health, request_body, start};

/// The whole API.
pub(super) fn router(service: Service) -> Router {
    let pattern = Router::new().route("/start", post(start::post)).route(
        "/customer-profile",
        get(customer_profile::get).put(customer_profile::put),
    );
    let routes = Router::new()
        .nest("/patterns/hash-partitioned-attribute-map", pattern)
        .route("/healthz", get(health::get))
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_method)
        .with_state(service.clone());
    surrounded(routes, service)
}

/// The last is the outermost: nothing escapes the log, and no panic escapes it unlogged.
fn surrounded(routes: Router, service: Service) -> Router {
    routes
        .layer(from_fn_with_state(service.clone(), gate::check))
        .layer(map_request_with_state(service, request_body::guard))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(access_log::record))
}

async fn no_such_route() -> Failure {
    Failure::new(Code::RouteNotFound, "there is no such path")
}

async fn no_such_method() -> Failure {
    let text = "this path does not know the method; Allow names those it knows";
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
    use crate::http::work::Work;
    use crate::store::memory::MemoryStore;

    async fn panic() {
        panic!("alice@example.com");
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_answered_like_any_other_failure() {
        let service = Service {
            config: Arc::new(Config::default()),
            on_loopback: false,
            store: Arc::new(MemoryStore::default()),
            work: Work::new(),
        };
        let routes = surrounded(Router::new().route("/", get(panic)), service);
        let response = routes.oneshot(Request::new(Body::empty())).await;
        let (head, body) = response.expect("an answer").into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        assert_eq!(head.status, 500);
        assert_eq!(head.headers[header::CACHE_CONTROL], "no-store");
        assert!(body.ends_with(br#","code":"InternalError"}"#));
    }
}
