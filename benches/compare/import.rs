//! A million profiles at once, into directories that are new each time.

use std::process::Command;

use anyhow::Result;

use crate::customers;
use crate::process;
use crate::report::Report;
use crate::samples::{Contender, in_turn};
use crate::scene::Scene;
use crate::sqlite::Sqlite;
use crate::table::Unit;
use crate::target::Bound;

const OURS: &str = "`dex-dir upsert --from`";
const SQLITE: &str = "`sqlite3 .import`";
const JQ: &str = "`jq -c .`";

/// Beside `SQLite`, and beside a mere walk over the lines.
pub fn measure(scene: &Scene, report: &mut Report) -> Result<()> {
    let (size, rows) = (scene.size, scene.rows(scene.size));
    let csv = scene.path("import.csv");
    customers::write_csv(&csv, size)?;
    let mut fresh = (0..).map(|number| scene.path(format!("import-{number}")));
    let mut databases = (0..).map(|number| scene.path(format!("import-{number}.db")));

    let mut contenders = vec![Contender::timed(OURS, || {
        scene.import(&fresh.next().unwrap_or_default(), size)
    })];
    if report.has("sqlite3") {
        contenders.push(Contender::timed(SQLITE, || {
            Ok(Sqlite::import(&databases.next().unwrap_or_default(), &csv)?.1)
        }));
    }
    if report.has("jq") {
        contenders.push(Contender::timed(JQ, || {
            process::timed(Command::new("jq").args(["-c", "."]).arg(&rows))
        }));
    }
    let measured = in_turn(contenders, scene.rounds)?;

    report.target(
        "import",
        &measured,
        OURS,
        &[SQLITE],
        Bound::at_most(0.2).bold(),
    );
    report.target("import", &measured, OURS, &[JQ], Bound::at_most(0.5));
    report.table(
        &format!("Import of {size} rows"),
        Unit::Milliseconds,
        measured,
    );
    Ok(())
}
