//! `dex-dir completions`.

use clap_complete::Shell;

use super::exit::ExitStatus;
use super::output::Output;

/// Print the completion script of a shell
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
        Output::new().text(&String::from_utf8(script)?)?;
        Ok(ExitStatus::Done)
    }
}
