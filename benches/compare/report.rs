//! What was measured, as the document that people read.

use std::fmt::{self, Write};

use crate::plot::Line;
use crate::process;
use crate::samples::{Measured, named};

/// What a figure counts.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    Milliseconds,
    PerSecond,
    MegabytesPerSecond,
    Mebibytes,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Milliseconds => "ms",
            Self::PerSecond => "a second",
            Self::MegabytesPerSecond => "MB/s",
            Self::Mebibytes => "MiB",
        })
    }
}

/// What a figure may be, at most or at least.
#[derive(Clone, Copy)]
pub struct Bound {
    limit: f64,
    at_least: bool,
    bold: bool,
}

impl Bound {
    pub fn at_most(limit: f64) -> Self {
        Self {
            limit,
            at_least: false,
            bold: false,
        }
    }

    pub fn at_least(limit: f64) -> Self {
        Self {
            limit,
            at_least: true,
            bold: false,
        }
    }

    /// A target that must be met.
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    fn holds(self, figure: f64) -> bool {
        if self.at_least {
            figure >= self.limit
        } else {
            figure <= self.limit
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.at_least { "at least" } else { "at most" };
        let stars = if self.bold { "**" } else { "" };
        write!(f, "{stars}{word} {:.2}{stars}", self.limit)
    }
}

struct Verdict {
    work: String,
    beside: String,
    bound: Bound,
    figure: Option<f64>,
}

struct Table {
    title: String,
    unit: Unit,
    rows: Vec<Measured>,
}

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
        let median = |name: &str| Some(named(measured, name)?.median());
        let others: Option<f64> = yardsticks.iter().map(|name| median(name)).sum();
        let beside = if yardsticks.is_empty() {
            None
        } else {
            Some(others)
        };
        let figure = match beside {
            None => median(ours),
            Some(others) => median(ours).zip(others).map(|(ours, others)| ours / others),
        };
        let (work, beside) = (work.to_owned(), yardsticks.join(" + "));
        self.verdicts.push(Verdict {
            work,
            beside,
            bound,
            figure,
        });
    }

    /// The whole document.
    pub fn to_markdown(&self, machine: &str) -> String {
        let mut text = format!("{HEAD}\n{machine}\n");
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

const HEAD: &str = "# Benchmarks

Written by `cargo bench --bench compare`: everything in turn in one run, because machines differ and drift. Compare
ratios, not figures from different runs. [performance.md](performance.md) says what was tried to get here.
";

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            work,
            beside,
            bound,
            ..
        } = self;
        let (figure, verdict) = match self.figure {
            None => (String::new(), "not measured"),
            Some(figure) if bound.holds(figure) => (format!("{figure:.2}"), "met"),
            Some(figure) => (format!("{figure:.2}"), "not met"),
        };
        write!(f, "| {work} | {beside} | {bound} | {figure} | {verdict} |")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, unit, rows } = self;
        let first = rows.first().map_or(1.0, Measured::median);
        writeln!(
            f,
            "\n## {title}\n\n| | median, {unit} | half lie between | × the first |"
        )?;
        writeln!(f, "| --- | ---: | ---: | ---: |")?;
        for row in rows {
            let (median, (low, high)) = (row.median(), row.samples.quartiles());
            // Nothing, conflicts for one, has no ratio.
            let ratio = if first > 0.0 {
                format!("{:.2}", median / first)
            } else {
                String::new()
            };
            writeln!(
                f,
                "| {} | {} | {} – {} | {ratio} |",
                row.name,
                Figure(median),
                Figure(low),
                Figure(high)
            )?;
        }
        Ok(())
    }
}

/// A figure with three digits that tell something.
pub struct Figure(pub f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.0 {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        write!(f, "{:.*}", decimals, self.0)
    }
}
