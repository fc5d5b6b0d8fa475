//! What the real program did from some state of a folder on, and what it reported on the way.

use std::collections::HashSet;
use std::path::Path;

use super::disk::{Disk, Part};
use super::steps::{Operation, Step, steps};
use crate::calls::{Call, Fault, parse, record, record_with, traced};
use crate::harness::Sandbox;
use crate::server::Server;
use crate::tree::Tree;

/// More states of one moment than these are not combined with one another, see [`choices`].
const MOST_COMBINED: usize = 256;

/// The steps, and the versions of the data: the first one before, then one with each report.
#[derive(Clone, Debug)]
pub struct Recording {
    before: Tree,
    pub steps: Vec<Step>,
    versions: Vec<Tree>,
}

/// What may be there after a power cut, and how much had been reported before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub tree: Tree,
    pub reports: usize,
}

impl Recording {
    /// Begins with what is in the sandbox now, all of it safe.
    pub fn new(sandbox: &Sandbox) -> Self {
        let before = Tree::of(sandbox.root());
        Self {
            versions: vec![data(&before)],
            before,
            steps: Vec::new(),
        }
    }

    /// Goes on with a run of the program that reports.
    pub fn run(&mut self, sandbox: &Sandbox, args: &[&str]) {
        let (finished, calls) = record(sandbox, args);
        assert_eq!(finished.status(), 0, "{}", finished.stderr());
        self.add(sandbox, &calls);
        self.versions.push(data(&Tree::of(sandbox.root())));
    }

    /// Goes on with one that is killed before it reports.
    pub fn run_killed(&mut self, sandbox: &Sandbox, args: &[&str], fault: &Fault<'_>) {
        let (finished, calls) = record_with(sandbox, args, fault);
        assert_eq!(finished.stdout(), "");
        self.add(sandbox, &calls);
    }

    /// Goes on with a server, and requests that succeed, each after the answer to the one before.
    pub fn serve(&mut self, sandbox: &Sandbox, requests: &[&dyn Fn(&Server)]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trace = folder.path().join("trace");
        let mut command = sandbox.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        let server = Server::of(&mut traced(&command, &trace, &[]));
        for request in requests {
            request(&server);
            self.versions.push(data(&Tree::of(sandbox.root())));
        }
        server.stop();
        self.add(sandbox, &parse(&trace));
    }

    /// The same without the steps of which `is_left_out` is true.
    pub fn without(&self, is_left_out: impl Fn(&Operation) -> bool) -> Self {
        let mut rest = self.clone();
        rest.steps.retain(|step| !is_left_out(&step.operation));
        assert!(rest.steps.len() < self.steps.len(), "nothing left out");
        rest
    }

    /// Each state in which a power cut at any moment may leave the disk.
    pub fn states(&self) -> HashSet<State> {
        let mut steps: Vec<_> = self.steps.iter().collect();
        steps.sort_by_key(|step| step.place());
        let mut disk = Disk::new(&self.before);
        let (mut states, mut reports) = (HashSet::new(), 0);
        for step in steps {
            disk.begin(step);
            disk.end(step);
            reports += usize::from(step.operation == Operation::Report);
            let parts = disk.unsafe_parts();
            states.extend(choices(&parts).map(|choice| State {
                tree: disk.after_power_cut(&parts, &choice),
                reports,
            }));
        }
        assert_eq!(reports, self.versions.len() - 1, "each was reported");
        states
    }

    /// Says what is wrong with a state: each file of the data must be whole, as it was when the
    /// last report was made or as it was to be for the next.
    pub fn judge(&self, State { tree, reports }: &State) -> Result<(), String> {
        let next = self.versions.len().min(reports + 2);
        let allowed = &self.versions[*reports..next];
        let found = data(tree);
        let files = self
            .versions
            .iter()
            .chain([&found])
            .flat_map(|v| v.0.keys());
        for file in files {
            let found = found.file(file);
            if !allowed.iter().any(|version| version.file(file) == found) {
                let bytes = found.map(String::from_utf8_lossy);
                let file = file.display();
                return Err(format!("after {reports} reports {file} is {bytes:?}"));
            }
        }
        Ok(())
    }

    fn add(&mut self, sandbox: &Sandbox, calls: &[Call]) {
        let places = self.steps.iter().flat_map(|step| [step.begun, step.ended]);
        let last = places.filter(|place| *place != usize::MAX).max();
        let offset = last.map_or(0, |last| last + 1);
        self.steps
            .extend(steps(calls, sandbox.root()).into_iter().map(|step| Step {
                begun: step.begun + offset,
                ended: step.ended.saturating_add(offset),
                ..step
            }));
    }
}

/// What each part may hold at the same time as each other part. Where these are too many, each part
/// and each pair of them holds all that it may, while the others are safe, and while they are lost.
fn choices(parts: &[Part]) -> Box<dyn Iterator<Item = Vec<usize>> + '_> {
    let all: Option<usize> = parts
        .iter()
        .try_fold(1_usize, |all, part| all.checked_mul(part.choices()));
    match all.filter(|all| *all <= MOST_COMBINED) {
        Some(all) => Box::new((0..all).map(|nth| combination(parts, nth))),
        None => Box::new(pairs(parts)),
    }
}

fn combination(parts: &[Part], mut nth: usize) -> Vec<usize> {
    let digits = parts.iter().map(|part| {
        let digit = nth % part.choices();
        nth /= part.choices();
        digit
    });
    digits.collect()
}

fn pairs(parts: &[Part]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let safe = vec![0; parts.len()];
    let seen: Vec<_> = parts.iter().map(|part| part.choices() - 1).collect();
    let of_pair = move |one: usize, other: usize, others: Vec<usize>| {
        let choices = (0..parts[one].choices())
            .flat_map(move |a| (0..parts[other].choices()).map(move |b| (a, b)));
        choices.map(move |(a, b)| {
            let mut choice = others.clone();
            (choice[one], choice[other]) = (a, b);
            choice
        })
    };
    let all = (0..parts.len()).flat_map(move |one| (0..one).map(move |other| (one, other)));
    all.flat_map(move |(one, other)| {
        of_pair(one, other, safe.clone()).chain(of_pair(one, other, seen.clone()))
    })
}

/// The files that hold what people saved.
fn data(tree: &Tree) -> Tree {
    tree.without(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_partition = name.starts_with("partition-") && name.ends_with(".json");
        !(is_partition || Path::new(&*name) == Path::new("directory.json"))
    })
}
