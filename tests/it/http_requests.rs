//! Requests that are wrong in themselves: each is told what is wrong with it, and nothing is saved.

use crate::client::{PROFILE, START};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

#[test]
fn bad_bodies_are_told_apart() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let alice = profile_json(ALICE, "Alice");
    for (body, status, code, text) in [
        ("", 400, "InvalidJson", "invalid JSON"),
        ("{\n \"a\" }", 400, "InvalidJson", "line 2, column"),
        (
            &format!("{alice}{alice}"),
            400,
            "InvalidJson",
            "invalid JSON",
        ),
        (
            &alice.replace("Acme", "\\ud800"),
            400,
            "InvalidProfile",
            "companyName",
        ),
        (
            &alice.replace("\"Acme\"", "1"),
            400,
            "InvalidProfile",
            "companyName",
        ),
        (
            &alice.replace("Acme", ""),
            400,
            "InvalidProfile",
            "companyName",
        ),
        (
            &alice.replace("companyName", "company"),
            400,
            "InvalidProfile",
            "company",
        ),
        (
            &alice.replace("companyName", "fullName"),
            400,
            "InvalidProfile",
            "twice",
        ),
        (
            &alice.replace(ALICE, " "),
            400,
            "InvalidEmailAddress",
            "is required",
        ),
        (
            &alice.replace(ALICE, "é"),
            400,
            "InvalidEmailAddress",
            "ASCII",
        ),
        (
            &alice.replace("Acme", &"x".repeat(65_536)),
            413,
            "PayloadTooLarge",
            "65536",
        ),
    ] {
        let answer = server.put(body);
        answer.assert_failed(status, code);
        assert!(answer.body.contains(text), "{}", answer.body);
    }
    let latin = [alice.as_bytes(), b"\xe9"].concat();
    server.put(latin).assert_failed(400, "InvalidJson");
    assert!(!sandbox.path(ALICE_PARTITION).exists());
}

#[test]
fn bad_queries_are_told_apart() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for (query, code, text) in [
        ("", "InvalidEmailAddress", "emailAddress is required"),
        ("?", "InvalidEmailAddress", "emailAddress is required"),
        ("?emailAddress", "InvalidEmailAddress", "is required"),
        ("?emailAddress=+%0b", "InvalidEmailAddress", "is required"),
        ("?email=a", "InvalidEmailAddress", "is required"),
        ("?emailAddress=%C3%A9", "InvalidEmailAddress", "ASCII"),
        ("?emailAddress=a%4", "InvalidQuery", "%25"),
        ("?emailAddress=a%ff", "InvalidQuery", "UTF-8"),
        ("?emailAddress=a&%65mailAddress=a", "InvalidQuery", "twice"),
        ("?emailAddress=a&b=%", "InvalidQuery", "%25"),
    ] {
        let answer = server.get(&format!("{PROFILE}{query}"));
        answer.assert_failed(400, code);
        assert!(answer.body.contains(text), "{query}: {}", answer.body);
    }
    server
        .get(&format!("{PROFILE}?a=1&emailAddress=a&b"))
        .assert_failed(404, "CustomerProfileNotFound");
}

#[test]
fn a_plus_that_became_a_space_is_explained_if_nothing_is_found() {
    let sandbox = Sandbox::started();
    sandbox.upsert("a b@example.com", "Inner Space", &[]);
    let server = Server::start(&sandbox);
    assert_eq!(server.look_up("a+b@example.com").status, 200);
    let explained = server.look_up("alice+news@example.com");
    explained.assert_failed(404, "CustomerProfileNotFound");
    assert!(explained.body.contains("%2B"), "{}", explained.body);
    for email in ["+a@example.com", "a%20c@example.com", "a%2Bc@example.com"] {
        assert!(!server.look_up(email).body.contains("%2B"), "{email}");
    }
}

#[test]
fn only_the_exact_paths_are_routes() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for target in [
        "*",
        "/healthz/",
        "//healthz",
        "/%68ealthz",
        &format!("{START}/"),
        &PROFILE.to_uppercase(),
        "/patterns/hash-partitioned-attribute-map",
        "/patterns/hash-partitioned-attribute-map/",
        "/patterns/hash-partitioned-attribute-map/x/../start",
    ] {
        let method = if target == "*" { "OPTIONS" } else { "GET" };
        server
            .send(method, target, "", b"")
            .assert_failed(404, "RouteNotFound");
    }
}

#[test]
fn a_method_that_a_path_does_not_know_is_told_those_it_knows() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for (method, path, allow) in [
        ("GET", START, "POST"),
        ("PUT", START, "POST"),
        ("POST", PROFILE, "GET,HEAD,PUT"),
        ("OPTIONS", PROFILE, "GET,HEAD,PUT"),
        ("get", PROFILE, "GET,HEAD,PUT"),
        ("BREW", "/healthz", "GET,HEAD"),
    ] {
        let answer = server.send(method, path, "", b"");
        answer.assert_failed(405, "MethodNotAllowed");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
    }
}

#[test]
fn only_json_is_accepted_whatever_its_parameters() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let alice = profile_json(ALICE, "Alice");
    let put = |headers: &str| server.send("PUT", PROFILE, headers, alice.as_bytes());
    for accepted in ["application/json", "Application/JSON ; charset=utf-8;x=y"] {
        assert_eq!(put(&format!("Content-Type: {accepted}\r\n")).status, 200);
    }
    for refused in [
        "",
        "Content-Type: \r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: text/plain; application/json\r\n",
        "Content-Type: application/json-seq\r\n",
        "Content-Type: application/json\r\nContent-Type: text/plain\r\n",
    ] {
        put(refused).assert_failed(415, "UnsupportedMediaType");
    }
}
