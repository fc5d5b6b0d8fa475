//! The same rows in `SQLite`, as durable as ours: write-ahead log, synchronous=FULL.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::customers::Customer;
use crate::process;

/// A database file.
pub struct Sqlite(PathBuf);

impl Sqlite {
    /// Fills a database that isn't there yet, and gives the time that it took.
    pub fn import(path: &Path, csv: &Path) -> Result<(Self, Duration)> {
        let sqlite = Self(path.to_owned());
        let time = process::timed(sqlite.command().args([
            "PRAGMA journal_mode = WAL",
            "CREATE TABLE profile (email TEXT PRIMARY KEY, full_name TEXT, company_name TEXT, tier TEXT) WITHOUT ROWID",
            ".mode csv",
            &format!(".import '{}' profile", csv.display()),
        ]))?;
        Ok((sqlite, time))
    }

    /// Looks a customer up, by a process of its own.
    pub fn get(&self, customer: &Customer) -> Result<Duration> {
        let query = format!("SELECT * FROM profile WHERE email = '{}'", customer.email);
        process::timed(self.command().arg(query))
    }

    /// Saves a customer, by a process of its own.
    pub fn upsert(&self, customer: &Customer) -> Result<Duration> {
        let Customer {
            email,
            full_name,
            company_name,
            tier,
        } = customer;
        let full_name = full_name.replace('\'', "''");
        process::timed(self.command().arg(format!(
            "INSERT INTO profile VALUES ('{email}', '{full_name}', '{company_name}', '{tier}') \
             ON CONFLICT DO UPDATE SET full_name = excluded.full_name, \
             company_name = excluded.company_name, tier = excluded.tier"
        )))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("sqlite3");
        command.args(["-bail", "-init", "/dev/null"]).arg(&self.0);
        command.arg("PRAGMA synchronous = FULL");
        command
    }
}
