//! The same work on directories of every size, in turn.

use anyhow::Result;

use crate::commands;
use crate::plot::{Line, Point};
use crate::report::Report;
use crate::samples::{Contender, Measured, in_turn};
use crate::scene::Scene;
use crate::table::Unit;
use crate::target::Bound;
use crate::wrk::{Kind, Wrk};

type Work = fn(&Scene, usize) -> Result<std::time::Duration>;

const PROCESSES: [(&str, Work); 3] = [
    ("`get`, found", commands::get),
    ("`get`, not found", commands::get_missing),
    ("`upsert`", commands::upsert),
];

/// Processes by their time, requests by their number a second.
pub fn measure(scene: &Scene, report: &mut Report) -> Result<()> {
    for (name, work) in PROCESSES {
        let contenders = scene
            .sizes
            .iter()
            .map(|size| Contender::timed(size.to_string(), move || work(scene, *size)));
        let measured = in_turn(contenders.collect(), scene.starts)?;
        keep(scene, report, name, Unit::Milliseconds, measured);
    }
    if report.has("wrk") {
        requests(scene, report, "GET", Kind::Get)?;
        requests(scene, report, "PUT", Kind::Put)?;
    }
    Ok(())
}

fn requests(scene: &Scene, report: &mut Report, name: &str, kind: Kind) -> Result<()> {
    let servers = scene
        .sizes
        .iter()
        .map(|size| Ok((size, Wrk::new(scene, *size)?, scene.serve(*size)?)));
    let servers: Vec<_> = servers.collect::<Result<_>>()?;
    let contenders = servers.iter().map(|(size, wrk, server)| {
        Contender::new(size.to_string(), move || {
            Ok(wrk.load(&server.authority, kind)?.rate)
        })
    });
    let measured = in_turn(contenders.collect(), scene.rounds)?;
    keep(scene, report, name, Unit::PerSecond, measured);
    Ok(())
}

/// A table and a line of the plot.
fn keep(scene: &Scene, report: &mut Report, name: &str, unit: Unit, measured: Vec<Measured>) {
    if name == "`get`, found" || name == "GET" {
        compare_ends(scene, report, name, unit, &measured);
    }
    let points = scene.sizes.iter().zip(&measured);
    let points = points.map(|(size, measured)| Point {
        size: *size,
        figure: measured.median(),
    });
    report.growth.push(Line {
        name: name.replace('`', ""),
        unit,
        points: points.collect(),
    });
    report.table(&format!("Growth: {name}"), unit, measured);
}

/// A lookup in the largest directory costs hardly more than one in the smallest.
fn compare_ends(scene: &Scene, report: &mut Report, name: &str, unit: Unit, measured: &[Measured]) {
    if let [smallest, .., largest] = &scene.sizes[..] {
        let bound = match unit {
            Unit::PerSecond => Bound::at_least(1.0 / 1.5),
            _ => Bound::at_most(1.5),
        };
        let (ours, other) = (largest.to_string(), smallest.to_string());
        report.target(
            &format!("{name}, at {ours}"),
            measured,
            &ours,
            &[&other],
            bound.bold(),
        );
    }
}
