//! `dex-dir verify`.

use std::path::PathBuf;

use serde_json::json;

use super::exit::ExitStatus;
use super::output::Output;
use crate::escape;
use crate::verify::{Finding, Summary, verify};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir verify | grep ^problem")]
pub(super) struct Verify {
    /// Print one JSON object a line instead, the last one the counts
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let mut output = Output::new();
        let mut written = Ok(());
        let summary = verify(&*super::store(dir), &mut |finding| {
            if written.is_ok() {
                written = output.line(&self.shown(finding));
            }
        })?;
        written?;
        output.line(&self.counts(&summary))?;
        output.finish()?;
        Ok(match summary.problems {
            0 => ExitStatus::Done,
            _ => ExitStatus::Corrupt,
        })
    }

    fn shown(&self, finding: &Finding) -> String {
        let Finding {
            path,
            position,
            kind,
        } = finding;
        let severity = kind.severity().to_string();
        if self.json {
            return json!({
                "severity": severity,
                "code": kind.code(),
                "file": path.to_string_lossy(),
                "line": position.map(|p| p.line),
                "column": position.map(|p| p.column),
                "message": kind.to_string(),
            })
            .to_string();
        }
        let place = position.map_or(String::new(), |position| format!("{position}: "));
        let text = escape::text(&kind.to_string());
        format!("{severity}: {}: {place}{text}", escape::path(path))
    }

    fn counts(&self, summary: &Summary) -> String {
        let Summary {
            partitions,
            profiles,
            problems,
            notes,
        } = *summary;
        if self.json {
            return json!({
                "partitions": partitions,
                "profiles": profiles,
                "problems": problems,
                "notes": notes,
            })
            .to_string();
        }
        format!(
            "{} in {}: {}, {}",
            counted(profiles, "profile"),
            counted(partitions, "partition"),
            counted(problems, "problem"),
            counted(notes, "note"),
        )
    }
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
