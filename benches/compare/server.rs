//! A server that runs while it is measured.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

/// A server, killed when dropped.
pub struct Server {
    child: Child,
    /// Where it listens: address and port.
    pub authority: String,
}

impl Server {
    /// Starts a server that says on standard error where it listens, and waits for that.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut errors = BufReader::new(child.stderr.take().context("its errors")?);
        let mut line = String::new();
        errors.read_line(&mut line)?;
        let mut server = Self {
            child,
            authority: String::new(),
        };
        let authority = line
            .trim_end()
            .rsplit_once("http://")
            .map(|(_, rest)| rest.to_owned());
        server.authority = authority.with_context(|| format!("the server said: {line}"))?;
        // Nobody may wait for a pipe that isn't read.
        thread::spawn(move || errors.read_to_end(&mut Vec::new()));
        Ok(server)
    }

    /// A line of its state in the kernel's table, in MiB: `VmHWM` is the most memory it held.
    pub fn mebibytes(&self, name: &str) -> Result<f64> {
        let state = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = state
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kibibytes
            .with_context(|| format!("no {name}"))?
            .parse::<f64>()?
            / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
