//! A partition through a shell command.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read, Write};
use std::panic;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::Context;

use super::private_copy::PrivateCopy;
use super::session::Session;
use crate::cli::exit::ExitStatus;
use crate::cli::report::complain;
use crate::email::CanonicalEmail;

/// Sends the partition's text through `command`, and saves what that gives back.
pub(super) fn run(
    session: &Session,
    command: &OsStr,
    email: Option<&CanonicalEmail>,
) -> anyhow::Result<ExitStatus> {
    let edit = session.open()?;
    let mut child = spawn(command, email).context("could not run sh")?;
    let exchanged = exchange(&mut child, edit.text());
    let ended = child.wait().context("could not wait for sh")?;
    if !ended.success() {
        complain(&format!(
            "the command failed ({ended}); nothing was changed"
        ));
        return Ok(status_of(ended.code()));
    }
    let text = exchanged.context("could not send the text through the command")?;
    match session.settle(&edit, &text, &|| false) {
        Ok(end) => end,
        Err(refusal) => Ok(match PrivateCopy::new(&edit.path(), &text) {
            Ok(copy) => {
                refusal.show_problems(copy.path());
                refusal.give_up(copy.kept())
            }
            Err(error) => {
                refusal.show_problems(Path::new("the text"));
                refusal.give_up(format!("the text could not be kept ({error:#})"))
            }
        }),
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
