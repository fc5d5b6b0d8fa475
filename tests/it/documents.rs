//! What the documents say is what the program does, and what is generated is never stale.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dex_dir::cli::ExitStatus;

use crate::harness::{
    ALICE, ALICE_PARTITION, Finished, Sandbox, has_tools, profile_json, project, section,
    section_of, vectors,
};
use crate::usage::COMMANDS;

/// The first table of a section, a row a line, head and rule left out.
fn table(heading: &str) -> Vec<String> {
    let section = section(heading);
    let rows = section.lines().skip_while(|l| !l.starts_with('|')).skip(2);
    rows.take_while(|l| l.starts_with('|'))
        .map(str::to_owned)
        .collect()
}

/// The blocks of a document's section in this language.
pub fn blocks(document: &str, heading: &str, language: &str) -> Vec<String> {
    let section = section_of(document, heading);
    let fence = format!("```{language}\n");
    let blocks = section.split(&fence).skip(1);
    blocks
        .filter_map(|rest| rest.split("```").next().map(str::to_owned))
        .collect()
}

#[test]
fn the_readme_lists_every_exit_status_with_its_meaning() {
    let rows = ExitStatus::ALL.map(|s| format!("| {} | {} |", u8::from(s), s.meaning()));
    assert_eq!(table("### Exit statuses"), rows);
    let help = Sandbox::new().ok(&["--help"]);
    for status in ExitStatus::ALL {
        assert!(
            help.contains(&format!("  {:2}  {}", u8::from(status), status.meaning())),
            "{help}"
        );
    }
}

#[test]
fn the_readme_lists_every_command() {
    let rows = table("## Commands");
    let help = Sandbox::new().ok(&["--help"]);
    let listed = help
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty());
    for name in listed
        .filter_map(|line| line.split_whitespace().next())
        .filter(|n| *n != "help")
    {
        assert!(
            rows.iter()
                .any(|row| row.starts_with(&format!("| `{name}` |"))),
            "{name}"
        );
    }
}

/// A shell in which `dex-dir` is the program under test, to be run in an empty folder.
pub fn shell(sandbox: &Sandbox, script: &str) -> Finished {
    let program = PathBuf::from(assert_cmd::cargo::cargo_bin!("dex-dir"));
    let folder = program.parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [folder.as_os_str(), &path].join(OsStr::new(":"));
    let mut command = Command::new("sh");
    command
        .env_clear()
        .env("PATH", path)
        .current_dir(sandbox.root());
    Finished(
        command
            .args(["-c", &format!("{{ {script}\n}} 2>&1")])
            .output()
            .expect("sh runs"),
    )
}

/// Whether `printed` is what a document shows; `…` there stands for anything.
fn is_shown_as(printed: &str, shown: &str) -> bool {
    let (mut rest, mut at_start) = (printed.trim_end(), true);
    for piece in shown.trim_end().split('…') {
        match rest.find(piece) {
            Some(at) if at == 0 || !at_start => rest = &rest[at + piece.len()..],
            _ => return false,
        }
        at_start = false;
    }
    rest.is_empty() || shown.trim_end().ends_with('…')
}

#[test]
fn the_tour_prints_what_the_readme_shows() {
    assert_prints_what_it_shows(&Sandbox::new(), "## A five-minute tour", 8);
}

/// Runs the commands of a section's console, at least so many, in an empty folder.
pub fn assert_prints_what_it_shows(sandbox: &Sandbox, heading: &str, at_least: usize) {
    let tour = blocks("README.md", heading, "console").remove(0);
    let steps: Vec<_> = tour
        .split("$ ")
        .skip(1)
        .filter_map(|s| s.split_once('\n'))
        .collect();
    assert!(steps.len() >= at_least, "{tour}");
    let commands: Vec<_> = steps.iter().map(|(command, _)| *command).collect();
    let script = commands.join("\necho ----\n");
    let printed = shell(sandbox, &script).stdout();
    for ((command, shown), printed) in steps.iter().zip(printed.split("----\n")) {
        assert!(
            is_shown_as(printed, shown),
            "{command}\nprinted\n{printed}\nnot\n{shown}"
        );
    }
}

/// Runs a block of a document on the directory, which is called `data` there.
fn in_data(sandbox: &Sandbox, script: &str) -> Finished {
    let script = format!("set -e; mv customers data\n{script}\nmv data customers");
    let finished = shell(sandbox, &script);
    assert_eq!(finished.status(), 0, "{}", finished.stdout());
    sandbox.assert_no_temporary_files();
    finished
}

const OBRIEN: &str = "o'brien@example.ie";

/// A directory with the customers of the documents.
fn with_customers() -> Sandbox {
    let sandbox = Sandbox::started();
    for (email, name) in [(ALICE, "Alice"), (OBRIEN, "O'Brien")] {
        sandbox.upsert(email, name, &[]);
    }
    sandbox
}

