//! What the figures are to be, and whether they are.

use std::fmt;

use crate::samples::{Measured, named};

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

/// A target and what became of it.
pub struct Verdict {
    work: String,
    beside: String,
    bound: Bound,
    figure: Option<f64>,
}

impl Verdict {
    /// Judges the median of `ours`, divided by the sum of the yardsticks' if there are any.
    pub fn judge(
        work: &str,
        measured: &[Measured],
        ours: &str,
        yardsticks: &[&str],
        bound: Bound,
    ) -> Self {
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
        Self {
            work,
            beside,
            bound,
            figure,
        }
    }
}

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
