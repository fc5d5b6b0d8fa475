//! `dex-dir edit`: the arguments. What an editor or a command gives back goes by way of a `session`,
//! which saves it or says why not (`refusal`); a text that isn't saved is kept (`private_copy`).

use std::ffi::OsString;
use std::path::PathBuf;

use super::arguments::Wait;
use super::exit::ExitStatus;
use super::open;

mod by_hand;
mod editor;
mod private_copy;
mod prompt;
mod refusal;
mod session;
mod signals;
mod target;
mod through;

use editor::Editor;
use session::Session;
use target::Target;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  dex-dir edit --email alice@example.com --through \\\n    'jq \"del(.profilesByCanonicalEmail[env.DEX_DIR_EMAIL])\"'"
)]
pub(super) struct EditCommand {
    #[command(flatten)]
    target: Target,
    /// Send the text through this shell command instead; with --email, `DEX_DIR_EMAIL` is the
    /// canonical address
    #[arg(long, value_name = "CMD", value_hint = clap::ValueHint::CommandString)]
    through: Option<OsString>,
    #[command(flatten)]
    wait: Wait,
}

impl EditCommand {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let directory = open(dir)?;
        let session = Session {
            partition: self.target.partition(&directory)?,
            directory,
            wait: self.wait.duration,
        };
        match self.through {
            Some(command) => through::run(&session, &command, self.target.email()),
            None => by_hand::run(&session, &Editor::from_environment()?),
        }
    }
}
