//! `dex-dir stats`.

use std::path::PathBuf;

use super::exit::ExitStatus;
use super::output::Output;
use super::report::report;
use super::{histogram, open, terminal};
use crate::partition::Partition;
use crate::stats::{Spread, Stats};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir stats --json | jq .profiles")]
pub(super) struct StatsCommand {
    /// Print one JSON object instead, with the figures of each partition
    #[arg(long)]
    json: bool,
}

impl StatsCommand {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let directory = open(dir)?;
        let mut status = ExitStatus::Done;
        let figures = Stats::of(&directory, &mut |error| {
            status = status.or_worse(report(&error.into()));
        })?;
        let mut output = Output::new();
        let lines = if self.json {
            vec![serde_json::to_string(&figures)?]
        } else {
            lines(&figures, terminal::columns())
        };
        for line in lines {
            output.line(&line)?;
        }
        output.finish()?;
        Ok(status)
    }
}

fn lines(stats: &Stats, columns: usize) -> Vec<String> {
    let mut lines = vec![
        format!("profiles       {}", stats.profiles),
        format!("bytes          {}", stats.bytes),
        format!(
            "partitions     {} of {} written",
            stats.partitions_written,
            Partition::COUNT
        ),
    ];
    if stats.not_counted > 0 {
        lines.push(format!(
            "not counted    {} of them, see the errors",
            stats.not_counted
        ));
    }
    lines.extend(spreads(stats));
    let profiles = stats.by_partition.values().filter_map(|size| size.profiles);
    let histogram = histogram::lines(&profiles.collect::<Vec<_>>(), columns);
    if !histogram.is_empty() {
        lines.extend([String::new(), "partitions by profiles:".to_owned()]);
        lines.extend(histogram);
    }
    lines
}

fn spreads(stats: &Stats) -> Vec<String> {
    let Some(bytes) = stats.bytes_per_partition else {
        return Vec::new();
    };
    let row = |name: &str, spread: Spread| {
        let Spread {
            minimum,
            median,
            maximum,
            maximum_in,
        } = spread;
        format!("  {name:<8} {minimum:>12} {median:>12} {maximum:>12}  {maximum_in}")
    };
    let mut lines = vec![
        String::new(),
        format!(
            "per partition {:>9} {:>12} {:>12}  in",
            "minimum", "median", "maximum"
        ),
    ];
    lines.extend(
        stats
            .profiles_per_partition
            .map(|spread| row("profiles", spread)),
    );
    lines.push(row("bytes", bytes));
    lines.push(format!(
        "the next upsert rewrites {} bytes (median), {} at most",
        bytes.median, bytes.maximum
    ));
    lines
}
