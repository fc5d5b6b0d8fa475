//! Which partition is meant.

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::cli::arguments;
use crate::directory::Directory;
use crate::email::CanonicalEmail;
use crate::escape;
use crate::partition::Partition;

// A partition, by an address in it or by itself. Not `///`: it would be told of the command.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Target {
    /// The partition in which this address lives, whether or not there is such a profile
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::email)]
    email: Option<CanonicalEmail>,
    /// The partition with this number, this name, or this file
    #[arg(long, value_name = "PARTITION", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = PathBufValueParser::new().try_map(Named::parse))]
    partition: Option<Named>,
}

/// A partition that was named, and how.
#[derive(Clone, Debug)]
struct Named {
    partition: Partition,
    argument: PathBuf,
}

impl Target {
    /// The address, if it was one.
    pub(super) fn email(&self) -> Option<&CanonicalEmail> {
        self.email.as_ref()
    }

    /// The partition. A file of another directory is wrong use.
    pub(super) fn partition(&self, directory: &Directory) -> Result<Partition, clap::Error> {
        match (&self.email, &self.partition) {
            (Some(email), _) => Ok(Partition::of(email)),
            (None, Some(named)) => named.checked(directory),
            (None, None) => Err(arguments::usage_error(
                "edit",
                "give --email or --partition",
            )),
        }
    }
}

impl Named {
    fn parse(argument: PathBuf) -> Result<Self, &'static str> {
        let name = argument.file_stem().and_then(|stem| stem.to_str());
        let partition = name.and_then(|name| Partition::from_name(name).or_else(|| number(name)));
        let partition = partition.ok_or("expected a partition, such as 278 or partition-278")?;
        Ok(Self {
            partition,
            argument,
        })
    }

    /// The partition, if the argument says nothing else: not another file, nor another directory.
    fn checked(&self, directory: &Directory) -> Result<Partition, clap::Error> {
        let (file, given) = (directory.path_of(self.partition), &*self.argument);
        let is_bare = given.parent() == Some(Path::new(""));
        let is_named = given.extension().is_none() || given.file_name() == file.file_name();
        if is_named && (is_bare || folder(given) == folder(&file)) {
            return Ok(self.partition);
        }
        let (given, file) = (escape::path(given), escape::path(&file));
        let message = format!("{given} isn't {file}; name another directory with --dir");
        Err(arguments::usage_error("edit", &message))
    }
}

fn number(text: &str) -> Option<Partition> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok().and_then(Partition::from_number))?
}

/// Where a file is, however that is spelled; `None` if there is no such place.
fn folder(file: &Path) -> Option<PathBuf> {
    match file.parent()? {
        here if here.as_os_str().is_empty() => fs::canonicalize("."),
        folder => fs::canonicalize(folder),
    }
    .ok()
}
