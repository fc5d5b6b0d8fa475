//! The command line: one file per command, each from arguments to the directory to output, with no
//! decisions of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{CommandFactory, Parser, Subcommand};

use crate::directory::Directory;
use crate::store::Store;
use crate::store::local::LocalStore;

mod arguments;
mod completions;
mod edit;
mod exit;
mod get;
mod histogram;
mod import;
mod input;
mod man;
mod output;
mod partition;
mod report;
mod serve;
mod signals;
mod start;
mod stats;
mod terminal;
mod upsert;
mod verify;

pub use exit::ExitStatus;
pub use report::report;

/// Customer profiles by e-mail address, in a plain directory of readable JSON files.
#[derive(Debug, Parser)]
#[command(name = "dex-dir", version, max_term_width = 100, after_help = exit::help())]
pub struct Cli {
    /// The directory that holds the profiles
    #[arg(
        long,
        env = "DEX_DIR",
        default_value = "data",
        global = true,
        value_name = "DIR"
    )]
    #[arg(hide_env_values = true, value_hint = clap::ValueHint::DirPath)]
    dir: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Start(start::Start),
    Upsert(upsert::Upsert),
    Get(get::Get),
    Partition(partition::Partition),
    Edit(edit::EditCommand),
    Verify(verify::Verify),
    Stats(stats::StatsCommand),
    Serve(serve::Serve),
    Completions(completions::Completions),
    Man(man::ManPage),
}

/// Reads the arguments of this process.
pub fn parse() -> anyhow::Result<Cli> {
    Ok(Cli::try_parse_from(
        std::env::args_os().collect::<Vec<OsString>>(),
    )?)
}

/// Does what the arguments say.
pub fn run(cli: Cli) -> anyhow::Result<ExitStatus> {
    let dir = cli.dir;
    match cli.command {
        Command::Start(start::Start {}) => start::Start::run(dir),
        Command::Upsert(command) => command.run(dir),
        Command::Get(command) => command.run(dir),
        Command::Partition(command) => command.run(dir),
        Command::Edit(command) => command.run(dir),
        Command::Verify(command) => command.run(dir),
        Command::Stats(command) => command.run(dir),
        Command::Serve(command) => command.run(dir),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}

/// The whole command line as data, from which completions are made.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// The one place that decides which back end a `--dir` names.
fn store(dir: PathBuf) -> Arc<dyn Store> {
    Arc::new(LocalStore::new(dir))
}

fn open(dir: PathBuf) -> anyhow::Result<Directory> {
    Ok(Directory::open(store(dir))?)
}
