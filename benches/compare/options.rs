//! What a run is told.

use std::path::{Path, PathBuf};

use clap::Parser;

/// Measure dex-dir beside its yardsticks, and write docs/benchmarks.md
#[derive(Debug, Parser)]
#[allow(clippy::struct_excessive_bools)] // flags, each by itself
#[command(name = "compare")]
pub struct Options {
    /// Measure only the groups whose name holds this: import, single, http, scan, growth
    pub filter: Option<String>,
    /// Walk all the code on tiny directories, and write no document
    #[arg(long)]
    pub short: bool,
    /// Profiles in the largest directory of the growth table: a power of ten
    #[arg(long, default_value_t = 1_000_000, value_parser = power_of_ten)]
    pub profiles: usize,
    /// Where the directories are made: the file system that is measured
    #[arg(long, default_value = "target/bench")]
    pub data: PathBuf,
    /// Where the document goes
    #[arg(long, default_value = "docs")]
    pub docs: PathBuf,
    /// Leave the directories there
    #[arg(long)]
    pub keep: bool,
    /// Another build of the program, to stand beside this one in the table of processes
    #[arg(long, value_name = "PROGRAM")]
    pub dist: Option<PathBuf>,
    /// Answer a constant until killed: a yardstick, not for people
    #[arg(long, hide = true)]
    pub constant: bool,
    /// What cargo tells every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// Where a document is due: a part of the figures makes none.
    pub fn output(&self) -> Option<&Path> {
        (!self.short && self.filter.is_none()).then_some(&self.docs)
    }

    /// How many profiles each directory of the growth table has.
    pub fn sizes(&self) -> Vec<usize> {
        if self.short {
            return vec![100, 1_000];
        }
        let powers = (3..).map(|exponent| 10_usize.pow(exponent));
        powers.take_while(|size| *size <= self.profiles).collect()
    }

    /// How often a process is started for a figure, imports and loads being repeated less.
    pub fn starts(&self) -> usize {
        if self.short { 3 } else { 200 }
    }

    /// How often an import or a load is repeated.
    pub fn rounds(&self) -> usize {
        if self.short { 1 } else { 3 }
    }

    /// Seconds of load at a time.
    pub fn seconds(&self) -> u64 {
        if self.short { 1 } else { 4 }
    }
}

fn power_of_ten(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(size) if size >= 1_000 && size.to_string().trim_end_matches('0') == "1" => Ok(size),
        _ => Err("must be a power of ten, at least 1000".to_owned()),
    }
}
