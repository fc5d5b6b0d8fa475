//! Bodies and heads that are long, slow or unwanted.

use std::io::{Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use dex_dir::http::Config;
use dex_dir::store::memory::MemoryStore;

use crate::client::{Answer, Client, PROFILE, START, is_closed};
use crate::embedded::Embedded;
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::server::Server;

const MEGABYTE: usize = 1024 * 1024;

/// Sends 20 MB to `target` before it reads anything.
fn sent_whole(server: Client, method: &str, target: &str, headers: &str) -> Answer {
    let mut stream = server.connect();
    let head = format!(
        "{method} {target} HTTP/1.1\r\nHost: {}\r\n{headers}Content-Length: {}\r\n\r\n",
        server.address,
        20 * MEGABYTE
    );
    stream.write_all(head.as_bytes()).expect("sent");
    for _ in 0..20 {
        stream
            .write_all(&vec![b' '; MEGABYTE])
            .expect("the server reads on");
    }
    Answer::read(&stream)
}

#[test]
fn an_early_answer_reaches_a_client_that_is_still_sending() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let json = "Content-Type: application/json\r\n";
    for (method, target, headers, status) in [
        ("PUT", PROFILE, json, 413),
        ("PUT", PROFILE, "", 415),
        ("PUT", PROFILE, "Origin: null\r\n", 403),
        ("PUT", "/nowhere", json, 404),
        ("PATCH", PROFILE, json, 405),
        ("GET", "/healthz", "", 200),
        ("POST", START, "", 200),
    ] {
        let answer = sent_whole(*server, method, target, headers);
        assert_eq!(answer.status, status, "{method} {target}");
    }
}

#[test]
fn a_body_of_unknown_length_is_cut_off_at_the_limit_and_answered() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let mut stream = server.connect();
    let head = server.put_head(0, "Transfer-Encoding: chunked\r\n");
    let head = head.replace("Content-Length: 0\r\n", "");
    stream.write_all(head.as_bytes()).expect("sent");
    let chunk = format!("{MEGABYTE:x}\r\n{}\r\n", " ".repeat(MEGABYTE));
    for _ in 0..20 {
        stream
            .write_all(chunk.as_bytes())
            .expect("the server reads on");
    }
    Answer::read(&stream).assert_failed(413, "PayloadTooLarge");
}

#[test]
fn white_space_and_escapes_do_not_count_towards_a_profiles_limit() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let name = "\\u0041".repeat(60_000);
    let padded = format!("{}{}", " ".repeat(100_000), profile_json(ALICE, &name));
    assert_eq!(server.put(padded).status, 200);
    let too_long = " ".repeat(512 * 1024 + 1);
    server.put(too_long).assert_failed(413, "PayloadTooLarge");
}

#[test]
fn a_connection_serves_on_after_an_unwanted_body() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let mut stream = server.connect();
    let body = profile_json(ALICE, "Alice");
    let host = server.address;
    let refused = format!(
        "PUT {PROFILE} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for _ in 0..3 {
        stream.write_all(refused.as_bytes()).expect("sent");
        assert_eq!(Answer::read(&stream).status, 415);
    }
    let accepted = server.put_head(body.len(), "") + &body;
    stream.write_all(accepted.as_bytes()).expect("sent");
    assert_eq!(Answer::read(&stream).status, 200);
}

#[test]
fn a_client_that_asks_first_is_told_before_it_sends() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let expect = "Expect: 100-continue\r\n";
    let mut stream = server.connect();
    let head = server.put_head(20 * MEGABYTE, expect);
    stream.write_all(head.as_bytes()).expect("sent");
    Answer::read(&stream).assert_failed(413, "PayloadTooLarge");
    // Nothing is coming that would have to be waited for.
    let answered = Instant::now();
    assert!(is_closed(&stream));
    assert!(answered.elapsed() < Duration::from_secs(2));

    let body = profile_json(ALICE, "Alice");
    let mut stream = server.connect();
    let head = server.put_head(body.len(), expect);
    stream.write_all(head.as_bytes()).expect("sent");
    let mut go_on = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut go_on).expect("the word");
    assert!(go_on.starts_with(b"HTTP/1.1 100 "));
    stream.write_all(body.as_bytes()).expect("sent");
    assert_eq!(Answer::read(&stream).status, 200);
}

#[test]
fn a_body_that_does_not_come_in_time_is_answered_and_the_connection_closed() {
    let config = Config {
        body_time: Duration::from_millis(300),
        ..Config::default()
    };
    let server = Embedded::serve(Arc::new(MemoryStore::default()), config);
    let begun = Instant::now();
    let mut stream = server.connect();
    stream
        .write_all(server.put_head(1000, "").as_bytes())
        .expect("sent");
    // A byte now and then buys no more time.
    let mut trickle = stream.try_clone().expect("a handle");
    let trickle = thread::spawn(move || {
        (0..100).all(|_| {
            thread::sleep(Duration::from_millis(50));
            trickle.write_all(b" ").is_ok()
        })
    });
    let answer = Answer::read(&stream);
    answer.assert_failed(408, "RequestTimeout");
    assert_eq!(answer.header("connection"), Some("close"));
    assert!(is_closed(&stream));
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert!(!trickle.join().expect("no panic"), "all was taken");
}

#[test]
fn the_rest_of_a_body_is_not_waited_for_long() {
    let config = Config {
        drain_time: Duration::from_millis(300),
        ..Config::default()
    };
    let server = Embedded::serve(Arc::new(MemoryStore::default()), config);
    let begun = Instant::now();
    let mut stream = server.connect();
    let head = server
        .put_head(1000, "")
        .replace("application/json", "text/plain");
    stream.write_all(head.as_bytes()).expect("sent");
    assert_eq!(Answer::read(&stream).status, 415);
    assert!(is_closed(&stream));
    let taken = begun.elapsed();
    assert!(
        taken > Duration::from_millis(250) && taken < Duration::from_secs(3),
        "{taken:?}"
    );
}

#[test]
fn a_head_that_is_only_half_sent_is_closed_within_its_limit() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let begun = Instant::now();
    let mut half = server.connect();
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: local")
        .expect("sent");
    let silent = server.connect();
    assert!(is_closed(&half) && is_closed(&silent));
    let taken = begun.elapsed().as_secs_f64();
    // A busy machine may be late.
    assert!((9.5..30.0).contains(&taken), "{taken}");
}

#[test]
fn a_malformed_head_is_refused_and_the_connection_closed() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    for (bytes, status) in [
        ("GET\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1}\r\n\r\n".to_owned(), 400),
        (
            format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(MEGABYTE)),
            431,
        ),
    ] {
        let mut stream = server.connect();
        // The server may close before it has read all.
        let _sent_in_part = stream.write_all(bytes.as_bytes());
        let mut start = [0; 12];
        stream.read_exact(&mut start).expect("an answer");
        assert_eq!(start, *format!("HTTP/1.1 {status}").as_bytes());
    }
    assert_eq!(server.get("/healthz").status, 200);
}
