//! What goes over a whole directory, and the server's memory and start.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;
use dex_dir::partition::Partition;

use crate::client;
use crate::customers::Customer;
use crate::process;
use crate::report::Report;
use crate::samples::{Contender, Measured, in_turn};
use crate::scene::{Scene, program};
use crate::table::Unit;
use crate::target::Bound;

/// `stats` and `verify`, then the server.
pub fn measure(scene: &Scene, report: &mut Report) -> Result<()> {
    speeds(scene, report)?;
    memory(scene, report)?;
    start(scene, report)
}

fn speeds(scene: &Scene, report: &mut Report) -> Result<()> {
    if !report.has("taskset") {
        return Ok(());
    }
    let megabytes = scene.bytes(scene.size)? as f64 / 1e6;
    let names = ["stats", "verify"];
    let contenders = names.map(|name| {
        Contender::new(name, move || {
            let ours = program(&scene.directory(scene.size));
            let mut command = Command::new("taskset");
            command
                .args(["-c", "0"])
                .arg(ours.get_program())
                .args(ours.get_args())
                .arg(name);
            Ok(megabytes / process::timed(&mut command)?.as_secs_f64())
        })
    });
    let measured = in_turn(contenders.into(), scene.rounds.max(3))?;
    for name in names {
        let work = format!("`{name}`, MB/s on one core");
        report.target(&work, &measured, name, &[], Bound::at_least(400.0));
    }
    report.table(
        "The whole directory, on one core",
        Unit::MegabytesPerSecond,
        measured,
    );
    Ok(())
}

/// After a lookup in every partition and a save to each.
fn memory(scene: &Scene, report: &mut Report) -> Result<()> {
    let mut measured = Vec::new();
    for size in [
        Some(scene.size),
        scene
            .sizes
            .last()
            .copied()
            .filter(|size| *size > scene.size),
    ] {
        let Some(size) = size else { continue };
        let server = scene.serve(size)?;
        let customers = one_in_each_partition(size)?;
        // Three times, so that all is remembered that ever is.
        for customer in customers.iter().cycle().take(3 * customers.len()) {
            client::get(&server.authority, customer)?;
        }
        for customer in &customers {
            client::put(&server.authority, customer)?;
        }
        measured.push(Measured::new(
            memory_at(size),
            vec![server.mebibytes("VmHWM")?],
        ));
        measured.push(Measured::new(
            format!("then at {size}"),
            vec![server.mebibytes("VmRSS")?],
        ));
    }
    let most = Bound::at_most(64.0).bold();
    report.target(
        "server memory, MiB",
        &measured,
        &memory_at(scene.size),
        &[],
        most,
    );
    report.table("Memory of the server", Unit::Mebibytes, measured);
    Ok(())
}

fn memory_at(size: usize) -> String {
    format!("at most, at {size}")
}

/// A customer of every partition that has any, changed so that a save is one.
fn one_in_each_partition(size: usize) -> Result<Vec<Customer>> {
    let mut found: Vec<Option<Customer>> = Vec::new();
    found.resize_with(usize::from(Partition::COUNT), || None);
    for mut customer in (0..size.min(20_000)).map(Customer::number) {
        let partition = Partition::of(&customer.canonical()?);
        customer.company_name.push_str(" & Sons");
        found[usize::from(partition.number())].get_or_insert(customer);
    }
    Ok(found.into_iter().flatten().collect())
}

fn start(scene: &Scene, report: &mut Report) -> Result<()> {
    let starts = (0..scene.starts.min(30)).map(|_| {
        let customer = Customer::any(scene.size);
        let begun = Instant::now();
        let server = scene.serve(scene.size)?;
        client::get(&server.authority, &customer)?;
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    });
    let name = "start of the server to its first answer";
    let measured = vec![Measured::new(name, starts.collect::<Result<_>>()?)];
    report.target(
        &format!("{name}, ms"),
        &measured,
        name,
        &[],
        Bound::at_most(10.0),
    );
    report.table("Start of the server", Unit::Milliseconds, measured);
    Ok(())
}
