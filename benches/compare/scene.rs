//! The directories that are measured, and the programs that work on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dex_dir::partition::Partition;

use crate::customers::{self, Customer};
use crate::options::Options;
use crate::server::Server;
use crate::{empty, process};

/// The program, as cargo has just built it.
const PROGRAM: &str = env!("CARGO_BIN_EXE_dex-dir");

/// All that the groups share.
pub struct Scene {
    root: PathBuf,
    keep: bool,
    /// How often a process is started for a figure.
    pub starts: usize,
    /// How often an import or a load is repeated.
    pub rounds: usize,
    /// Seconds of load at a time.
    pub seconds: u64,
    /// Profiles in each directory, smallest first.
    pub sizes: Vec<usize>,
    /// The profiles of the directory that the targets speak of.
    pub size: usize,
    /// The empty program, if there is a compiler.
    pub empty: Option<PathBuf>,
    /// Another build of the program, if one was given.
    pub dist: Option<PathBuf>,
}

/// The targets are for this many profiles, if a run has a directory of that size.
const TARGET_SIZE: usize = 1_000_000;

impl Scene {
    /// Makes every directory anew.
    pub fn prepare(options: &Options) -> Result<Self> {
        let root = std::path::absolute(&options.data)?.join("compare");
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::create_dir_all(&root)?;
        let sizes = options.sizes();
        let size = sizes
            .iter()
            .copied()
            .filter(|size| *size <= TARGET_SIZE)
            .max();
        let scene = Self {
            keep: options.keep,
            starts: options.starts(),
            rounds: options.rounds(),
            seconds: options.seconds(),
            size: size.context("a directory")?,
            sizes,
            empty: empty::compile(&root)?,
            dist: options.dist.clone(),
            root,
        };
        for size in &scene.sizes {
            scene.make_directory(*size)?;
        }
        Ok(scene)
    }

    fn make_directory(&self, size: usize) -> Result<()> {
        eprintln!("-- a directory of {size}");
        customers::write_json_lines(&self.rows(size), size)?;
        self.import(&self.directory(size), size).map(drop)
    }

    /// Starts a directory and gives the command that fills it.
    pub fn import(&self, directory: &Path, size: usize) -> Result<std::time::Duration> {
        process::timed(program(directory).arg("start"))?;
        process::timed(
            program(directory)
                .args(["upsert", "--quiet", "--from"])
                .arg(self.rows(size)),
        )
    }

    /// A path among the data.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// The directory of so many profiles.
    pub fn directory(&self, size: usize) -> PathBuf {
        self.path(format!("customers-{size}"))
    }

    /// The same profiles as JSON Lines.
    pub fn rows(&self, size: usize) -> PathBuf {
        self.path(format!("customers-{size}.jsonl"))
    }

    /// The partition file of a customer.
    pub fn partition_file(&self, size: usize, customer: &Customer) -> Result<PathBuf> {
        let partition = Partition::of(&customer.canonical()?);
        Ok(self.directory(size).join(format!("{partition}.json")))
    }

    /// Starts the server on the directory of so many profiles, without an access log.
    pub fn serve(&self, size: usize) -> Result<Server> {
        let mut command = program(&self.directory(size));
        Server::start(command.args(["serve", "--listen", "127.0.0.1:0", "--log-level", "error"]))
    }

    /// Bytes of the partitions of a directory.
    pub fn bytes(&self, size: usize) -> Result<u64> {
        let mut bytes = 0;
        for entry in fs::read_dir(self.directory(size))? {
            let entry = entry?;
            if entry
                .file_name()
                .to_string_lossy()
                .starts_with("partition-")
            {
                bytes += entry.metadata()?.len();
            }
        }
        ensure!(bytes > 0, "an empty directory");
        Ok(bytes)
    }

    /// Removes what was made, unless it is to be kept.
    pub fn clean_up(&self) -> Result<()> {
        if !self.keep {
            fs::remove_dir_all(&self.root)?;
        }
        Ok(())
    }
}

/// The program at work on a directory, whatever the environment says.
pub fn program(directory: &Path) -> Command {
    build_of_it(Path::new(PROGRAM), directory)
}

/// Any build of the program at work on a directory.
pub fn build_of_it(path: &Path, directory: &Path) -> Command {
    let mut command = Command::new(path);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.arg("--dir").arg(directory);
    command
}
