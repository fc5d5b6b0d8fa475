//! Who may use the server: tokens, foreign web pages, and a server that changes nothing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::client::{Answer, PROFILE, START};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::{Server, serve_refused};

const TOKEN: &str = "s3cret-t0ken";
const NEXT_TOKEN: &str = "next.t0ken==";
const PAGE: &str = "https://shop.example";

fn token_file(sandbox: &Sandbox, text: &str, mode: u32) -> String {
    let file = sandbox.root().join("tokens");
    fs::write(&file, text).expect("written");
    fs::set_permissions(&file, Permissions::from_mode(mode)).expect("a mode");
    file.to_str().expect("UTF-8").to_owned()
}

fn put(server: &Server, headers: &str) -> Answer {
    let headers = format!("Content-Type: application/json\r\n{headers}");
    server.send(
        "PUT",
        PROFILE,
        &headers,
        profile_json(ALICE, "Alice").as_bytes(),
    )
}

#[test]
fn with_tokens_only_who_sends_one_is_answered() {
    let sandbox = Sandbox::started();
    let file = token_file(&sandbox, &format!("{TOKEN}\n\n{NEXT_TOKEN}\n"), 0o600);
    let server = Server::start_with(&sandbox, &["--token-file", &file]);
    for headers in [
        "",
        "Authorization: Bearer wrong\r\n",
        "Authorization: Basic s3cret-t0ken\r\n",
        "Authorization: Bearer s3cret-t0ken2\r\n",
    ] {
        let refused = put(&server, headers);
        refused.assert_failed(401, "Unauthorized");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        for target in [PROFILE, START, "/metrics", "/nowhere"] {
            let refused = server.send("GET", target, headers, b"");
            refused.assert_failed(401, "Unauthorized");
        }
    }
    assert!(!sandbox.path(ALICE_PARTITION).exists());
    for token in [TOKEN, NEXT_TOKEN] {
        let allowed = put(&server, &format!("Authorization: Bearer {token}\r\n"));
        assert_eq!(allowed.status, 200, "{}", allowed.body);
    }
    assert_eq!(server.get("/healthz").status, 200);
    let log = server.stop().join("\n");
    assert!(!log.contains(TOKEN) && !log.contains("wrong"), "{log}");
}

#[test]
fn tokens_that_others_may_read_or_that_are_none_are_refused_at_the_start() {
    let sandbox = Sandbox::started();
    for (text, mode, part) in [
        (TOKEN, 0o604, "others may read or write"),
        (TOKEN, 0o620, "others may read or write"),
        ("\n", 0o600, "it holds no token"),
        ("two words", 0o600, "line 1: a token consists of"),
    ] {
        let file = token_file(&sandbox, text, mode);
        let refused = serve_refused(&sandbox, &["--token-file", &file]);
        refused.assert_refused(74, &[part]);
    }
    let absent = serve_refused(&sandbox, &["--token-file", "absent"]);
    absent.assert_refused(74, &["could not open absent"]);
}

#[test]
fn with_tokens_a_server_may_listen_openly() {
    let sandbox = Sandbox::started();
    let file = token_file(&sandbox, TOKEN, 0o600);
    let mut command = sandbox.command();
    command.args(["serve", "--listen", "0.0.0.0:0", "--token-file", &file]);
    let server = Server::of(&mut command);
    put(&server, "").assert_failed(401, "Unauthorized");
}

#[test]
fn a_read_only_server_answers_lookups_and_changes_nothing() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let before = sandbox.read(ALICE_PARTITION);
    let server = Server::start_with(&sandbox, &["--read-only"]);
    server
        .look_up(ALICE)
        .assert_ok(&profile_json(ALICE, "Alice"));
    let refused = server.put(profile_json(ALICE, "Other"));
    refused.assert_failed(405, "MethodNotAllowed");
    assert_eq!(refused.header("allow"), Some("GET,HEAD"));
    assert!(refused.body.contains("read-only"), "{}", refused.body);
    server.start().assert_failed(405, "MethodNotAllowed");
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
}

#[test]
fn pages_of_an_allowed_origin_may_use_the_api_and_others_may_not() {
    let sandbox = Sandbox::started();
    let file = token_file(&sandbox, TOKEN, 0o600);
    let args = ["--cors-origin", PAGE, "--token-file", &file];
    let server = Server::start_with(&sandbox, &args);
    let ask = "Access-Control-Request-Method: PUT\r\n\
               Access-Control-Request-Headers: content-type, authorization, if-match\r\n";
    let origin = format!("Origin: {PAGE}\r\n");
    // A preflight carries no token.
    let preflight = server.send("OPTIONS", PROFILE, &format!("{origin}{ask}"), b"");
    assert_eq!(preflight.status, 200, "{}", preflight.body);
    assert_eq!(preflight.header("access-control-allow-origin"), Some(PAGE));
    let methods = preflight.header("access-control-allow-methods");
    assert!(methods.is_some_and(|m| m.contains("PUT")), "{methods:?}");
    let headers = preflight.header("access-control-allow-headers");
    for header in ["authorization", "content-type", "if-match", "prefer"] {
        assert!(headers.is_some_and(|h| h.contains(header)), "{headers:?}");
    }
    let saved = put(
        &server,
        &format!("{origin}Authorization: Bearer {TOKEN}\r\n"),
    );
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(saved.header("access-control-allow-origin"), Some(PAGE));
    let exposed = saved.header("access-control-expose-headers");
    assert!(exposed.is_some_and(|h| h.contains("etag")), "{exposed:?}");
    let refused = put(&server, &origin);
    refused.assert_failed(401, "Unauthorized");
    assert_eq!(refused.header("access-control-allow-origin"), Some(PAGE));
    for other in [
        "https://shop.example:8443",
        "http://shop.example",
        "https://evil.example",
    ] {
        let foreign = format!("Origin: {other}\r\nAuthorization: Bearer {TOKEN}\r\n");
        put(&server, &foreign).assert_failed(403, "OriginNotAllowed");
        let preflight = server.send("OPTIONS", PROFILE, &format!("{foreign}{ask}"), b"");
        preflight.assert_failed(403, "OriginNotAllowed");
    }
}

#[test]
fn a_star_allows_the_pages_of_all_origins() {
    let sandbox = Sandbox::started();
    let server = Server::start_with(&sandbox, &["--cors-origin", "*"]);
    let saved = put(&server, "Origin: https://anywhere.example\r\n");
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(saved.header("access-control-allow-origin"), Some("*"));
    let wrong = serve_refused(&sandbox, &["--cors-origin", "shop.example"]);
    assert_eq!(wrong.status(), 2, "{}", wrong.stderr());
}
