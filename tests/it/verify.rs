//! `verify` on what partition files hold: every problem with its place, all at once.

use std::fs;

use serde_json::Value;

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, profile_json};

/// A partition file of these keys and profiles, in the canonical layout.
pub fn file(members: &[(&str, &str)]) -> String {
    let lines: Vec<_> = members
        .iter()
        .map(|(k, p)| format!("\"{k}\":{p}"))
        .collect();
    format!(
        "{{\"profilesByCanonicalEmail\":{{\n{}\n}}}}\n",
        lines.join(",\n")
    )
}

/// Fails unless `verify` ends with this status and prints exactly these findings, each without the
/// directory's name, and these counts.
pub fn assert_found(sandbox: &Sandbox, status: i32, findings: &[&str], counts: &str) {
    let finished = sandbox.run(&["verify"]);
    assert_eq!(finished.stderr(), "");
    let directory = format!("{}/", sandbox.dir().display());
    let printed = finished.stdout().replace(&directory, "");
    let expected: Vec<_> = findings.iter().copied().chain([counts]).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
    assert_eq!(finished.status(), status);
}

#[test]
fn a_clean_directory_says_so_and_nothing_is_changed() {
    let sandbox = Sandbox::started();
    assert_found(
        &sandbox,
        0,
        &[],
        "no profiles in no partitions: no problems, no notes",
    );
    sandbox.upsert(ALICE, "A", &[]);
    let before = fs::read_dir(sandbox.path("locks"))
        .expect("the locks")
        .count();
    assert_found(
        &sandbox,
        0,
        &[],
        "1 profile in 1 partition: no problems, no notes",
    );
    let after = fs::read_dir(sandbox.path("locks"))
        .expect("the locks")
        .count();
    assert_eq!(before, after);
    sandbox.assert_no_temporary_files();
}

