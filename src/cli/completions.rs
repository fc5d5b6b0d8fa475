//! `dex-dir completions`.

use clap_complete::Shell;

use super::exit::ExitStatus;
use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir completions bash > dex-dir.bash && . ./dex-dir.bash")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "dex-dir", &mut script);
        let script = String::from_utf8(script)?;
        Output::new().text(&match self.shell {
            Shell::Bash => with_one_name_per_command(&script),
            _ => script,
        })?;
        Ok(ExitStatus::Done)
    }
}

/// For a program with a hyphen in its name, the library (4.6) calls a command one thing where the
/// script finds out which it is, and another where it completes it: nothing would be completed.
fn with_one_name_per_command(script: &str) -> String {
    script.replace("dex__subcmd__dir", "dex__dir")
}
