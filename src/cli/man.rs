//! `dex-dir man`.

use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::arguments;
use super::exit::ExitStatus;
use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir man upsert | man -l -")]
pub(super) struct ManPage {
    /// The command; without it, the page is that of the whole
    command: Option<String>,
}

/// What the page of the whole adds to the help.
const FILES: &str = "\
Files:
  DIR/directory.json              who the directory is
  DIR/partition-000.json …        the profiles, one file for each partition written so far
  DIR/locks/partition-000.lock …  held by whoever writes the partition";

impl ManPage {
    pub(super) fn run(&self) -> anyhow::Result<ExitStatus> {
        let mut command = super::command().disable_help_subcommand(true);
        command.build();
        let command = match &self.command {
            None => command.after_help(format!("{}\n\n{FILES}", super::exit::help())),
            Some(name) => {
                let unknown = || {
                    let message =
                        format!("there is no command `{name}`; `dex-dir --help` lists them");
                    arguments::usage_error("man", &message)
                };
                command.find_subcommand(name).ok_or_else(unknown)?.clone()
            }
        };
        Output::new().text(&page(command)?)?;
        Ok(ExitStatus::Done)
    }
}

fn page(command: clap::Command) -> anyhow::Result<String> {
    let end = command.get_after_help().map(ToString::to_string);
    let source = concat!("dex-dir ", env!("CARGO_PKG_VERSION"));
    // The library would run the lines of the end together.
    let man = Man::new(command.after_help(None)).source(source);
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(String::from_utf8(page)? + &sections(&end.unwrap_or_default()).to_roff())
}

/// The end of a help text, in which a line that isn't indented begins a section.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_suffix(':') {
            Some(heading) if !heading.starts_with(' ') => {
                roff.control("SH", [heading.to_uppercase().as_str()]);
                // From here on lines stay as they are.
                roff.control("nf", []);
            }
            _ => {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
        }
    }
    roff.control("fi", []);
    roff
}
