//! One lookup and one save, each by a process of its own.

use std::process::Command;

use anyhow::Result;

use crate::bare::Bare;
use crate::customers::{self, Customer};
use crate::report::Report;
use crate::samples::{Contender, in_turn};
use crate::scene::{Scene, build_of_it};
use crate::sqlite::Sqlite;
use crate::table::Unit;
use crate::target::Bound;
use crate::{commands, process};

const EMPTY: &str = "empty C program";
const BARE: &str = "bare calls of a save";
const GET: &str = "`dex-dir get`";
const UPSERT: &str = "`dex-dir upsert`";
const DIST: &str = "the other build's `get`";
const SELECT: &str = "`sqlite3` SELECT";
const INSERT: &str = "`sqlite3` upsert";

/// Lookups, then saves.
pub fn measure(scene: &Scene, report: &mut Report) -> Result<()> {
    let sqlite = database(scene, report)?;
    lookups(scene, report, sqlite.as_ref())?;
    saves(scene, report, sqlite.as_ref())
}

fn database(scene: &Scene, report: &mut Report) -> Result<Option<Sqlite>> {
    if !report.has("sqlite3") {
        return Ok(None);
    }
    let csv = scene.path("single.csv");
    customers::write_csv(&csv, scene.size)?;
    Ok(Some(Sqlite::import(&scene.path("single.db"), &csv)?.0))
}

fn lookups(scene: &Scene, report: &mut Report, sqlite: Option<&Sqlite>) -> Result<()> {
    let size = scene.size;
    let mut contenders = empty(scene, report);
    contenders.push(Contender::timed(GET, || commands::get(scene, size)));
    contenders.push(Contender::timed("`dex-dir get`, not found", || {
        commands::get_missing(scene, size)
    }));
    match &scene.dist {
        Some(dist) => contenders.push(Contender::timed(DIST, || {
            let customer = Customer::any(size);
            let mut command = build_of_it(dist, &scene.directory(size));
            process::timed(command.args(["get", "--email", &customer.email]))
        })),
        None => report.leave_out("another build's `get` (no --dist)"),
    }
    if let Some(sqlite) = sqlite {
        contenders.push(Contender::timed(SELECT, || {
            sqlite.get(&Customer::any(size))
        }));
    }
    contenders.extend(by_line_tools(scene, report));
    let measured = in_turn(contenders, scene.starts)?;

    report.target(
        "`get`",
        &measured,
        GET,
        &[EMPTY],
        Bound::at_most(1.7).bold(),
    );
    report.target(
        "`get`",
        &measured,
        GET,
        &[SELECT],
        Bound::at_most(0.4).bold(),
    );
    report.target(
        "`get`, another build",
        &measured,
        DIST,
        &[EMPTY],
        Bound::at_most(1.0),
    );
    report.table(
        &format!("One lookup among {size}, whole process"),
        Unit::Milliseconds,
        measured,
    );
    Ok(())
}

fn empty<'a>(scene: &'a Scene, report: &mut Report) -> Vec<Contender<'a>> {
    let Some(program) = &scene.empty else {
        report.leave_out("the empty C program (no `cc`)");
        return Vec::new();
    };
    vec![Contender::timed(EMPTY, move || {
        process::timed(&mut Command::new(program))
    })]
}

/// `jq` and `grep` on the partition's file, as a person would use them.
fn by_line_tools<'a>(scene: &'a Scene, report: &mut Report) -> Vec<Contender<'a>> {
    let mut contenders = Vec::new();
    let command = |tool: &str, args: [&str; 2], of: fn(&str) -> String| -> Result<_> {
        let customer = Customer::any(scene.size);
        let file = scene.partition_file(scene.size, &customer)?;
        let mut command = Command::new(tool);
        process::timed(command.args(args).arg(of(&customer.email)).arg(file))
    };
    if report.has("jq") {
        contenders.push(Contender::timed("`jq` on the partition", move || {
            let path = |email: &str| format!(".profilesByCanonicalEmail[\"{email}\"]");
            command("jq", ["-c", "-e"], path)
        }));
    }
    contenders.push(Contender::timed("`grep` on the partition", move || {
        command("grep", ["-F", "-e"], |email| format!("\"{email}\":"))
    }));
    contenders
}

fn saves(scene: &Scene, report: &mut Report, sqlite: Option<&Sqlite>) -> Result<()> {
    let size = scene.size;
    let bytes = std::fs::read(scene.partition_file(size, &Customer::number(0))?)?;
    let mut bare = Bare::new(&scene.path("bare-single"), 0, &bytes)?;
    let mut contenders = empty(scene, report);
    contenders.push(Contender::timed(BARE, || bare.timed()));
    contenders.push(Contender::timed(UPSERT, || commands::upsert(scene, size)));
    if let Some(sqlite) = sqlite {
        contenders.push(Contender::timed(INSERT, || {
            sqlite.upsert(&commands::changed(size))
        }));
    }
    let measured = in_turn(contenders, scene.starts)?;

    report.target(
        "`upsert`",
        &measured,
        UPSERT,
        &[EMPTY, BARE],
        Bound::at_most(1.3).bold(),
    );
    report.target(
        "`upsert`",
        &measured,
        UPSERT,
        &[INSERT],
        Bound::at_most(0.5).bold(),
    );
    report.table(
        &format!("One save among {size}, whole process"),
        Unit::Milliseconds,
        measured,
    );
    Ok(())
}
