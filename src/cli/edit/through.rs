//! A partition through a shell command.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read, Write};
use std::panic;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::Context;

use super::private_copy::PrivateCopy;
use super::refusal::Refusal;
use super::session::Session;
use crate::cli::exit::ExitStatus;
use crate::cli::report::complain;
use crate::email::CanonicalEmail;
use crate::retry::Pauses;

/// Sends the partition's text through `command`, and saves what that gives back. If somebody changed
/// the partition meanwhile, the new text is sent through as well, for as long as a lock would be
/// waited for.
pub(super) fn run(
    session: &Session,
    command: &OsStr,
    email: Option<&CanonicalEmail>,
) -> anyhow::Result<ExitStatus> {
    let mut pauses = Pauses::during(session.wait);
    loop {
        let pause = pauses.next();
        let edit = session.open()?;
        let text = match through(command, email, edit.text())? {
            Ok(text) => text,
            Err(status) => return Ok(status),
        };
        match (session.settle(&edit, &text, &|| false), pause) {
            (Ok(end), _) => return end,
            (Err(Refusal::Outdated(_)), Some(pause)) => thread::sleep(pause),
            (Err(refusal), _) => return Ok(keep(refusal, &edit.path(), &text)),
        }
    }
}

/// What `command` makes of a text, or the status if it fails.
fn through(
    command: &OsStr,
    email: Option<&CanonicalEmail>,
    text: &[u8],
) -> anyhow::Result<Result<Vec<u8>, ExitStatus>> {
    let mut child = spawn(command, email).context("could not run sh")?;
    let exchanged = exchange(&mut child, text);
    let ended = child.wait().context("could not wait for sh")?;
    if !ended.success() {
        complain(&format!(
            "the command failed ({ended}); nothing was changed"
        ));
        return Ok(Err(status_of(ended.code())));
    }
    let text = exchanged.context("could not send the text through the command")?;
    Ok(Ok(text))
}

/// Keeps a text that could not be saved.
fn keep(refusal: Refusal, path: &Path, text: &[u8]) -> ExitStatus {
    match PrivateCopy::new(path, text) {
        Ok(copy) => {
            refusal.show_problems(copy.path());
            refusal.give_up(copy.kept())
        }
        Err(error) => {
            refusal.show_problems(Path::new("the text"));
            refusal.give_up(format!("the text could not be kept ({error:#})"))
        }
    }
}

fn spawn(command: &OsStr, email: Option<&CanonicalEmail>) -> io::Result<Child> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    match email {
        Some(email) => shell.env("DEX_DIR_EMAIL", email.as_str()),
        None => shell.env_remove("DEX_DIR_EMAIL"),
    };
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Writes `text` and reads what comes back, at once: either pipe may be full before the other is done.
fn exchange(child: &mut Child, text: &[u8]) -> io::Result<Vec<u8>> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    thread::scope(|scope| {
        let writer = scope.spawn(|| match input.map(|mut input| input.write_all(text)) {
            // It needs no more, or none at all.
            Some(Err(error)) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        });
        let mut back = Vec::new();
        let read = output.map_or(Ok(0), |mut output| output.read_to_end(&mut back));
        let written = writer.join();
        written.unwrap_or_else(|payload| panic::resume_unwind(payload))?;
        read.map(|_| back)
    })
}

/// From 126 on, the shell says that it could not run the command, or that a signal ended it: that is
/// nothing about the text.
fn status_of(code: Option<i32>) -> ExitStatus {
    match code {
        Some(..126) => ExitStatus::BadInput,
        Some(_) | None => ExitStatus::Io,
    }
}
