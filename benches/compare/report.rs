//! What was measured, as the document that people read.

use std::fmt::{self, Write};

use crate::plot::Line;
use crate::process;
use crate::samples::Measured;
use crate::table::{Table, Unit};
use crate::target::{Bound, Verdict};

/// All that a run has found.
pub struct Report {
    verdicts: Vec<Verdict>,
    tables: Vec<Table>,
    left_out: Vec<String>,
    /// The lines of the plot.
    pub growth: Vec<Line>,
}

impl Report {
    pub fn new() -> Self {
        Self {
            verdicts: Vec::new(),
            tables: Vec::new(),
            left_out: Vec::new(),
            growth: Vec::new(),
        }
    }

    /// Whether a tool is there; if not, what it would have measured is told as left out.
    pub fn has(&mut self, tool: &str) -> bool {
        let there = process::is_there(tool);
        if !there {
            self.leave_out(&format!(
                "what `{tool}` would have measured (it isn't installed)"
            ));
        }
        there
    }

    /// Tells that something wasn't measured, once.
    pub fn leave_out(&mut self, what: &str) {
        if !self.left_out.iter().any(|known| known == what) {
            self.left_out.push(what.to_owned());
        }
    }

    /// Keeps figures that were measured beside each other.
    pub fn table(&mut self, title: &str, unit: Unit, rows: Vec<Measured>) {
        self.tables.push(Table {
            title: title.to_owned(),
            unit,
            rows,
        });
    }

    /// Judges the median of `ours`, divided by the sum of the yardsticks' if there are any.
    pub fn target(
        &mut self,
        work: &str,
        measured: &[Measured],
        ours: &str,
        yardsticks: &[&str],
        bound: Bound,
    ) {
        let verdict = Verdict::judge(work, measured, ours, yardsticks, bound);
        self.verdicts.push(verdict);
    }

    /// The whole document.
    pub fn to_markdown(&self, machine: &str) -> String {
        let mut text = format!("{HEAD}\n## Machine\n\n{machine}\n");
        self.write(&mut text).ok(); // a string takes everything
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        for what in &self.left_out {
            writeln!(out, "- left out: {what}")?;
        }
        writeln!(
            out,
            "\n## Targets\n\nBold ones must be met. A ratio is one of medians.\n"
        )?;
        writeln!(
            out,
            "| work | beside | target | measured | |\n| --- | --- | --- | ---: | --- |"
        )?;
        for verdict in &self.verdicts {
            writeln!(out, "{verdict}")?;
        }
        if !self.growth.is_empty() {
            writeln!(
                out,
                "\n## Growth\n\n![time and rate by the size of the directory](growth.svg)"
            )?;
        }
        self.tables
            .iter()
            .try_for_each(|table| write!(out, "{table}"))
    }
}

/// What every run says first: how it is measured, and with which options.
const HEAD: &str = include_str!("head.md");
