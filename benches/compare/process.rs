//! Whole processes: from before they are started until they have ended.

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

/// Runs a command that must succeed, its output thrown away, and gives its time.
pub fn timed(command: &mut Command) -> Result<Duration> {
    timed_as(command, |status| status.success())
}

/// Runs a command that must end with this status, and gives its time.
pub fn timed_to(command: &mut Command, code: i32) -> Result<Duration> {
    timed_as(command, |status| status.code() == Some(code))
}

fn timed_as(command: &mut Command, expected: impl Fn(ExitStatus) -> bool) -> Result<Duration> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let begun = Instant::now();
    let status = command.spawn()?.wait()?;
    let time = begun.elapsed();
    ensure!(expected(status), "{command:?} ended with {status}");
    Ok(time)
}

/// Runs a command that must succeed and gives what it printed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{command:?}: {}: {errors}",
        output.status
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a tool can be run at all.
pub fn is_there(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}
