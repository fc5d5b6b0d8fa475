//! The access log: what it says, and what it never says.

use std::process::{Command, Stdio};
use std::sync::Arc;

use dex_dir::http::Config;

use crate::client::{PROFILE, START};
use crate::embedded::{Embedded, Hooked};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::server::Server;

/// Method, route, status and partition of a line, once time and duration are found to be such.
fn shown(line: &str) -> [&str; 4] {
    let words: Vec<_> = line.split(' ').collect();
    let &[time, method, route, status, taken, partition] = &*words else {
        panic!("{line}");
    };
    assert!(time.ends_with('Z') && time.len() == 24, "{line}");
    let taken = taken.strip_suffix("ms").expect(line);
    assert!(taken.parse::<f64>().is_ok_and(|ms| ms >= 0.0), "{line}");
    [method, route, status, partition]
}

#[test]
fn each_request_is_one_line() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
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
fn nothing_of_a_customer_is_logged() {
    const SECRET: &str = "zanzibar";
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let profile = profile_json(SECRET, SECRET);
    server.put(&profile);
    server.put(profile.replace("fullName", SECRET));
    server.put(&profile[1..]);
    server.look_up(SECRET);
    server.look_up(&format!("{SECRET}%"));
    server.get(&format!("/{SECRET}"));
    server.send(SECRET, PROFILE, "", b"");
    server.raw(format!(
        "GET / HTTP/1.1\r\nHost: {SECRET}\r\nOrigin: {SECRET}\r\n\r\n"
    ));
    for corrupt in [
        r#"{"zanzibar":1,"zanzibar":1}"#,
        "zanzibar",
        r#"{"zanzibar":{}}"#,
    ] {
        sandbox.write(ALICE_PARTITION, corrupt);
        server.look_up(ALICE).assert_failed(500, "CorruptPartition");
    }
    let log = server.stop().join("\n");
    assert!(log.contains("is corrupt") && !log.contains(SECRET), "{log}");
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
    assert!(log.contains("Z panicked at tests/it/http_log.rs:"), "{log}");
    assert!(log.contains(" 500 ") && !log.contains(ALICE), "{log}");
}