#[test]
fn a_corrupt_file_is_a_problem_at_its_line_and_column() {
    let alice = profile_json(ALICE, "A");
    let sound = file(&[(ALICE, &alice)]);
    for (bytes, says) in [
        (String::new(), "line 1, column 1: the file is empty"),
        (
            "\0".repeat(512),
            "line 1, column 1: invalid JSON: expected value",
        ),
        ("[]".to_owned(), "line 1, column 1: expected an object"),
        (
            "{}".to_owned(),
            "line 1, column 1: `profilesByCanonicalEmail` is missing",
        ),
        (
            sound[..sound.len() - 3].to_owned(),
            "line 3, column 1: invalid JSON: EOF while parsing an object",
        ),
        (
            sound.replace(&alice, "7"),
            "line 2, column 21: expected an object",
        ),
        (
            sound.replace("alice@example.com\":{", "\\ud800\":{"),
            "line 2, column 1: a member's name holds a lone surrogate",
        ),
    ] {
        let sandbox = Sandbox::started();
        sandbox.write(ALICE_PARTITION, bytes);
        let printed = sandbox.run(&["verify"]);
        let expected = format!(
            "problem: {}: {says}",
            sandbox.path(ALICE_PARTITION).display()
        );
        assert_eq!(printed.stdout().lines().next(), Some(&*expected));
        assert!(
            printed.stdout().contains(": 1 problem, no notes\n"),
            "{}",
            printed.stdout()
        );
        assert_eq!(printed.status(), 72);
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_a_problem() {
    let sandbox = Sandbox::started();
    let bytes = [b"{\"profilesByCanonicalEmail\":{\n\"", &b"\xFF\":{}}}"[..]].concat();
    sandbox.write(ALICE_PARTITION, bytes);
    let finding = "problem: partition-278.json: line 2, column 2: the file is not UTF-8";
    assert_found(
        &sandbox,
        72,
        &[finding],
        "no profiles in 1 partition: 1 problem, no notes",
    );
}

#[test]
fn all_that_is_wrong_in_a_file_is_reported_at_once_in_its_order() {
    let sandbox = Sandbox::started();
    let alice = profile_json(ALICE, "A");
    let text = file(&[
        (
            ALICE,
            &alice.replace("\"A\"", "\"\"").replace("\"gold\"", "7"),
        ),
        (
            "bob@example.org",
            &profile_json("bob@example.com", "B").replace(",\"customerTier\":\"gold\"", ""),
        ),
        ("\\u0061lice@example.com", &alice),
        ("zoe@example.com", "[]"),
    ]);
    sandbox.write(
        ALICE_PARTITION,
        text.replace("\n}}", "\n},\"profilesByCanonicalEmail\":{}}"),
    );
    let findings = [
        r#"line 2, column 68: "alice@example.com": the profile's fullName is empty"#,
        r#"line 2, column 107: "alice@example.com": the profile's customerTier is not a string"#,
        r#"line 3, column 1: "bob@example.org" belongs in partition-610, and is only found there"#,
        r#"line 3, column 19: "bob@example.org": the profile's customerTier is missing"#,
        r#"line 3, column 35: "bob@example.org": the profile's emailAddress differs from its key"#,
        r#"line 4, column 1: a member is given twice: "alice@example.com""#,
        r#"line 5, column 1: "zoe@example.com" belongs in partition-748, and is only found there"#,
        "line 5, column 19: expected an object",
        r#"line 6, column 3: a member is given twice: "profilesByCanonicalEmail""#,
    ];
    let findings = findings.map(|text| format!("problem: {ALICE_PARTITION}: {text}"));
    let findings: Vec<_> = findings.iter().map(String::as_str).collect();
    assert_found(
        &sandbox,
        72,
        &findings,
        "4 profiles in 1 partition: 9 problems, no notes",
    );
}

#[test]
fn keys_that_differ_only_in_case_are_told_from_one_another() {
    let sandbox = Sandbox::started();
    let alice = profile_json(ALICE, "A");
    let text = file(&[
        ("Alice@Example.com", &alice),
        (" alice@example.com", &alice),
        (ALICE, &alice),
    ]);
    sandbox.write(ALICE_PARTITION, text);
    let rest = "only \"alice@example.com\" is looked for; \"alice@example.com\", also here,";
    let findings = [
        format!(
            "problem: {ALICE_PARTITION}: line 2, column 1: the key \"Alice@Example.com\" is not canonical: {rest} differs only in case"
        ),
        format!(
            "note: {ALICE_PARTITION}: line 2, column 2: laid out in another way from here on; the next save to this partition renews that"
        ),
        format!(
            "problem: {ALICE_PARTITION}: line 3, column 1: the key \" alice@example.com\" is not canonical: {rest} is the same address"
        ),
    ];
    let findings: Vec<_> = findings.iter().map(String::as_str).collect();
    assert_found(
        &sandbox,
        72,
        &findings,
        "3 profiles in 1 partition: 2 problems, 1 note",
    );
}

#[test]
fn a_key_that_is_no_address_is_a_problem() {
    for (key, says) in [
        ("é", "must contain only ASCII characters"),
        ("  ", "is required"),
    ] {
        let sandbox = Sandbox::started();
        sandbox.write(
            "partition-000.json",
            file(&[(key, &profile_json(key, "A"))]),
        );
        let finding = format!(
            "problem: partition-000.json: line 2, column 1: the key \"{key}\" is not canonical: emailAddress {says}"
        );
        assert_found(
            &sandbox,
            72,
            &[&finding],
            "1 profile in 1 partition: 1 problem, no notes",
        );
    }
}

#[test]
fn what_a_person_may_do_is_a_note() {
    let sandbox = Sandbox::started();
    let alice = profile_json(ALICE, "A").replace('}', r#","vip":true,"since":2020}"#);
    let text = file(&[(ALICE, &alice)]).replace("\n}}\n", "\n},\n\"comment\":1\n}\n");
    sandbox.write(ALICE_PARTITION, &text);
    let findings = [
        r#"note: partition-278.json: line 2, column 115: "alice@example.com": unknown members, kept as written: "vip", "since""#,
        r#"note: partition-278.json: line 4, column 1: an unknown member beside the profiles, kept as written: "comment""#,
    ];
    assert_found(
        &sandbox,
        0,
        &findings,
        "1 profile in 1 partition: no problems, 2 notes",
    );
    let text = file(&[(ALICE, &profile_json(ALICE, "A"))]);
    for (text, place) in [
        (format!("\u{feff}{text}"), "line 1, column 1"),
        (
            text.replace("Acme", "\\u0041cme")
                .replace(",\"cust", " , \"cust"),
            "line 2, column 97",
        ),
        (text.replace('\n', "\r\n"), "line 1, column 30"),
    ] {
        sandbox.write(ALICE_PARTITION, text);
        let finding = format!(
            "note: {ALICE_PARTITION}: {place}: laid out in another way from here on; the next save to this partition renews that"
        );
        assert_found(
            &sandbox,
            0,
            &[&finding],
            "1 profile in 1 partition: no problems, 1 note",
        );
    }
}

#[test]
fn what_could_disturb_a_terminal_is_escaped_but_in_json() {
    let sandbox = Sandbox::started();
    let key = "A\\u001b[31m\u{202e}";
    sandbox.write(
        "partition-000.json",
        file(&[(key, &profile_json(key, "A"))]),
    );
    let printed = sandbox.run(&["verify"]).stdout();
    assert!(
        printed.contains(r#"the key "A\u001b[31m\u{202e}" is not"#),
        "{printed}"
    );
    let printed = sandbox.run(&["verify", "--json"]).stdout();
    let finding: Value =
        serde_json::from_str(printed.lines().next().expect("a line")).expect("JSON");
    let message = finding["message"].as_str().expect("text");
    assert!(message.contains("\\u001b[31m\u{202e}"), "{message}");
}

#[test]
fn the_json_form_is_a_finding_a_line_and_the_counts() {
    let sandbox = Sandbox::started();
    sandbox.write(ALICE_PARTITION, file(&[(ALICE, "{}")]).replace("{}", "[]"));
    sandbox.write("notes.txt", "mine");
    let finished = sandbox.run(&["verify", "--json"]);
    let lines: Vec<Value> = json_lines(&finished);
    let path = |name: &str| sandbox.path(name).display().to_string();
    assert_eq!(
        lines,
        [
            serde_json::json!({"severity": "problem", "code": "Corrupt", "file": path(ALICE_PARTITION),
                "line": 2, "column": 21, "message": "expected an object"}),
            serde_json::json!({"severity": "note", "code": "Stray", "file": path("notes.txt"),
                "line": null, "column": null, "message": "not read: it is no part of the directory"}),
            serde_json::json!({"partitions": 1, "profiles": 1, "problems": 1, "notes": 1}),
        ]
    );
    assert_eq!(finished.status(), 72);
}

pub fn json_lines(finished: &Finished) -> Vec<Value> {
    let lines = finished.stdout();
    let parsed = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    parsed.collect()
}
