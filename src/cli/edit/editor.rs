//! The person's own editor.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cli::arguments;

/// A shell command that edits the file whose name is put behind it.
pub(super) struct Editor {
    command: OsString,
}

impl Editor {
    /// `$VISUAL`, or else `$EDITOR`; if neither is set, `vi` on a terminal.
    pub(super) fn from_environment() -> Result<Self, clap::Error> {
        let set = |name| env::var_os(name).filter(|command| !command.is_empty());
        let usual = || io::stdin().is_terminal().then(|| "vi".into());
        let command = set("VISUAL").or_else(|| set("EDITOR")).or_else(usual);
        let message = "there is no editor; set VISUAL or EDITOR, or give --through";
        match command {
            Some(command) => Ok(Self { command }),
            None => Err(arguments::usage_error("edit", message)),
        }
    }

    /// Lets the person edit the file, and waits until that is done.
    pub(super) fn run(&self, file: &Path) -> anyhow::Result<()> {
        let mut script = self.command.clone();
        script.push(" \"$@\"");
        let status = Command::new("sh")
            .arg("-c")
            .arg(script)
            .arg("sh")
            .arg(file)
            .stdout(terminal())
            .status()
            .context("could not run sh")?;
        let name = self.command.to_string_lossy();
        anyhow::ensure!(status.success(), "the editor `{name}` failed ({status})");
        Ok(())
    }
}

/// Standard output is for results: where that is no terminal, what an editor shows goes to standard
/// error.
fn terminal() -> Stdio {
    if io::stdout().is_terminal() {
        Stdio::inherit()
    } else {
        io::stderr().into()
    }
}
