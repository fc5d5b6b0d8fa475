//! The way of every request: told to the log, checked, and handed to its resource.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum_core::extract::Request;
use axum_core::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{HeaderValue, Method, header};
use tower::{Layer, ServiceExt, service_fn};

use super::access_log::Record;
use super::code::Code;
use super::failure::Failure;
use super::route::Route;
use super::service::Service;
use super::{customer_profile, gate, health, metrics, openapi, page, start, stats, token};

/// Answers a request, whatever happens, and tells of it.
pub(super) async fn answer(service: Arc<Service>, request: Request) -> Response {
    let record = Record::begin(&request);
    let answer = AssertUnwindSafe(checked(&service, request)).catch_unwind();
    // What the panic says stays out of the log: it can hold what was worked on.
    let response = answer
        .await
        .unwrap_or_else(|_| Failure::internal("the request's handler panicked").into_response());
    record.end(&service.metrics, response)
}

/// Keeps foreign web pages out, and answers browsers that ask for those that are allowed.
async fn checked(service: &Arc<Service>, request: Request) -> Response {
    if let Err(failure) = gate::check(service, &request) {
        return failure.into_response();
    }
    let Some(browsers) = &service.browsers else {
        return admitted(service, request).await;
    };
    let admitted = |request| {
        let service = Arc::clone(service);
        async move { Ok::<_, Infallible>(admitted(&service, request).await) }
    };
    let answer = browsers.layer(service_fn(admitted)).oneshot(request).await;
    match answer {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

async fn admitted(service: &Service, request: Request) -> Response {
    let route = Route::of(request.uri().path());
    if let Err(failure) = token::check(service, route, &request) {
        return failure.into_response();
    }
    let Some(route) = route else {
        return Failure::new(Code::RouteNotFound, "there is no such path").into_response();
    };
    let methods = route.methods(service.config.read_only);
    if !methods.split(',').any(|known| known == request.method()) {
        return no_such_method(service.config.read_only, methods);
    }
    match route {
        Route::CustomerProfile if request.method() == Method::PUT => {
            customer_profile::put(service, request).await
        }
        Route::CustomerProfile => customer_profile::get(service, request).await,
        Route::Start => start::post(service).await.into_response(),
        Route::Healthz => health::get().into_response(),
        Route::Readyz => health::ready(service).await.into_response(),
        Route::Metrics => metrics::get(service),
        Route::OpenApi => openapi::get().into_response(),
        Route::Stats => stats::get(service).await.into_response(),
        Route::Page => page::html(),
        Route::PageCss => page::css(),
        Route::PageJs => page::js(),
    }
}

fn no_such_method(is_read_only: bool, methods: &'static str) -> Response {
    let text = if is_read_only {
        "this server is read-only; Allow names the methods that the path knows"
    } else {
        "this path does not know the method; Allow names those it knows"
    };
    let mut response = Failure::new(Code::MethodNotAllowed, text).into_response();
    let methods = HeaderValue::from_static(methods);
    response.headers_mut().insert(header::ALLOW, methods);
    response
}
