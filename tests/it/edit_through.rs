//! `edit --through`: the command, what it gets, and how it may end.

use crate::edit::{
    assert_kept, assert_saved, by_hand, command, file, kept, line, through, with_alice,
};
use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, has_tools};

const REMOVE: &str = r#"jq "del(.profilesByCanonicalEmail[env.DEX_DIR_EMAIL])""#;

#[test]
fn a_customer_is_removed_whatever_the_address_holds() {
    if !has_tools(&["jq"]) {
        return;
    }
    for email in [
        "o'brien@example.ie",
        "\"quoted name\"@example.com",
        "$(touch ran)`touch ran`@example.com",
        "back\\slash@example.com",
        "a;touch ran #@example.com",
        "-e@example.com",
    ] {
        let sandbox = Sandbox::started();
        let flag = format!("--email= {email} ");
        let save = [
            "upsert",
            &flag,
            "--full-name=N",
            "--company-name=C",
            "--customer-tier=T",
        ];
        sandbox.ok(&save);
        let mut command = command(&sandbox, &[&flag, "--through", REMOVE]);
        let finished = Finished(command.output().expect("it runs"));
        let removed = format!("removed\t{}", email.to_ascii_lowercase());
        assert_saved(&sandbox, &finished, &[&removed]);
        assert!(!sandbox.root().join("ran").exists(), "{email}");
    }
}

#[test]
fn the_address_is_given_only_if_one_was() {
    let sandbox = with_alice();
    let script = "printf '%s' \"${DEX_DIR_EMAIL-none}\" >seen; cat";
    for (target, seen) in [
        (["--email", "Alice@Example.COM "], ALICE),
        (["--partition", "278"], "none"),
    ] {
        let mut command = command(&sandbox, &[&target[..], &["--through", script]].concat());
        command.env("DEX_DIR_EMAIL", "inherited");
        assert!(command.status().expect("it runs").success());
        let found = std::fs::read_to_string(sandbox.root().join("seen")).expect("seen");
        assert_eq!(found, seen);
    }
}

#[test]
fn a_command_that_fails_changes_nothing_and_keeps_nothing() {
    let sandbox = with_alice();
    let before = sandbox.read(ALICE_PARTITION);
    for (script, status) in [
        ("sed s/gold/silver/; exit 1", 65),
        ("sed s/gold/silver/; exit 125", 65),
        ("nonesuch-command", 74),
        ("/dev/null", 74),
        ("sed s/gold/silver/; kill -KILL $$", 74),
        ("sh -c 'kill -TERM $$'; exit $?", 74),
    ] {
        let finished = through(&sandbox, script);
        let error = finished.stderr();
        assert_eq!(
            (finished.status(), finished.stdout()),
            (status, String::new()),
            "{script}: {error}"
        );
        let last = error.lines().last().expect("an error");
        assert!(last.starts_with("dex-dir: the command failed ("), "{error}");
        assert!(last.ends_with("nothing was changed"), "{error}");
        assert_eq!(sandbox.read(ALICE_PARTITION), before, "{script}");
        assert!(kept(&sandbox).is_empty(), "{script}");
    }
}

#[test]
fn where_there_is_no_shell_nothing_is_changed() {
    let sandbox = with_alice();
    for args in [
        &["--email", ALICE, "--through", "cat"][..],
        &["--email", ALICE],
    ] {
        let mut command = command(&sandbox, args);
        command.env("PATH", sandbox.root()).env("EDITOR", "true");
        let finished = Finished(command.output().expect("it runs"));
        finished.assert_refused(74, &["sh", "No such file"]);
        assert!(kept(&sandbox).is_empty());
    }
}

#[test]
fn a_command_that_reads_nothing_is_fine() {
    let sandbox = large();
    let new = file(&[&line(ALICE, "New")]);
    let finished = through(&sandbox, &format!("exec <&-; printf '%s' '{new}'"));
    assert_saved(&sandbox, &finished, &[&format!("changed\t{ALICE}")]);
}

/// Alice with a name that no pipe can hold.
fn large() -> Sandbox {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, file(&[&line(ALICE, &"~".repeat(3 << 20))]));
    sandbox
}

#[test]
fn a_text_larger_than_any_pipe_goes_through() {
    let sandbox = large();
    // Writes while it reads, before it reads, and once it has read all.
    for (from, to, script) in [
        ('~', '+', "tr '~' '+'"),
        (
            '+',
            '-',
            "tr '+' '-' <customers/partition-278.json; cat >/dev/null",
        ),
        ('-', '#', "cat >whole; tr '-' '#' <whole"),
    ] {
        let before = String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8");
        let finished = through(&sandbox, script);
        assert_saved(&sandbox, &finished, &[&format!("changed\t{ALICE}")]);
        let after = String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8");
        assert!(after == before.replace(from, &to.to_string()), "{script}");
    }
}

#[test]
fn a_text_with_a_new_problem_is_kept_and_each_problem_shown_with_its_place() {
    let alice = line(ALICE, "A");
    let bobs = alice.replacen(ALICE, "bob@example.org", 1);
    let upper = alice.replacen(ALICE, "ALICE@example.com", 1);
    for (text, problems) in [
        (
            file(&[&line(ALICE, "")]),
            &[r#"2:68: "alice@example.com": the profile's fullName is empty"#][..],
        ),
        (
            file(&[&upper]),
            &[
                r#"2:1: the key "ALICE@example.com" is not canonical: only "alice@example.com" is looked for"#,
            ],
        ),
        (
            file(&[&bobs]),
            &[
                r#"2:1: "bob@example.org" belongs in partition-610, and is only found there"#,
                r#"2:35: "bob@example.org": the profile's emailAddress differs from its key"#,
            ],
        ),
        (
            file(&[&alice, &alice]),
            &[r#"3:1: a member is given twice: "alice@example.com""#],
        ),
        (
            file(&[&alice, "x"]),
            &["3:1: invalid JSON: key must be a string"],
        ),
        (String::new(), &["1:1: the file is empty"]),
    ] {
        assert_unsound(&text, problems);
    }
}

/// Fails unless this text is refused for these problems, whichever way it comes.
fn assert_unsound(text: &str, problems: &[&str]) {
    for way in [through, by_hand_of] {
        let sandbox = with_alice();
        let before = sandbox.read(ALICE_PARTITION);
        let finished = way(&sandbox, &format!("printf '%s' '{text}'"));
        assert_kept(&sandbox, &finished, 65, text.as_bytes());
        let path = kept(&sandbox).remove(0);
        let error = finished.stderr();
        let (shown, _kept) = error.split_once("dex-dir: ").expect("an error");
        let place = |problem| format!("{}:{problem}\n", path.display());
        assert_eq!(shown, problems.iter().map(place).collect::<String>());
        assert_eq!(sandbox.read(ALICE_PARTITION), before);
    }
}

#[test]
fn a_text_that_can_not_even_be_kept_is_refused_for_the_same_reason() {
    let sandbox = with_alice();
    let mut command = command(&sandbox, &["--email", ALICE, "--through", "echo half"]);
    command.env("TMPDIR", sandbox.root().join("none"));
    let finished = Finished(command.output().expect("it runs"));
    let error = finished.stderr();
    assert_eq!(finished.status(), 65, "{error}");
    assert!(error.starts_with("the text:1:1: invalid JSON"), "{error}");
    assert!(
        error.contains("dex-dir: the text could not be kept ("),
        "{error}"
    );
}

/// The same in an editor: what the script prints is the text.
fn by_hand_of(sandbox: &Sandbox, script: &str) -> Finished {
    by_hand(sandbox, &format!("{script} >\"$1\""))
}
