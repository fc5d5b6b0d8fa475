//! Figures of one kind, and how several kinds are measured in turn.

use std::time::Duration;

use anyhow::{Context, Result};

/// The figures of repeated measurements.
#[derive(Clone, Debug)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Figures in any order, at least one.
    pub fn new(mut figures: Vec<f64>) -> Self {
        assert!(!figures.is_empty(), "something was measured");
        figures.sort_by(f64::total_cmp);
        Self(figures)
    }

    /// The figure in the middle.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The figures a quarter and three quarters of the way up: half of them lie between.
    pub fn quartiles(&self) -> (f64, f64) {
        (self.quantile(0.25), self.quantile(0.75))
    }

    fn quantile(&self, part: f64) -> f64 {
        let place = part * (self.0.len() - 1) as f64;
        let (below, above) = (self.0[floor(place)], self.0[floor(place.ceil())]);
        below + (above - below) * place.fract()
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place in a list
fn floor(place: f64) -> usize {
    place as usize
}

/// One of several that are measured beside each other.
pub struct Contender<'a> {
    pub name: String,
    work: Box<dyn FnMut() -> Result<f64> + 'a>,
}

impl<'a> Contender<'a> {
    /// Does the work once and gives its figure.
    pub fn new(name: impl Into<String>, work: impl FnMut() -> Result<f64> + 'a) -> Self {
        Self {
            name: name.into(),
            work: Box::new(work),
        }
    }

    /// Does the work once and gives its time, which is kept in milliseconds.
    pub fn timed(name: impl Into<String>, mut work: impl FnMut() -> Result<Duration> + 'a) -> Self {
        Self::new(name, move || Ok(work()?.as_secs_f64() * 1e3))
    }

    fn run(&mut self) -> Result<f64> {
        (self.work)().with_context(|| format!("measuring {}", self.name))
    }
}

/// A contender's name and its figures.
pub struct Measured {
    pub name: String,
    pub samples: Samples,
}

impl Measured {
    /// Figures got otherwise than by taking turns.
    pub fn new(name: impl Into<String>, figures: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            samples: Samples::new(figures),
        }
    }

    /// The figure in the middle.
    pub fn median(&self) -> f64 {
        self.samples.median()
    }
}

/// Measures A B C, A B C, …, so that a machine that drifts drifts for all of them.
pub fn in_turn(mut contenders: Vec<Contender<'_>>, rounds: usize) -> Result<Vec<Measured>> {
    let mut figures = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        for (contender, figures) in contenders.iter_mut().zip(&mut figures) {
            figures.push(contender.run()?);
        }
    }
    let named = contenders.into_iter().zip(figures);
    Ok(named
        .map(|(contender, figures)| Measured::new(contender.name, figures))
        .collect())
}

/// The one of this name, if it was measured.
pub fn named<'m>(measured: &'m [Measured], name: &str) -> Option<&'m Measured> {
    measured.iter().find(|one| one.name == name)
}
