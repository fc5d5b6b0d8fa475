//! Where the server listens, where it refuses to, and what it does when it runs out of means.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::client::Answer;
use crate::harness::{ALICE, Sandbox};
use crate::server::{Server, serve_refused};

#[test]
fn listening_openly_is_refused_unless_it_is_asked_for() {
    let sandbox = Sandbox::new();
    for address in [
        "0.0.0.0:0",
        "[::]:0",
        "192.0.2.1:80",
        "[::ffff:192.0.2.1]:80",
    ] {
        let refused = serve_refused(&sandbox, &["--listen", address]);
        assert_eq!(refused.status(), 2, "{address}");
        let error = refused.stderr();
        for part in [
            "error: ",
            address,
            "--allow-anonymous",
            "Usage: dex-dir serve",
        ] {
            assert!(error.contains(part), "no {part:?} in {error}");
        }
    }
}

#[test]
fn a_bad_address_or_host_is_wrong_use() {
    let sandbox = Sandbox::new();
    for (flag, value) in [
        ("--listen", "8080"),
        ("--listen", "localhost"),
        ("--listen", "localhost:65536"),
        ("--listen", "example.com:80"),
        ("--listen", "127.0.0.1"),
        ("--allow-host", "http://dir.example"),
        ("--allow-host", ""),
    ] {
        let refused = serve_refused(&sandbox, &[flag, value]);
        assert_eq!(refused.status(), 2, "{flag} {value}");
        assert!(
            refused.stderr().contains("expected "),
            "{}",
            refused.stderr()
        );
    }
}

#[test]
fn a_busy_port_is_told_in_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let sandbox = Sandbox::new();
    let refused = serve_refused(&sandbox, &["--listen", &address]);
    refused.assert_refused(74, &["could not listen on", &address, "--listen"]);
}

#[test]
fn localhost_is_an_address() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    let server = Server::of(command.args(["serve", "--listen", "localhost:0"]));
    assert!(server.address.ip().is_loopback());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_directory_that_can_not_be_used_is_refused_at_the_start() {
    let sandbox = Sandbox::started();
    sandbox.write("directory.json", r#"{"formatVersion":2}"#);
    let refused = serve_refused(&sandbox, &["--listen", "127.0.0.1:0"]);
    refused.assert_refused(72, &["formatVersion"]);

    let sandbox = Sandbox::new();
    std::fs::write(sandbox.dir(), "a file").expect("written");
    let refused = serve_refused(&sandbox, &["--listen", "127.0.0.1:0"]);
    refused.assert_refused(74, &["customers"]);
}

#[test]
fn help_ends_in_an_example() {
    let help = Sandbox::new().ok(&["serve", "--help"]);
    let (_, example) = help.rsplit_once("\n\n").expect("paragraphs");
    assert!(example.starts_with("Example:\n  dex-dir serve"), "{help}");
}

/// A server with so few descriptors that a test can take them all.
fn with_few_descriptors(sandbox: &Sandbox) -> Server {
    let script = "ulimit -n 40 && exec \"$0\" serve --listen 127.0.0.1:0";
    let program = sandbox.command().get_program().to_owned();
    let mut command = crate::harness::shell(sandbox.root());
    command.env("DEX_DIR", sandbox.dir());
    Server::of(command.arg("-c").arg(script).arg(program))
}

#[test]
fn without_descriptors_the_answer_is_to_try_again_and_the_server_goes_on() {
    let sandbox = Sandbox::started();
    let server = with_few_descriptors(&sandbox);
    let mut first = server.connect();
    let crowd: Vec<TcpStream> = (0..120).map(|_| server.connect()).collect();
    std::thread::sleep(Duration::from_millis(300));
    let request = format!(
        "GET {}?emailAddress={ALICE} HTTP/1.1\r\nHost: {}\r\n\r\n",
        crate::client::PROFILE,
        server.address
    );
    first.write_all(request.as_bytes()).expect("sent");
    let answer = Answer::read(&first);
    answer.assert_failed(503, "Unavailable");
    assert_eq!(answer.header("retry-after"), Some("1"));
    drop(crowd);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.look_up(ALICE).status, 404);
    let told = server.stop();
    let told = told.iter().filter(|line| line.contains("could not accept"));
    assert!((1..5).contains(&told.count()));
}
