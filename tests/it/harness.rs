//! What every theme needs: a directory of its own, the real program in a cleared environment, and
//! the known answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The sample addresses' partition: alice@example.com lives in partition-278.
pub const ALICE: &str = "alice@example.com";
pub const ALICE_PARTITION: &str = "partition-278.json";
pub const ALICE_LOCK: &str = "locks/partition-278.lock";

/// A temporary folder for one test.
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// An empty folder.
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// An empty folder below this one.
    pub fn below(folder: &Path) -> Self {
        Self {
            root: tempfile::tempdir_in(folder).expect("a temporary folder"),
        }
    }

    /// A folder whose directory has been started.
    pub fn started() -> Self {
        let sandbox = Self::new();
        sandbox.ok(&["start"]);
        sandbox
    }

    /// The folder itself, which is also where the program runs.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The directory that the program works on.
    pub fn dir(&self) -> PathBuf {
        self.root().join("customers")
    }

    /// A file of the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    /// The bytes of a file of the directory.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    /// Puts a file into the directory, as a person might.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect(name);
    }

    /// The program, to be run on the directory.
    pub fn command(&self) -> Command {
        let mut command = program(self.root());
        command.env("DEX_DIR", self.dir());
        command
    }

    /// Runs the program with these arguments.
    pub fn run(&self, args: &[&str]) -> Finished {
        Finished(
            self.command()
                .args(args)
                .output()
                .expect("the program runs"),
        )
    }

    /// Runs the program, which must succeed, and gives what it printed.
    pub fn ok(&self, args: &[&str]) -> String {
        let finished = self.run(args);
        assert_eq!(finished.status(), 0, "{args:?}: {}", finished.stderr());
        finished.stdout()
    }

    /// Saves a profile of this address and name by the command line, with further arguments.
    pub fn upsert(&self, email: &str, name: &str, more: &[&str]) -> Finished {
        let args = ["upsert", "--email", email, "--full-name", name];
        let args = [
            &args[..],
            &["--company-name", "Acme", "--customer-tier", "gold"],
            more,
        ];
        self.run(&args.concat())
    }

    /// Fails if any file is there that only a save under way may have.
    pub fn assert_no_temporary_files(&self) {
        for entry in fs::read_dir(self.dir()).expect("the directory") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            assert!(!name.ends_with(".tmp"), "{name} was left behind");
        }
    }
}

/// The program in a cleared environment, to be run in `folder`.
pub fn program(folder: &Path) -> Command {
    cleared(
        Command::new(assert_cmd::cargo::cargo_bin!("dex-dir")),
        folder,
    )
}

/// A shell in the same environment.
pub fn shell(folder: &Path) -> Command {
    cleared(Command::new("sh"), folder)
}

fn cleared(mut command: Command, folder: &Path) -> Command {
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.current_dir(folder);
    command
}

/// A program that has ended.
pub struct Finished(pub Output);

impl Finished {
    pub fn status(&self) -> i32 {
        self.0.status.code().expect("an exit status, not a signal")
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("UTF-8")
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).expect("UTF-8")
    }

    /// Fails unless it ended with this status, nothing on standard output, and one line of error
    /// that holds each of `parts`.
    pub fn assert_refused(&self, status: i32, parts: &[&str]) {
        let error = self.stderr();
        assert_eq!(
            (self.status(), self.stdout()),
            (status, String::new()),
            "{error}"
        );
        assert!(
            error.starts_with("dex-dir: ") && error.ends_with('\n'),
            "{error:?}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        for part in parts {
            assert!(error.contains(part), "no {part:?} in {error}");
        }
    }
}

/// The profile as the program prints it that [`Sandbox::upsert`] saves.
pub fn profile_json(email: &str, name: &str) -> String {
    format!(
        r#"{{"emailAddress":"{email}","fullName":"{name}","companyName":"Acme","customerTier":"gold"}}"#
    )
}

/// The known answers that every implementation of the pattern shares.
pub fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/email-partition.json")).expect("JSON")
}

/// Addresses that share one partition, as many as are asked for; the first are the known answers'.
pub fn colliding_addresses(count: usize) -> Vec<String> {
    use dex_dir::{email::CanonicalEmail, partition::Partition};
    let partition = Partition::from_name("partition-963");
    (0..)
        .map(|i| format!("collision-{i:05}@example.com"))
        .filter(|a| CanonicalEmail::parse(a).ok().map(|e| Partition::of(&e)) == partition)
        .take(count)
        .collect()
}

/// Whether all of these programs are there. Where one isn't, the test says what it leaves out; where
/// `CI` is set that is a failure.
pub fn has_tools(tools: &[&str]) -> bool {
    let is_missing = |tool: &&&str| {
        let found = Command::new("sh")
            .args(["-c", &format!("command -v {tool}")])
            .output();
        !found.is_ok_and(|output| output.status.success())
    };
    let missing: Vec<_> = tools.iter().filter(is_missing).collect();
    has(&format!("{missing:?}"), missing.is_empty())
}

/// Whether something is there that the test needs, as [`has_tools`] says it of programs.
pub fn has(what: &str, is_there: bool) -> bool {
    assert!(
        is_there || std::env::var_os("CI").is_none(),
        "{what} must be there"
    );
    if !is_there {
        println!("left out, for want of {what}");
    }
    is_there
}

/// The root of the project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README's section with this heading.
pub fn section(heading: &str) -> String {
    section_of("README.md", heading)
}

/// The section of a document with this heading.
pub fn section_of(document: &str, heading: &str) -> String {
    let text = fs::read_to_string(project().join(document)).expect(document);
    let (_, rest) = text.split_once(&format!("\n{heading}\n")).expect(heading);
    let level = heading.split(' ').next().expect("a heading");
    rest.split(&format!("\n{level} "))
        .next()
        .expect("a section")
        .to_owned()
}
