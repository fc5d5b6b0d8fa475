//! The server under load by 32 connections, beside a server that answers a constant, the bare
//! system calls of as many writers, and Redis.

use std::time::Duration;

use anyhow::Result;

use crate::bare::{self, Bare};
use crate::constant;
use crate::customers::Customer;
use crate::redis::Redis;
use crate::report::Report;
use crate::samples::{Contender, Measured, in_turn};
use crate::scene::Scene;
use crate::server::Server;
use crate::table::Unit;
use crate::target::Bound;
use crate::wrk::{CONNECTIONS, Kind, Load, Wrk};

const CONSTANT: &str = "constant answer";
const GET: &str = "GET";
const TIMED_GET: &str = "GET, timed one by one";
const MIXED: &str = "95 % GET, 5 % PUT: the GETs";
const PUT: &str = "PUT";
const BARE: &str = "bare calls, 32 threads";

/// Lookups, saves and both.
pub fn measure(scene: &Scene, report: &mut Report) -> Result<()> {
    if !report.has("wrk") {
        return Ok(());
    }
    let (wrk, server) = (Wrk::new(scene, scene.size)?, scene.serve(scene.size)?);
    lookups(scene, report, &wrk, &server)?;
    saves(scene, report, &wrk, &server)
}

/// The loads of one contender, round by round.
struct Loads {
    name: &'static str,
    loads: Vec<Load>,
}

impl Loads {
    fn of(&self, figure: fn(&Load) -> f64) -> Measured {
        Measured::new(self.name, self.loads.iter().map(figure).collect())
    }
}

/// Several loads in turn: each server by its kind of request.
fn loads_in_turn(
    scene: &Scene,
    wrk: &Wrk,
    contenders: &[(&'static str, &Server, Kind)],
) -> Result<Vec<Loads>> {
    let empty = |name| Loads {
        name,
        loads: Vec::new(),
    };
    let mut all: Vec<Loads> = contenders.iter().map(|(name, ..)| empty(*name)).collect();
    for _ in 0..scene.rounds {
        for ((_, server, kind), loads) in contenders.iter().zip(&mut all) {
            loads.loads.push(wrk.load(&server.authority, *kind)?);
        }
    }
    Ok(all)
}

fn table(
    report: &mut Report,
    title: &str,
    loads: &[Loads],
    figures: &[Figure],
) -> Vec<Vec<Measured>> {
    let of = |figure: &Figure| loads.iter().map(|loads| loads.of(figure.2)).collect();
    for figure in figures {
        report.table(&format!("{title}: {}", figure.0), figure.1, of(figure));
    }
    figures.iter().map(of).collect()
}

type Figure = (&'static str, Unit, fn(&Load) -> f64);

const RATE: Figure = ("answers a second", Unit::PerSecond, |load| load.rate);
const CONFLICTS: Figure = ("conflicts a second", Unit::PerSecond, |load| load.conflicts);
const HALF: Figure = ("median time", Unit::Milliseconds, |load| load.p50);
const MOST: Figure = ("time at 99 %", Unit::Milliseconds, |load| load.p99);

fn lookups(scene: &Scene, report: &mut Report, wrk: &Wrk, server: &Server) -> Result<()> {
    let constant = constant::start()?;
    let contenders = [(CONSTANT, &constant, Kind::Get), (GET, server, Kind::Get)];
    let loads = loads_in_turn(scene, wrk, &contenders)?;
    let figures = table(report, "HTTP GET", &loads, &[RATE, HALF, MOST]);
    report.target(
        "GET, answers a second",
        &figures[0],
        GET,
        &[CONSTANT],
        Bound::at_least(0.6).bold(),
    );
    report.target(
        "GET, time at 99 %",
        &figures[2],
        GET,
        &[CONSTANT],
        Bound::at_most(2.0),
    );

    let contenders = [
        (TIMED_GET, server, Kind::Mixed(0)),
        (MIXED, server, Kind::Mixed(5)),
    ];
    let loads = loads_in_turn(scene, wrk, &contenders)?;
    let figures = table(report, "HTTP GET while others save", &loads, &[HALF, MOST]);
    report.target(
        "GET among saves, time at 99 %",
        &figures[1],
        MIXED,
        &[TIMED_GET],
        Bound::at_most(3.0),
    );
    Ok(())
}

fn saves(scene: &Scene, report: &mut Report, wrk: &Wrk, server: &Server) -> Result<()> {
    let mut bares = bares(scene)?;
    let mut loads = Loads {
        name: PUT,
        loads: Vec::new(),
    };
    let redis = Redis::start(&scene.path("redis"))?;
    let mut contenders = vec![
        Contender::new(BARE, || {
            bare::saves_a_second(&mut bares, Duration::from_secs(scene.seconds))
        }),
        Contender::new(PUT, || {
            loads.loads.push(wrk.load(&server.authority, Kind::Put)?);
            Ok(loads.loads.last().map_or(0.0, |load| load.rate))
        }),
    ];
    if let Some(redis) = &redis {
        for (name, test) in [
            ("Redis SET, `appendfsync always`", "set"),
            ("Redis GET", "get"),
        ] {
            let requests = usize::try_from(scene.seconds)? * 10_000;
            contenders.push(Contender::new(name, move || {
                redis.requests_a_second(test, requests)
            }));
        }
    } else {
        report.leave_out("Redis (no `redis-server` and `redis-benchmark`)");
    }
    let measured = in_turn(contenders, scene.rounds)?;

    report.target(
        "PUT, 200s a second",
        &measured,
        PUT,
        &[BARE],
        Bound::at_least(1.0).bold(),
    );
    report.table(
        "HTTP PUT and bare saves: a second",
        Unit::PerSecond,
        measured,
    );
    table(report, "HTTP PUT", &[loads], &[CONFLICTS, HALF, MOST]);
    Ok(())
}

/// Writers with the same bytes as the server's partitions, each in its own files.
fn bares(scene: &Scene) -> Result<Vec<Bare>> {
    let bytes = std::fs::read(scene.partition_file(scene.size, &Customer::number(0))?)?;
    let folder = scene.path("bare-many");
    (0..CONNECTIONS)
        .map(|number| Bare::new(&folder, number, &bytes))
        .collect()
}
