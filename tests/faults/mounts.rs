//! File systems of a test's own, in a mount namespace that ends with the test.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::process::geteuid;

use crate::calls::run_by;
use crate::harness::{Finished, Sandbox, has, has_tools};

/// Whether the tests run as the user who may do anything.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// A shell in a mount namespace of its own. What it mounts is seen by nobody else, unless by way of
/// the shell's own root.
pub struct Mounts {
    shell: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Mounts {
    /// `None` where such a namespace can't be had.
    pub fn new() -> Option<Self> {
        if !has_tools(&["unshare", "nsenter", "mount"]) {
            return None;
        }
        // Whoever isn't root becomes it in a user namespace, if the system allows that.
        let namespace = if is_root() { "-m" } else { "-rm" };
        let trial = Command::new("unshare").args([namespace, "true"]).output();
        if !has(
            "a mount namespace",
            trial.is_ok_and(|trial| trial.status.success()),
        ) {
            return None;
        }
        let mut shell = Command::new("unshare")
            .args([namespace, "sh"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        Some(Self {
            commands: shell.stdin.take().expect("a pipe"),
            answers: BufReader::new(shell.stdout.take().expect("a pipe")),
            shell,
        })
    }

    /// Runs a command, which must succeed.
    pub fn run(&mut self, command: &str) {
        writeln!(self.commands, "{command} && echo done || echo failed").expect("a shell");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("an answer");
        assert_eq!(answer, "done\n", "{command}");
    }

    /// `command` in the namespace: what is a mount point is one only there.
    fn inside(&self, command: &Command) -> Command {
        let mut enter = Command::new("nsenter");
        enter.args(["--mount", "--target", &self.shell.id().to_string()]);
        if !is_root() {
            enter.args(["--user", "--preserve-credentials"]);
        }
        run_by(enter, command)
    }

    /// The shell's own root, by which everybody can see what it mounts.
    fn root(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root", self.shell.id()))
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        let _ended_already = self.shell.kill();
        let _ended_already = self.shell.wait();
    }
}

/// A sandbox on a small file system in memory.
pub struct SmallDisk {
    pub sandbox: Sandbox,
    mounts: Mounts,
    /// Where it is mounted.
    place: Sandbox,
}

impl SmallDisk {
    /// With these options of tmpfs, such as `size=64k`.
    pub fn new(options: &str) -> Option<Self> {
        let mut mounts = Mounts::new()?;
        let place = Sandbox::new();
        let path = place.root();
        mounts.run(&format!(
            "mount -t tmpfs -o {options} tmpfs {}",
            path.display()
        ));
        let below_root = path.strip_prefix("/").expect("an absolute path");
        Some(Self {
            sandbox: Sandbox::below(&mounts.root().join(below_root)),
            mounts,
            place,
        })
    }

    /// Runs the program where it sees the mounts as its own.
    pub fn run(&self, args: &[&str]) -> Finished {
        let mut command = self.sandbox.command();
        let mut command = self.mounts.inside(command.args(args));
        Finished(command.output().expect("the program runs"))
    }

    /// Mounts it again with these options.
    pub fn remount(&mut self, options: &str) {
        let place = self.place.root().display();
        self.mounts
            .run(&format!("mount -o remount,bind,{options} {place}"));
    }

    /// Mounts one of its files, or a folder, over another.
    pub fn bind(&mut self, file: &Path, over: &Path) {
        let [file, over] = [file, over].map(|path| {
            let path = path.strip_prefix(self.mounts.root()).expect("a path on it");
            Path::new("/").join(path)
        });
        let (file, over) = (file.display(), over.display());
        self.mounts.run(&format!("mount --bind {file} {over}"));
    }
}
