//! Which requests are let through to the routes at all.

use crate::client::{Answer, PROFILE};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

fn with_headers(server: &Server, headers: &str) -> Answer {
    server.raw(format!("GET /healthz HTTP/1.1\r\n{headers}\r\n"))
}

#[test]
fn only_loopback_names_and_allowed_ones_are_answered() {
    let sandbox = Sandbox::new();
    let server = Server::start_with(
        &sandbox,
        &["--allow-host", "Dir.example", "--allow-host=b.example:81"],
    );
    for host in [
        "localhost",
        "LOCALHOST:1",
        "a.localhost",
        "127.0.0.1",
        "127.8.8.8:99",
        "[::1]:80",
        "dir.EXAMPLE:7",
        "b.example:81",
    ] {
        assert_eq!(
            with_headers(&server, &format!("Host: {host}\r\n")).status,
            200,
            "{host}"
        );
    }
    for headers in [
        "",
        "Host:\r\n",
        "Host: b.example\r\n",
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 192.168.0.1\r\n",
        "Host: user@localhost\r\n",
        "Host: localhost\r\nHost: localhost\r\n",
        "Host: é\r\n",
    ] {
        with_headers(&server, headers).assert_failed(421, "MisdirectedRequest");
    }
}

#[test]
fn the_authority_of_an_absolute_target_counts_as_well() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let ask =
        |target: &str| server.raw(format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    assert_eq!(ask("http://localhost:1/healthz").status, 200);
    ask("http://evil.example/healthz").assert_failed(421, "MisdirectedRequest");
}

#[test]
fn no_page_but_the_servers_own_is_answered() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let port = server.address.port();
    let ask = |origin: &str| {
        with_headers(
            &server,
            &format!("Host: localhost:{port}\r\nOrigin: {origin}\r\n"),
        )
    };
    for origin in ["http://localhost", "https://LocalHost"] {
        assert_eq!(ask(&format!("{origin}:{port}")).status, 200, "{origin}");
    }
    for origin in [
        "null",
        "",
        "http://evil.example",
        "http://localhost",
        &format!("http://127.0.0.1:{port}"),
        &format!("localhost:{port}"),
        &format!("http://localhost:{port}\r\nOrigin: http://localhost:{port}"),
    ] {
        ask(origin).assert_failed(403, "OriginNotAllowed");
    }
}

#[test]
fn the_default_port_of_the_pages_scheme_may_be_left_out() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    for (host, origin, status) in [
        ("localhost", "http://localhost", 200),
        ("localhost:443", "https://localhost", 200),
        ("localhost:80", "https://localhost", 403),
    ] {
        let answer = with_headers(&server, &format!("Host: {host}\r\nOrigin: {origin}\r\n"));
        assert_eq!(answer.status, status, "{host} {origin}");
    }
}

#[test]
fn a_foreign_page_saves_nothing() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let headers = "Content-Type: application/json\r\nOrigin: http://evil.example\r\n";
    let alice = profile_json(ALICE, "Alice");
    let answer = server.send("PUT", PROFILE, headers, alice.as_bytes());
    answer.assert_failed(403, "OriginNotAllowed");
    assert!(!sandbox.path(ALICE_PARTITION).exists());
}

#[test]
fn the_first_thing_that_is_wrong_is_the_one_that_is_told() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let origin = "Origin: null\r\n";
    let ask = |head: &str| server.raw(format!("{head}Content-Length: 1\r\n\r\n{{"));
    let host = "Host: localhost\r\n";
    ask(&format!("GET /x HTTP/1.1\r\nHost: x.example\r\n{origin}"))
        .assert_failed(421, "MisdirectedRequest");
    ask(&format!("GET /x HTTP/1.1\r\n{host}{origin}")).assert_failed(403, "OriginNotAllowed");
    ask(&format!("PATCH {PROFILE} HTTP/1.1\r\n{host}")).assert_failed(405, "MethodNotAllowed");
    ask(&format!("PUT {PROFILE} HTTP/1.1\r\n{host}")).assert_failed(415, "UnsupportedMediaType");
    let json = "Content-Type: application/json\r\n";
    ask(&format!("PUT {PROFILE} HTTP/1.1\r\n{host}{json}")).assert_failed(400, "InvalidJson");
}

#[test]
fn in_the_open_any_host_is_answered_and_foreign_pages_still_are_not() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    command.args(["serve", "--allow-anonymous", "--listen", "0.0.0.0:0"]);
    let server = Server::of(&mut command);
    assert_eq!(with_headers(&server, "Host: dir.example\r\n").status, 200);
    let same = "Host: dir.example\r\nOrigin: https://dir.example\r\n";
    assert_eq!(with_headers(&server, same).status, 200);
    for foreign in [
        "Host: dir.example\r\nOrigin: http://x.example\r\n",
        "Origin: http://x.example\r\n",
    ] {
        with_headers(&server, foreign).assert_failed(403, "OriginNotAllowed");
    }
}