#[test]
fn what_the_readme_does_by_hand_works() {
    if !has_tools(&["jq", "grep"]) {
        return;
    }
    let blocks = blocks("README.md", "## By hand", "sh");
    let [queries, removal, tier, repair] = &blocks[..] else {
        panic!("other blocks: {blocks:?}")
    };
    let sandbox = with_customers();
    let answers = in_data(&sandbox, queries).stdout();
    assert_eq!(answers.matches(&profile_json(ALICE, "Alice")).count(), 2);
    assert_eq!(answers.lines().last(), Some("2"));
    let before = sandbox.ok(&["get", "--email", OBRIEN]);
    let changed = in_data(&sandbox, tier).stdout();
    assert_eq!(changed, format!("changed\t{OBRIEN}\n"));
    let after = sandbox.ok(&["get", "--email", OBRIEN]);
    assert_eq!(after, before.replace("gold", "silver"));
    let removed = in_data(&sandbox, removal).stdout();
    assert_eq!(removed, format!("removed\t{OBRIEN}\n"));
    assert_eq!(sandbox.run(&["get", "--email", OBRIEN]).status(), 1);
    let backup = sandbox.root().join("backup");
    fs::create_dir(&backup).expect("a folder");
    fs::copy(sandbox.path(ALICE_PARTITION), backup.join(ALICE_PARTITION)).expect("a copy");
    sandbox.write(ALICE_PARTITION, "\0\0\0");
    let repaired = in_data(&sandbox, repair).stdout();
    assert_eq!(repaired, format!("repaired\tdata/{ALICE_PARTITION}\n"));
    sandbox.ok(&["get", "--email", ALICE]);
}

#[test]
fn the_other_writer_of_the_format_document_works() {
    if !has_tools(&["jq", "flock"]) {
        return;
    }
    let [removal] = &blocks("docs/format.md", "## Another writer", "sh")[..] else {
        panic!("other blocks")
    };
    let sandbox = with_customers();
    in_data(&sandbox, removal);
    assert_eq!(sandbox.run(&["get", "--email", ALICE]).status(), 1);
    sandbox.ok(&["get", "--email", OBRIEN]);
}

#[test]
fn the_sample_directory_holds_the_first_three_known_addresses() {
    let sandbox = Sandbox::new();
    let data = project().join("data");
    let data = data.to_str().expect("UTF-8");
    for entry in vectors()["valid"]
        .as_array()
        .expect("an array")
        .iter()
        .take(3)
    {
        let email = entry["canonicalEmail"].as_str().expect("a string");
        let printed = sandbox.ok(&["--dir", data, "get", "--email", email]);
        assert!(
            printed.contains(&format!("\"emailAddress\":\"{email}\"")),
            "{printed}"
        );
        let partition = entry["partition"].as_str().expect("a string");
        assert!(
            Path::new(data)
                .join(format!("locks/{partition}.lock"))
                .exists()
        );
    }
}

/// Fails if `file` isn't what the program prints, or renews it where that is asked for.
fn assert_not_stale(file: &Path, printed: &str) {
    if std::env::var_os("DEX_DIR_RENEW").is_some() {
        fs::write(file, printed).expect("written");
    }
    let there = fs::read_to_string(file).unwrap_or_default();
    // Compared without showing both: they are long.
    assert!(there == printed, "{} is stale", file.display());
}

#[test]
fn the_completion_scripts_are_not_stale() {
    let sandbox = Sandbox::new();
    for (shell, file) in [
        ("bash", "dex-dir.bash"),
        ("zsh", "_dex-dir"),
        ("fish", "dex-dir.fish"),
        ("powershell", "_dex-dir.ps1"),
        ("elvish", "dex-dir.elv"),
    ] {
        let path = project().join("completions").join(file);
        assert_not_stale(&path, &sandbox.ok(&["completions", shell]));
    }
}

#[test]
fn there_is_a_manual_page_for_each_command_and_none_is_stale() {
    let sandbox = Sandbox::new();
    let folder = project().join("completions/man");
    assert_not_stale(&folder.join("dex-dir.1"), &sandbox.ok(&["man"]));
    for command in COMMANDS {
        let file = folder.join(format!("dex-dir-{command}.1"));
        assert_not_stale(&file, &sandbox.ok(&["man", command]));
    }
    let pages = fs::read_dir(&folder).expect("the pages").count();
    assert_eq!(
        pages,
        COMMANDS.len() + 1,
        "pages of commands that are no more"
    );
    let unknown = sandbox.run(&["man", "nothing"]);
    assert_eq!(unknown.status(), 2, "{}", unknown.stderr());
}

#[test]
fn the_manual_pages_are_typeset_without_a_warning() {
    if !has_tools(&["groff"]) {
        return;
    }
    let pages = project().join("completions/man");
    let script = format!("groff -k -man -Tutf8 -ww -z '{}'/*.1", pages.display());
    let typeset = shell(&Sandbox::new(), &script);
    assert_eq!((typeset.status(), &*typeset.stdout()), (0, ""));
}
