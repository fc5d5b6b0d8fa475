//! Load by `wrk`: 32 keep-alive connections, random customers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::customers::Customer;
use crate::process;
use crate::scene::Scene;

/// The route of the pattern that is loaded.
pub const ROUTE: &str = "/patterns/hash-partitioned-attribute-map/customer-profile";

/// Connections of every load.
pub const CONNECTIONS: usize = 32;

/// Customers that a load picks from: some in every partition.
const CUSTOMERS: usize = 20_000;

/// What is asked.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Lookups alone.
    Get,
    /// Saves alone.
    Put,
    /// So many saves in a hundred requests, and the times of the lookups alone.
    Mixed(u8),
}

/// What came of it.
pub struct Load {
    /// Successful answers a second.
    pub rate: f64,
    /// Conflicts a second.
    pub conflicts: f64,
    /// Half of the answers took at most so many milliseconds.
    pub p50: f64,
    /// And 99 % of them.
    pub p99: f64,
}

/// The script and the customers of a directory.
pub struct Wrk {
    script: PathBuf,
    customers: PathBuf,
    seconds: u64,
}

impl Wrk {
    /// Picks the customers of the directory of so many.
    pub fn new(scene: &Scene, size: usize) -> Result<Self> {
        let script = scene.path("load.lua");
        std::fs::write(&script, include_str!("load.lua"))?;
        let customers = scene.path(format!("load-{size}.tsv"));
        write_customers(&customers, size)?;
        Ok(Self {
            script,
            customers,
            seconds: scene.seconds,
        })
    }

    /// Loads a server.
    pub fn load(&self, authority: &str, kind: Kind) -> Result<Load> {
        let (threads, percent, timed) = match kind {
            Kind::Get => (2, 0, "untimed"),
            Kind::Put => (2, 100, "untimed"),
            Kind::Mixed(percent) => (CONNECTIONS, percent, "timed"),
        };
        let mut command = Command::new("wrk");
        command.args(["--threads", &threads.to_string()]);
        command.args(["--connections", &CONNECTIONS.to_string()]);
        command.args(["--duration", &format!("{}s", self.seconds)]);
        command
            .arg("--script")
            .arg(&self.script)
            .arg(format!("http://{authority}/"));
        command
            .args(["--", &percent.to_string(), timed])
            .arg(&self.customers);
        parse(&process::output(&mut command)?)
    }
}

fn write_customers(path: &Path, size: usize) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    for _ in 0..CUSTOMERS.min(size) {
        let mut customer = Customer::any(size);
        "@@".clone_into(&mut customer.company_name);
        let address = customer.email.replace('+', "%2B");
        writeln!(out, "{address}\t{}", customer.to_json())?;
    }
    Ok(out.flush()?)
}

fn parse(output: &str) -> Result<Load> {
    let line = output
        .lines()
        .find_map(|line| line.strip_prefix("wrk-result "));
    let words = line
        .with_context(|| format!("wrk said: {output}"))?
        .split(' ');
    let figures: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>()?;
    let [requests, failed, conflicts, seconds, p50, p99] = figures[..] else {
        anyhow::bail!("six figures, not {line:?}");
    };
    ensure!(
        failed == 0.0 && requests > 0.0,
        "{failed} of {requests} requests failed"
    );
    Ok(Load {
        rate: (requests - conflicts) / seconds,
        conflicts: conflicts / seconds,
        p50: p50 / 1e3,
        p99: p99 / 1e3,
    })
}
