//! The real program under strace: its system calls, one by one and in order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{Finished, Sandbox, has_tools};

/// Whether calls can be traced here.
pub fn can_trace() -> bool {
    has_tools(&["strace"])
}

/// `command` under strace, which writes the calls to `trace`. The process that is started is the
/// program itself, and its pipes are closed once the trace is whole.
pub fn traced(command: &Command, trace: &Path, options: &[String]) -> Command {
    let mut traced = Command::new("strace");
    traced.args(["-D", "-f", "-y", "-xx", "-s", "1000000", "-o"]);
    traced.arg(trace).args(options);
    run_by(traced, command)
}

/// `command`, run by a program that takes it as its last arguments.
pub fn run_by(mut outer: Command, command: &Command) -> Command {
    outer.arg(command.get_program()).args(command.get_args());
    outer.env_clear();
    for (name, value) in command.get_envs() {
        outer.env(name, value.unwrap_or_default());
    }
    outer.current_dir(command.get_current_dir().expect("a folder"));
    outer
}

/// Runs the program with these arguments and gives its calls too.
pub fn record(sandbox: &Sandbox, args: &[&str]) -> (Finished, Vec<Call>) {
    run(sandbox, args, &[])
}

/// Runs it with a fault in one of its calls.
pub fn record_with(sandbox: &Sandbox, args: &[&str], fault: &Fault<'_>) -> (Finished, Vec<Call>) {
    let Fault { call, nth, what } = fault;
    let inject = format!("inject={call}:{what}:when={nth}");
    run(sandbox, args, &["-e".to_owned(), inject])
}

fn run(sandbox: &Sandbox, args: &[&str], options: &[String]) -> (Finished, Vec<Call>) {
    // Outside the folder, which may be compared before and after.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = folder.path().join("trace");
    let mut command = sandbox.command();
    let mut command = traced(command.args(args), &trace, options);
    let finished = Finished(command.output().expect("strace runs"));
    (finished, parse(&trace))
}

/// What strace shall do to the nth call of one name.
#[derive(Clone, Debug)]
pub struct Fault<'a> {
    pub call: &'a str,
    pub nth: usize,
    /// `error=EIO`, say, or `signal=KILL`.
    pub what: String,
}

/// One system call.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// How many calls of this name the program had made with this one.
    pub nth: usize,
    /// The places in the trace where it began and ended; a killed program's last call never ends.
    pub begun: usize,
    pub ended: usize,
    pub thread: String,
    line: String,
}

impl Call {
    fn begin(name: &str, nth: usize, thread: &str, begun: usize) -> Self {
        Self {
            name: name.to_owned(),
            nth,
            begun,
            ended: usize::MAX,
            thread: thread.to_owned(),
            line: String::new(),
        }
    }

    /// Takes the rest of the line, and the end if that isn't the program's own.
    fn end(&mut self, rest: &str, place: usize) {
        self.line.push_str(rest);
        if self.result() != "?" {
            self.ended = place;
        }
    }

    /// All of it, with strings as they are.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&unescaped(&self.line)).into_owned()
    }

    /// What it returned: `0`, `-1 ENOENT (…)`, or `?` if the program was killed first.
    pub fn result(&self) -> &str {
        let result = self.line.rsplit_once(" = ");
        result.map_or("?", |(_, result)| result.trim())
    }

    pub fn failed(&self) -> bool {
        self.result().starts_with('-')
    }

    /// The strings among its arguments: paths and data.
    pub fn strings(&self) -> Vec<Vec<u8>> {
        let quoted = self.line.split('"').skip(1).step_by(2);
        quoted.map(unescaped).collect()
    }

    /// What the open files are, by path, among its arguments and in its result.
    pub fn open_files(&self) -> Vec<PathBuf> {
        let names = self.line.split('<').skip(1);
        let names = names.filter_map(|rest| rest.split_once('>'));
        names
            .map(|(name, _)| String::from_utf8(unescaped(name)).expect("UTF-8"))
            .map(PathBuf::from)
            .collect()
    }

    /// Whether all of these are in its text.
    pub fn has(&self, parts: &[&str]) -> bool {
        let text = self.text();
        parts.iter().all(|part| text.contains(part))
    }
}

/// The calls in a trace, in the order in which they began.
pub fn parse(trace: &Path) -> Vec<Call> {
    let trace = fs::read_to_string(trace).expect("a trace");
    let mut calls: Vec<Call> = Vec::new();
    for (place, line) in trace.lines().enumerate() {
        let (thread, line) = line.split_once(' ').expect("a thread");
        let line = line.trim_start();
        if let Some(resumed) = line.strip_prefix("<... ") {
            let is_waiting = |call: &&mut Call| call.thread == thread && call.ended == usize::MAX;
            let call = calls.iter_mut().rfind(is_waiting);
            let (_, rest) = resumed.split_once("resumed>").expect("a resumed call");
            call.expect("its beginning").end(rest, place);
        } else if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (name, _) = line.split_once('(').expect("a call");
            let nth = calls.iter().filter(|call| call.name == name).count() + 1;
            calls.push(Call::begin(name, nth, thread, place));
            let call = calls.last_mut().expect("a call");
            match line.strip_suffix(" <unfinished ...>") {
                Some(beginning) => call.line.push_str(beginning),
                None => call.end(line, place),
            }
        }
    }
    calls
}

/// Strings are in hexadecimal throughout, so that nothing in them looks like the trace's own signs.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(byte, 16).expect("a byte"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
