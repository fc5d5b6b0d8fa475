//! `dex-dir start`.

use std::path::PathBuf;

use super::exit::ExitStatus;
use super::output::Output;
use crate::directory::Directory;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir start --dir customers")]
pub(super) struct Start {}

impl Start {
    pub(super) fn run(dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let directory = Directory::start(super::store(dir))?;
        Output::new().text(&format!("{}\n", directory.manifest()?.identity()))?;
        Ok(ExitStatus::Done)
    }
}
