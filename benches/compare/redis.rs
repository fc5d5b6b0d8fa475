//! Redis, syncing every write, by its own benchmark.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::process;
use crate::wrk::CONNECTIONS;

/// A server, killed when dropped.
pub struct Redis {
    child: Child,
    port: String,
}

impl Redis {
    /// Starts a server with its data in `folder`; nothing where there is none.
    pub fn start(folder: &Path) -> Result<Option<Self>> {
        if !process::is_there("redis-server") || !process::is_there("redis-benchmark") {
            return Ok(None);
        }
        std::fs::create_dir_all(folder)?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let port = address.port().to_string();
        let mut command = Command::new("redis-server");
        command.args([
            "--port",
            &port,
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "yes",
        ]);
        command
            .args(["--appendfsync", "always", "--dir"])
            .arg(folder);
        let redis = Self {
            child: command.stdout(Stdio::null()).spawn()?,
            port,
        };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            ensure!(
                begun.elapsed() < Duration::from_secs(10),
                "redis-server doesn't answer"
            );
            thread::sleep(Duration::from_millis(10));
        }
        Ok(Some(redis))
    }

    /// Requests a second of `get` or `set`, with values as long as a profile.
    pub fn requests_a_second(&self, test: &str, requests: usize) -> Result<f64> {
        let mut command = Command::new("redis-benchmark");
        command.args([
            "-p",
            &self.port,
            "-c",
            &CONNECTIONS.to_string(),
            "-t",
            test,
            "-d",
            "150",
        ]);
        command.args(["-r", "1000000", "-n", &requests.to_string(), "--csv"]);
        let output = process::output(&mut command)?;
        let row = output
            .lines()
            .last()
            .and_then(|line| line.split(',').nth(1));
        let rate = row.with_context(|| format!("redis-benchmark said: {output}"))?;
        Ok(rate.trim_matches('"').parse()?)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
