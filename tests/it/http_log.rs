//! The access log: what it says, and what it never says.

use std::process::{Command, Stdio};
use std::sync::Arc;

use dex_dir::http::Config;
use serde_json::Value;

use std::os::unix::fs::PermissionsExt;

use crate::client::{PROFILE, START};
use crate::embedded::{Embedded, Hooked};
use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

/// Method, route, status and partition of a line, once time and duration are found to be such.
fn shown(line: &str) -> [String; 4] {
    let event: Value = serde_json::from_str(line).expect(line);
    let time = event["timestamp"].as_str().expect("a time");
    assert!(time.ends_with('Z'), "{line}");
    assert_eq!(event["level"], "INFO", "{line}");
    assert!(event["ms"].as_f64().is_some_and(|ms| ms >= 0.0), "{line}");
    assert_eq!(event["id"].as_str().map(str::len), Some(32), "{line}");
    ["method", "route", "status", "partition"].map(|name| match &event[name] {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    })
}

#[test]
fn each_request_is_one_line() {
    let sandbox = Sandbox::new();
    let server = Server::start_with(&sandbox, &["--log-format", "json"]);
    server.start();
    server.put(profile_json(ALICE, "Alice"));
    server.look_up(ALICE);
    server.look_up("nobody@example.com");
    server.put("{");
    server.get("/healthz");
    server.send("DELETE", PROFILE, "", b"");
    server.get("/secret/alice@example.com");
    server.send("BREW\u{7c}TEA", "/x", "", b"");
    let lines = server.stop();
    let lines: Vec<_> = lines.iter().map(|line| shown(line)).collect();
    assert_eq!(
        lines,
        [
            ["POST", START, "200", "-"],
            ["PUT", PROFILE, "200", "partition-278"],
            ["GET", PROFILE, "200", "partition-278"],
            ["GET", PROFILE, "404", "partition-279"],
            ["PUT", PROFILE, "400", "-"],
            ["GET", "/healthz", "200", "-"],
            ["DELETE", PROFILE, "405", "-"],
            ["GET", "-", "404", "-"],
            ["OTHER", "-", "404", "-"],
        ]
    );
}

#[test]
fn as_text_a_line_says_the_same_and_failures_have_a_line_of_their_own() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, "{");
    let server = Server::start(&sandbox);
    let answer = server.send(
        "GET",
        &format!("{PROFILE}?emailAddress={ALICE}"),
        "X-Request-Id: 0af7651916cd43dd\r\n",
        b"",
    );
    assert_eq!(answer.header("x-request-id"), Some("0af7651916cd43dd"));
    let log = server.stop();
    assert_eq!(log.len(), 2, "{log:?}");
    for part in [
        "INFO answered method=\"GET\" route=\"/patterns/",
        " status=500 ",
        " partition=partition-278 ",
    ] {
        assert!(log[0].contains(part), "{part} in {}", log[0]);
    }
    assert!(log[1].contains("ERROR failed error=\"can't") || log[1].contains("is corrupt: line 1"));
    assert!(
        log.iter()
            .all(|line| line.contains("id=\"0af7651916cd43dd\"")),
        "{log:?}"
    );
}

#[test]
fn a_level_leaves_out_what_is_below_it() {
    let sandbox = Sandbox::started();
    let server = Server::start_with(&sandbox, &["--log-level", "warn"]);
    server.get("/healthz");
    assert_eq!(server.stop(), Vec::<String>::new());
}

/// In no spelling that a program might give it.
fn assert_never_told(told: &str) {
    let plain = told.to_lowercase().replace("%7a", "z").replace("%61", "a");
    assert!(!plain.contains(SECRET), "{told}");
}

const SECRET: &str = "zanzibar";

#[test]
fn nothing_of_a_customer_is_logged_or_counted() {
    let sandbox = Sandbox::started();
    let tokens = sandbox.root().join("tokens");
    std::fs::write(&tokens, "zanzibar-token\n").expect("written");
    std::fs::set_permissions(&tokens, PermissionsExt::from_mode(0o600)).expect("a mode");
    let file = tokens.to_str().expect("UTF-8");
    let args = ["--log-level", "trace", "--token-file", file];
    let server = Server::start_with(&sandbox, &args);
    let token = "Authorization: Bearer zanzibar-token\r\n";
    let send = |method: &str, target: &str, headers: &str, body: &str| {
        let headers = format!("{token}Content-Type: application/json\r\n{headers}");
        server.send(method, target, &headers, body.as_bytes())
    };
    let look_up = |email: &str| send("GET", &format!("{PROFILE}?emailAddress={email}"), "", "");
    let profile = profile_json(SECRET, SECRET);
    assert_eq!(send("PUT", PROFILE, "", &profile).status, 200);
    assert_eq!(look_up("%7aanzibar").status, 200);
    for (method, target, headers, body) in [
        ("PUT", PROFILE, "", &*profile.replace("fullName", SECRET)),
        ("PUT", PROFILE, "", &profile[1..]),
        ("PUT", PROFILE, "If-Match: \"zanzibar\"\r\n", &profile),
        ("PUT", PROFILE, "If-Match: zanzibar\r\n", &profile),
        ("PUT", PROFILE, "Prefer: zanzibar=1\r\n", &profile),
        ("PUT", PROFILE, "X-Request-Id: zanzibar\r\n", &profile),
        (
            "GET",
            "/zanzibar?zanzibar",
            "Origin: http://zanzibar\r\n",
            "",
        ),
        ("ZANZIBAR", PROFILE, "Prefer: wait=zanzibar\r\n", ""),
        (
            "PUT",
            PROFILE,
            "",
            &profile.replace(SECRET, &SECRET.repeat(9000)),
        ),
    ] {
        send(method, target, headers, body);
    }
    look_up("zanzibar%");
    look_up("zanzibar-nobody");
    server.send("GET", PROFILE, "Authorization: Bearer zanzibar\r\n", b"");
    server.raw(format!("GET / HTTP/1.1\r\nHost: {SECRET}\r\n\r\n"));
    server.raw(format!(
        "GET /{SECRET} HTTP/1.1\r\nHost: \r\nzanzibar zanzibar\r\n\r\n"
    ));
    for corrupt in [
        r#"{"zanzibar":1,"zanzibar":1}"#,
        "zanzibar",
        r#"{"zanzibar":{}}"#,
    ] {
        sandbox.write(ALICE_PARTITION, corrupt);
        look_up(ALICE).assert_failed(500, "CorruptPartition");
    }
    let metrics = send("GET", "/metrics", "", "");
    assert!(
        metrics.body.contains("dex_dir_requests_total{"),
        "{}",
        metrics.body
    );
    assert_never_told(&metrics.body);
    let log = server.stop().join("\n");
    assert!(log.contains("is corrupt"), "{log}");
    assert_never_told(&log);
}

