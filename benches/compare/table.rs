//! Figures that were measured beside each other, as a table.

use std::fmt;

use crate::samples::Measured;

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

/// Figures of one unit, the first being what the others are compared with.
pub struct Table {
    pub title: String,
    pub unit: Unit,
    pub rows: Vec<Measured>,
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
