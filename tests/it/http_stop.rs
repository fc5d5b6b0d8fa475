//! How the server ends, and what becomes of requests and clients that end early.

use std::fs::File;
use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use dex_dir::http::Config;

use crate::client::{Answer, Client, START, is_closed};
use crate::embedded::{Embedded, Hooked};
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::server::Server;

/// Long enough for a request to reach the place where it waits.
fn a_moment() {
    thread::sleep(Duration::from_millis(300));
}

/// A folder in which `start` waits until the lock file is dropped.
fn sandbox_where_start_waits() -> (Sandbox, File) {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("locks")).expect("a folder");
    let lock = File::create(sandbox.path("locks/directory.lock")).expect("a lock file");
    lock.lock().expect("free");
    (sandbox, lock)
}

fn start_request(server: Client) -> std::net::TcpStream {
    let mut stream = server.connect();
    let request = format!("POST {START} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).expect("sent");
    // Connections are accepted one after the other.
    assert_eq!(server.get("/healthz").status, 200);
    a_moment();
    stream
}

#[test]
fn either_signal_ends_an_idle_server_at_once() {
    for signal in ["TERM", "INT"] {
        let sandbox = Sandbox::new();
        let mut server = Server::start(&sandbox);
        let idle = server.connect();
        let begun = Instant::now();
        server.signal(signal);
        assert_eq!(server.ended().code(), Some(0), "{signal}");
        assert!(is_closed(&idle));
        assert!(begun.elapsed() < Duration::from_secs(3));
    }
}

#[test]
fn work_under_way_is_finished_and_answered_before_the_end() {
    let (sandbox, lock) = sandbox_where_start_waits();
    let mut server = Server::start(&sandbox);
    let request = start_request(*server);
    server.signal("TERM");
    a_moment();
    assert!(std::net::TcpStream::connect(server.address).is_err());
    drop(lock);
    assert_eq!(Answer::read(&request).status, 200);
    assert_eq!(server.ended().code(), Some(0));
    assert!(sandbox.path("directory.json").exists());
}

#[test]
fn a_body_under_way_is_read_and_saved_before_the_end() {
    let sandbox = Sandbox::started();
    let mut server = Server::start(&sandbox);
    let body = profile_json(ALICE, "Alice");
    let mut stream = server.connect();
    stream
        .write_all(server.put_head(body.len(), "").as_bytes())
        .expect("sent");
    a_moment();
    server.signal("INT");
    a_moment();
    stream.write_all(body.as_bytes()).expect("sent");
    Answer::read(&stream).assert_ok(&body);
    assert_eq!(server.ended().code(), Some(0));
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), format!("{body}\n"));
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let (sandbox, _lock) = sandbox_where_start_waits();
    let mut server = Server::start(&sandbox);
    let _request = start_request(*server);
    server.signal("INT");
    a_moment();
    server.signal("TERM");
    let begun = Instant::now();
    assert_eq!(server.ended().code(), Some(128 + 15));
    assert!(begun.elapsed() < Duration::from_secs(3));
}

#[test]
fn work_that_does_not_end_is_not_waited_for_longer_than_its_limit() {
    let (sandbox, _lock) = sandbox_where_start_waits();
    let mut server = Server::start(&sandbox);
    let _request = start_request(*server);
    server.signal("TERM");
    let begun = Instant::now();
    assert_eq!(server.ended().code(), Some(0));
    let taken = begun.elapsed().as_secs_f64();
    assert!((9.5..15.0).contains(&taken), "{taken}");
}

/// A server whose saves wait for the sender, each after it has said so to the receiver.
fn server_where_saves_wait() -> (Embedded, Receiver<()>, Sender<()>) {
    let (begun, has_begun) = channel();
    let (go_on, may_go_on) = channel();
    let may_go_on = Mutex::new(may_go_on);
    let store = Hooked::before(move || {
        let _nobody_waits = begun.send(());
        let _gone = may_go_on.lock().expect("no panic").recv();
        Ok(())
    });
    let server = Embedded::serve(Arc::new(store), Config::default());
    (server, has_begun, go_on)
}

#[test]
fn a_save_goes_on_when_the_client_hangs_up() {
    let (server, has_begun, go_on) = server_where_saves_wait();
    let body = profile_json(ALICE, "Alice");
    let mut stream = server.connect();
    let request = server.put_head(body.len(), "") + &body;
    stream.write_all(request.as_bytes()).expect("sent");
    has_begun.recv().expect("begun");
    drop(stream);
    a_moment();
    // Its lock is still held.
    server.put(&body).assert_failed(409, "RPCLockConflict");
    drop(go_on);
    a_moment();
    server.look_up(ALICE).assert_ok(&body);
}

#[test]
fn work_whose_client_hung_up_is_finished_before_the_end() {
    let (sandbox, lock) = sandbox_where_start_waits();
    let mut server = Server::start(&sandbox);
    drop(start_request(*server));
    server.signal("TERM");
    a_moment();
    drop(lock);
    assert_eq!(server.ended().code(), Some(0));
    assert!(sandbox.path("directory.json").exists());
}

#[test]
fn a_body_that_its_client_abandons_saves_nothing() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let body = profile_json(ALICE, "Alice");
    let mut stream = server.connect();
    let request = server.put_head(body.len() + 1, "") + &body;
    stream.write_all(request.as_bytes()).expect("sent");
    drop(stream);
    a_moment();
    server
        .look_up(ALICE)
        .assert_failed(404, "CustomerProfileNotFound");
}
