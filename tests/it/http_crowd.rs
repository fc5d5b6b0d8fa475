//! Many clients that mean no good, or nothing at all, and one that is served all the same.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dex_dir::http::Config;
use dex_dir::store::memory::MemoryStore;
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::client::{Answer, is_closed};
use crate::embedded::Embedded;
use crate::harness::{ALICE, profile_json};

const HALF_SENT: usize = 200;
const IDLE: usize = 1000;
const LIMIT: Duration = Duration::from_secs(3);

/// Both ends of all connections are in this process.
fn allow_many_descriptors() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("a higher limit");
}

fn server() -> Embedded {
    let config = Config {
        head_time: LIMIT,
        body_time: LIMIT,
        ..Config::default()
    };
    let server = Embedded::serve(Arc::new(MemoryStore::default()), config);
    assert_eq!(server.start().status, 200);
    server
}

fn sending(server: &Embedded, text: &str) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(text.as_bytes()).expect("sent");
    stream
}

#[test]
fn half_sent_requests_are_closed_in_time_and_others_are_served_meanwhile() {
    allow_many_descriptors();
    let server = server();
    let begun = Instant::now();
    let half_heads: Vec<_> = (0..HALF_SENT)
        .map(|_| sending(&server, "GET /healthz HTTP/1.1\r\nHost: local"))
        .collect();
    let body = profile_json(ALICE, "Half");
    let request = server.put_head(body.len(), "") + &body[..body.len() / 2];
    let half_bodies: Vec<_> = (0..HALF_SENT).map(|_| sending(&server, &request)).collect();
    let idle: Vec<_> = (0..IDLE).map(|_| server.connect()).collect();
    // To the very partition that the half-sent bodies are for.
    let saved = profile_json(ALICE, "Alice");
    server.put(&saved).assert_ok(&saved);
    server.look_up(ALICE).assert_ok(&saved);
    assert!(
        begun.elapsed() < LIMIT,
        "served late: {:?}",
        begun.elapsed()
    );
    for stream in &half_bodies {
        Answer::read(stream).assert_failed(408, "RequestTimeout");
    }
    for stream in half_heads.iter().chain(&half_bodies).chain(&idle) {
        assert!(is_closed(stream));
    }
    let taken = begun.elapsed();
    assert!(taken < 4 * LIMIT, "closed late: {taken:?}");
    server.look_up(ALICE).assert_ok(&saved);
}
