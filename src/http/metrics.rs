//! What a server counts, for Prometheus: by the route's pattern and the status, never by anything
//! that a client can choose.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use axum_core::response::{IntoResponse, Response};
use http::{StatusCode, header};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::service::Service;

/// What one server counts.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    latency: Family<Asked, Histogram, fn() -> Histogram>,
    pub(super) lock_conflicts: Counter,
    pub(super) bytes_rewritten: Counter,
    pub(super) commit_time: Histogram,
    connections: Gauge<i64, AtomicI64>,
}

/// A connection, counted until this is dropped.
pub(super) struct OpenConnection(Gauge<i64, AtomicI64>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// What a request asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    method: &'static str,
    route: &'static str,
}

/// And how it was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: &'static str,
    status: u16,
}

/// From a tenth of a millisecond to some seconds.
fn times() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("dex_dir"),
            requests: Family::default(),
            latency: Family::new_with_constructor(times),
            lock_conflicts: Counter::default(),
            bytes_rewritten: Counter::default(),
            commit_time: times(),
            connections: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program", build);
        registry.register("requests", "Requests answered", self.requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time from a request's head to its answer",
            Unit::Seconds,
            self.latency.clone(),
        );
        registry.register(
            "lock_conflicts",
            "Changes that met another writer",
            self.lock_conflicts.clone(),
        );
        registry.register_with_unit(
            "rewritten",
            "Partition files written anew",
            Unit::Bytes,
            self.bytes_rewritten.clone(),
        );
        registry.register_with_unit(
            "commit_duration",
            "Time to write a partition, sync it, rename it and sync its directory",
            Unit::Seconds,
            self.commit_time.clone(),
        );
        registry.register(
            "open_connections",
            "Connections of clients",
            self.connections.clone(),
        );
    }

    /// Counts a connection.
    pub(super) fn open_connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Counts a request that was answered.
    pub(super) fn answered(
        &self,
        method: &'static str,
        route: &'static str,
        status: StatusCode,
        taken: Duration,
    ) {
        let asked = Asked { method, route };
        let answered = Answered {
            method,
            route,
            status: status.as_u16(),
        };
        self.requests.get_or_create(&answered).inc();
        self.latency
            .get_or_create(&asked)
            .observe(taken.as_secs_f64());
    }
}

/// `/metrics`: all of it, in the text format of OpenMetrics, which Prometheus reads.
pub(super) fn get(service: &Service) -> Response {
    let mut body = String::new();
    // Writing to memory can't fail.
    let _infallible = text::encode(&mut body, &service.metrics.registry);
    let headers = [
        (
            header::CONTENT_TYPE,
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, body).into_response()
}
