//! The real program as a server on a free port.

use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::harness::{Finished, Sandbox};

/// Runs `serve` with these arguments, which must not become a server.
pub fn serve_refused(sandbox: &Sandbox, args: &[&str]) -> Finished {
    let mut command = sandbox.command();
    command.arg("serve").args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program runs");
    if ended_in_time(&mut process).is_none() {
        process.kill().expect("it runs");
    }
    Finished(process.wait_with_output().expect("it ended"))
}

/// Waits until a process has ended, longer than any limit of the server.
fn ended_in_time(process: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(15) {
        if let Some(status) = process.try_wait().expect("a process") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(5));
    }
    None
}

/// A running server; it is killed when this is dropped.
pub struct Server {
    process: Child,
    client: Client,
    log: Receiver<String>,
}

impl Server {
    /// Serves the directory of `sandbox`.
    pub fn start(sandbox: &Sandbox) -> Self {
        Self::start_with(sandbox, &[])
    }

    /// Serves it with further arguments.
    pub fn start_with(sandbox: &Sandbox, args: &[&str]) -> Self {
        let mut command = sandbox.command();
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args);
        Self::of(&mut command)
    }

    /// Runs `command`, which must become a server.
    pub fn of(command: &mut Command) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let log = lines_of(process.stderr.take().expect("a pipe"));
        let first = log.recv().expect("a line");
        let address = first.strip_prefix("dex-dir: listening on http://");
        let address = address.expect(&first).parse().expect("an address");
        Self {
            process,
            client: Client { address },
            log,
        }
    }

    /// Sends it a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits until it has ended, and says how.
    pub fn ended(&mut self) -> ExitStatus {
        ended_in_time(&mut self.process).expect("an end")
    }

    /// Ends it as a supervisor does, and gives all lines of its log that weren't read yet.
    pub fn stop(mut self) -> Vec<String> {
        self.signal("TERM");
        assert_eq!(self.ended().code(), Some(0));
        self.log.iter().collect()
    }
}

impl Deref for Server {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

/// The lines of the log as they come: a server whose log nobody reads would stand still.
fn lines_of(stderr: ChildStderr) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