#[test]
fn what_happened_is_counted() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    server.put(profile_json(ALICE, "Alice"));
    server.look_up(ALICE);
    server.look_up("nobody@example.com");
    let lock = std::fs::File::create(sandbox.path(ALICE_LOCK)).expect("a lock file");
    lock.lock().expect("locked");
    server.put(profile_json(ALICE, "Other"));
    let mut metrics = server.get("/metrics");
    // The connections before may take a moment to be seen as closed.
    while !metrics.body.contains("dex_dir_open_connections 1\n") {
        std::thread::sleep(std::time::Duration::from_millis(20));
        metrics = server.get("/metrics");
    }
    let kind = metrics.header("content-type").expect("a type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let size = sandbox.read(ALICE_PARTITION).len();
    for line in [
        format!("dex_dir_requests_total{{method=\"GET\",route=\"{PROFILE}\",status=\"200\"}} 1"),
        format!("dex_dir_requests_total{{method=\"GET\",route=\"{PROFILE}\",status=\"404\"}} 1"),
        format!("dex_dir_requests_total{{method=\"PUT\",route=\"{PROFILE}\",status=\"409\"}} 1"),
        format!("dex_dir_request_duration_seconds_count{{method=\"PUT\",route=\"{PROFILE}\"}} 2"),
        "dex_dir_lock_conflicts_total 1".to_owned(),
        format!("dex_dir_rewritten_bytes_total {size}"),
        "dex_dir_commit_duration_seconds_count 1".to_owned(),
        "dex_dir_open_connections 1".to_owned(),
        format!(
            "dex_dir_build_info{{version=\"{}\"}} 1",
            env!("CARGO_PKG_VERSION")
        ),
        "# EOF".to_owned(),
    ] {
        assert!(
            metrics.body.lines().any(|l| l == line),
            "no {line} in\n{}",
            metrics.body
        );
    }
}

#[test]
fn ready_is_who_can_save_or_need_not() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    server.get("/readyz").assert_failed(503, "Unavailable");
    server.start();
    server
        .get("/readyz")
        .assert_ok(r#"{"status":"ready","readOnly":false}"#);
    sandbox.write("directory.json", "{");
    server.get("/readyz").assert_failed(503, "Unavailable");
    let sandbox = Sandbox::started();
    let server = Server::start_with(&sandbox, &["--read-only"]);
    server
        .get("/readyz")
        .assert_ok(r#"{"status":"ready","readOnly":true}"#);
}

#[test]
fn a_log_that_nobody_reads_any_more_disturbs_nobody() {
    let sandbox = Sandbox::started();
    let port = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        free.local_addr().expect("an address")
    };
    let mut command = sandbox.command();
    command.args(["serve", "--listen", &port.to_string()]);
    let mut process = command.stderr(Stdio::piped()).spawn().expect("it runs");
    drop(process.stderr.take());
    let client = crate::client::Client { address: port };
    while std::net::TcpStream::connect(port).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    for _ in 0..3 {
        assert_eq!(client.get("/healthz").status, 200);
    }
    process.kill().expect("it runs");
    process.wait().expect("it ended");
}

#[test]
#[ignore = "the next test runs it, in a process of its own"]
fn a_request_that_panics_over_an_address() {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
    dex_dir::http::without_panic_texts();
    let store = Hooked::before(|| panic!("{ALICE}"));
    let server = Embedded::serve(Arc::new(store), Config::default());
    server.look_up(ALICE).assert_failed(500, "InternalError");
}

#[test]
fn what_a_panic_says_is_not_logged() {
    let ran = Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--nocapture", "--exact"])
        .arg("http_log::a_request_that_panics_over_an_address")
        .output()
        .expect("it runs");
    let log = String::from_utf8(ran.stderr).expect("UTF-8");
    assert!(ran.status.success(), "{log}");
    assert!(log.contains("panicked at=\"tests/it/http_log.rs:"), "{log}");
    assert!(
        log.contains(" status=500 ") && !log.contains(ALICE),
        "{log}"
    );
}
