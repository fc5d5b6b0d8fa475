//! What the program costs beside the limits of the machine and beside the tools that people would
//! use instead: everything in turn in one run, because machines differ and drift. Writes
//! `docs/benchmarks.md` and `docs/growth.svg`, unless told to be short or to leave parts out.

// Says how far it is, and writes files that no store needs to protect.
#![allow(clippy::print_stderr, clippy::disallowed_methods)]
// One binary: `pub` in a module means the whole of it.
#![allow(unreachable_pub)]
// Averages and ratios of counts: what is lost beyond 2^52 doesn't show.
#![allow(clippy::cast_precision_loss)]

mod bare;
mod client;
mod commands;
mod constant;
mod customers;
mod empty;
mod growth;
mod http;
mod import;
mod machine;
mod options;
mod plot;
mod process;
mod redis;
mod report;
mod samples;
mod scan;
mod scene;
mod server;
mod single;
mod sqlite;
mod table;
mod target;
mod wrk;

use anyhow::Result;
use clap::Parser;

use options::Options;
use report::Report;
use scene::Scene;

type Group = fn(&Scene, &mut Report) -> Result<()>;

/// The groups by the names that the filter knows.
const GROUPS: [(&str, Group); 5] = [
    ("import", import::measure),
    ("single", single::measure),
    ("http", http::measure),
    ("scan", scan::measure),
    ("growth", growth::measure),
];

fn main() -> Result<()> {
    let options = Options::parse();
    if options.constant {
        return constant::serve();
    }
    let scene = Scene::prepare(&options)?;
    let mut report = Report::new();
    for (name, measure) in GROUPS {
        if options
            .filter
            .as_deref()
            .is_none_or(|part| name.contains(part))
        {
            eprintln!("-- {name}");
            measure(&scene, &mut report)?;
        }
    }
    finish(&options, &scene, &report)
}

fn finish(options: &Options, scene: &Scene, report: &Report) -> Result<()> {
    let text = report.to_markdown(&machine::describe(scene)?);
    match options.output() {
        None => eprintln!("{text}"),
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join("benchmarks.md"), text)?;
            std::fs::write(folder.join("growth.svg"), plot::svg(&report.growth))?;
            eprintln!("written: {}/benchmarks.md", folder.display());
        }
    }
    scene.clean_up()
}
