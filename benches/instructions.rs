//! How many instructions each command takes on a partition of 1,000 profiles, by valgrind's callgrind,
//! held to the figures recorded in `instructions.txt`. They say nothing of time, but on the same
//! build they are the same at every run, however busy the machine: what becomes slower by accident
//! shows at once.

// Says what it finds, and writes files that no store needs to protect.
#![allow(clippy::print_stderr, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use dex_dir::email::CanonicalEmail;
use dex_dir::partition::Partition;
use dex_dir::profile::CustomerProfile;

const PROFILES: usize = 1_000;

/// An address that nobody has. Its partition is the one that is filled.
const MISSING: &str = "nobody@example.com";

/// Percent that a figure may exceed the recorded one. Runs of one build differ by less than 0.1;
/// the rest is for other compilers, C libraries and processors.
const MARGIN: u64 = 10;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

type Figures = BTreeMap<String, u64>;

fn main() -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        ensure!(std::env::var_os("CI").is_none(), "valgrind isn't installed");
        eprintln!("left out: valgrind isn't installed");
        return Ok(());
    }
    let scene = Scene::prepare()?;
    let found = measure(&scene)?;
    if std::env::var_os("DEX_DIR_RENEW").is_some() {
        return renew(&found);
    }
    compare(&recorded()?, &found)
}

/// The commands in the order in which they are run: the second save finds what the first has saved.
/// `--version` is what starting takes alone.
fn measure(scene: &Scene) -> Result<Figures> {
    let there = scene.emails[PROFILES / 2].as_str();
    let save = format!("upsert --email {there} --full-name N --company-name C --customer-tier T");
    let commands = [
        ("version", 0, "--version".to_owned()),
        ("get", 0, format!("get --email {there}")),
        ("get-missing", 1, format!("get --email {MISSING}")),
        ("upsert", 0, save.clone()),
        ("upsert-unchanged", 0, save),
        ("verify", 0, "verify".to_owned()),
    ];
    let figures = commands.iter().map(|(name, status, command)| {
        let figure = scene.instructions(command.split(' '), *status);
        Ok(((*name).to_owned(), figure.context(*name)?))
    });
    figures.collect()
}

/// A directory with one full partition.
struct Scene {
    root: tempfile::TempDir,
    /// The addresses in it.
    emails: Vec<CanonicalEmail>,
}

impl Scene {
    fn prepare() -> Result<Self> {
        let home = Partition::of(&CanonicalEmail::parse(MISSING)?);
        let scene = Self {
            root: tempfile::tempdir()?,
            emails: emails_of(home).take(PROFILES).collect(),
        };
        let mut rows = String::new();
        for email in &scene.emails {
            let profile = CustomerProfile::new(email.clone(), "Alice Smith", "Acme", "gold")?;
            writeln!(rows, "{}", profile.as_json())?;
        }
        std::fs::write(scene.root.path().join("rows.jsonl"), rows)?;
        for arguments in [&["start"][..], &["upsert", "--from", "rows.jsonl"]] {
            let output = scene
                .command(env!("CARGO_BIN_EXE_dex-dir"))
                .args(arguments)
                .output()?;
            ensure!(output.status.success(), "{output:?}");
        }
        Ok(scene)
    }

    /// A program in surroundings that are the same everywhere.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.root);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }

    /// How many a command takes, which must end with this status.
    fn instructions<'a>(
        &self,
        arguments: impl Iterator<Item = &'a str>,
        status: i32,
    ) -> Result<u64> {
        let output = self
            .command("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=profile"])
            .arg(env!("CARGO_BIN_EXE_dex-dir"))
            .args(arguments)
            .output()?;
        ensure!(output.status.code() == Some(status), "{output:?}");
        let profile = std::fs::read_to_string(self.root.path().join("profile"))?;
        let total = profile
            .lines()
            .find_map(|line| line.strip_prefix("totals: "));
        Ok(total.context("no total")?.trim().parse()?)
    }
}

/// Addresses that all live in `home`.
fn emails_of(home: Partition) -> impl Iterator<Item = CanonicalEmail> {
    let email = |number| CanonicalEmail::parse(&format!("customer+{number}@example.com")).ok();
    (0..)
        .filter_map(email)
        .filter(move |email| Partition::of(email) == home)
}

/// Fails, and says how to go on, if any command takes more than it may.
fn compare(recorded: &Figures, found: &Figures) -> Result<()> {
    let mut too_many = Vec::new();
    for (name, figure) in found {
        let before = *recorded
            .get(name)
            .with_context(|| format!("{name} isn't in {RECORDED}"))?;
        eprintln!("{name:17} {figure:>9} instructions, {before:>9} recorded");
        if *figure * 100 > before * (100 + MARGIN) {
            too_many.push(name.as_str());
        }
    }
    if too_many.is_empty() {
        return Ok(());
    }
    bail!(
        "more than {MARGIN} % over what is recorded: {}; if it must be so, \
         DEX_DIR_RENEW=1 cargo bench --bench instructions records them anew",
        too_many.join(", ")
    )
}

fn recorded() -> Result<Figures> {
    let text = std::fs::read_to_string(RECORDED).context(RECORDED)?;
    let figure = |line: &str| {
        let (name, figure) = line.split_once(' ').context("a name and a figure")?;
        Ok((name.to_owned(), figure.trim().parse()?))
    };
    text.lines().map(figure).collect()
}

fn renew(found: &Figures) -> Result<()> {
    let mut text = String::new();
    for (name, figure) in found {
        writeln!(text, "{name:17} {figure:>9}")?;
    }
    Ok(std::fs::write(RECORDED, text)?)
}
