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
    // After what a command takes itself.
    #[arg(display_order = 900)]
    dir: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
// What a command takes is built only for the one that is asked for: most of them are short.
#[command(defer = true)]
enum Command {
    /// Make the directory and its manifest; run again, it changes nothing
    Start(start::Start),
    /// Save one profile, new or not, and print it as it is stored; or save many from a file
    ///
    /// If another writer holds the partition, nothing waits: the status is 75, unless --wait is given.
    Upsert(upsert::Upsert),
    /// Look profiles up by address and print each as it is stored, one line of JSON
    Get(get::Get),
    /// Say where addresses live, whether or not there are such profiles
    ///
    /// Prints the canonical e-mail, its hash, the partition and the partition's file, separated by tabs.
    Partition(partition::Partition),
    /// Change a partition by hand: in an editor, or through a command
    ///
    /// Opens the file in $VISUAL or $EDITOR, on a private copy and without a lock, and checks what comes
    /// back as `verify` would. Only what is sound is saved, and only if nobody else has changed the file
    /// meanwhile; a text that can't be saved is kept, and named. Prints what changed: added, changed and
    /// removed addresses. Opens a corrupt file too: this is the safe way to repair one.
    Edit(edit::EditCommand),
    /// Check every file, and print a line for each finding and a count
    ///
    /// Problems can lose or hide a profile: corrupt files, profiles under the wrong key or in the wrong
    /// file, missing fields, files that can't be read. With any of them the exit status is 72. Notes
    /// can't: another layout, unknown members, files that are no part of the directory. Takes no lock,
    /// changes nothing, and may run while others write.
    Verify(verify::Verify),
    /// Say how many profiles and bytes there are, and how they spread over the partitions
    ///
    /// A save rewrites the file of its partition, so the bytes of a partition say what the next upsert
    /// will rewrite. Takes no lock.
    Stats(stats::StatsCommand),
    /// Serve the HTTP API until SIGTERM or SIGINT
    ///
    /// The directory need not have been started: POST /patterns/hash-partitioned-attribute-map/start
    /// does that. The address is printed on standard error once connections are accepted, then one
    /// line for each request.
    Serve(serve::Serve),
    /// Print the completion script of a shell
    Completions(completions::Completions),
    /// Print a manual page
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
