//! The machine and the versions that figures belong to.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::scene::Scene;

/// Tools and the argument that makes each tell its version.
const TOOLS: [(&str, &str); 5] = [
    ("rustc", "--version"),
    ("sqlite3", "--version"),
    ("jq", "--version"),
    ("wrk", "--version"),
    ("redis-server", "--version"),
];

/// A list for the document's head.
pub fn describe(scene: &Scene) -> Result<String> {
    let cores = std::thread::available_parallelism()?;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut df = Command::new("df");
    let df = df.arg("--output=fstype").arg(scene.path(""));
    let file_system = process::output(df).unwrap_or_default();
    let mut text = format!(
        "- machine: {}, {cores} cores, kernel {}, file system {}\n- dex-dir {}",
        cpu(),
        kernel.trim(),
        file_system.lines().last().unwrap_or_default().trim(),
        env!("CARGO_PKG_VERSION"),
    );
    for (tool, argument) in TOOLS {
        text.push_str(&version(tool, argument));
    }
    Ok(text)
}

fn cpu() -> String {
    let table = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = table
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    line.map_or("an unknown CPU", |line| {
        line.trim_start_matches([' ', '\t', ':'])
    })
    .to_owned()
}

/// The first line that a tool says of itself; `wrk` says it as an error.
fn version(tool: &str, argument: &str) -> String {
    let Ok(output) = Command::new(tool).arg(argument).output() else {
        return String::new();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let words = text
        .lines()
        .next()
        .unwrap_or_default()
        .split(' ')
        .take(if tool == "redis-server" { 3 } else { 2 });
    let words: Vec<_> = words.collect();
    let name = if text.contains(tool) { "" } else { tool };
    format!("; {}", format!("{name} {}", words.join(" ")).trim())
}
