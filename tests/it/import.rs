//! Many profiles at once: what is saved, what is not, and a sum that adds up.

use std::fs::{self, File};

use serde_json::Value;

use crate::harness::{ALICE, ALICE_LOCK, Finished, Sandbox, profile_json};

/// Imports `input` from a file, with further arguments.
fn import(sandbox: &Sandbox, input: impl AsRef<[u8]>, args: &[&str]) -> Finished {
    let file = sandbox.root().join("input");
    fs::write(&file, input).expect("written");
    let from = ["upsert", "--from", file.to_str().expect("UTF-8"), "--json"];
    sandbox.run(&[&from, args].concat())
}

/// Fails unless the summary has these counts, and all of it adds up.
fn assert_counts(finished: &Finished, status: i32, counts: &[(&str, u64)]) {
    assert_eq!(finished.status(), status, "{}", finished.stderr());
    let summary: Value = serde_json::from_str(&finished.stdout()).expect("JSON");
    for (name, records) in counts {
        assert_eq!(summary[name], *records, "{name} in {summary}");
    }
    let counts = summary.as_object().expect("an object").iter();
    let parts = counts.filter(|(name, _)| *name != "read");
    let sum: u64 = parts
        .map(|(_, count)| count.as_u64().expect("a count"))
        .sum();
    assert_eq!(summary["read"], sum, "{summary}");
}

#[test]
fn what_is_not_saved_is_told_counted_and_kept_for_another_try() {
    let sandbox = Sandbox::started();
    let lines = [
        "{\"emailAddress\": oops}".to_owned(),
        profile_json("josé@example.com", "José"),
        profile_json("bob@example.com", "Bob"),
        profile_json("BOB@example.com", "Robert"),
        String::new(),
        profile_json(ALICE, "Alice"),
    ];
    let lock = File::create(sandbox.path(ALICE_LOCK)).expect("a lock file");
    lock.lock().expect("locked");
    let rejects = ["--rejects", "rejects.jsonl"];
    let finished = import(&sandbox, lines.join("\n"), &rejects);
    let counts = [
        ("read", 5),
        ("created", 1),
        ("superseded", 1),
        ("rejected", 2),
        ("inConflict", 1),
    ];
    assert_counts(&finished, 75, &counts);
    for part in [
        "line 1: invalid JSON",
        "line 2: emailAddress must",
        "partition-278 is locked",
    ] {
        assert!(
            finished.stderr().contains(part),
            "no {part} in {}",
            finished.stderr()
        );
    }
    let name = sandbox.ok(&["get", "--email", "bob@example.com", "--field", "full-name"]);
    assert_eq!(name, "Robert\n");
    lock.unlock().expect("unlocked");
    let kept = fs::read_to_string(sandbox.root().join("rejects.jsonl")).expect("rejects");
    assert_eq!(kept, format!("{}\n{}\n{}\n", lines[0], lines[1], lines[5]));
    import(&sandbox, &kept, &rejects).assert_refused(74, &["rejects.jsonl is there already"]);
    let mended = kept
        .replace("josé", "jose")
        .replace("{\"emailAddress\": oops}\n", "");
    assert_counts(
        &import(&sandbox, mended, &[]),
        0,
        &[("read", 2), ("created", 2)],
    );
}

#[test]
fn every_format_and_layout_is_read() {
    let (a, b) = (
        profile_json("a@example.com", "A"),
        profile_json("b@example.com", "B"),
    );
    let pretty = a.replace(',', ",\n  ");
    let csv = "Full Name,customer_tier,EMAIL-ADDRESS,companyName\r\nA,gold,a@example.com,Acme\r\n";
    for (input, records) in [
        (String::new(), 0),
        ("\n\n".to_owned(), 0),
        (format!("\u{feff}{a}\r\n\r\n{b}"), 2),
        (format!("[{a},\n{b}]"), 2),
        ("[]".to_owned(), 0),
        (format!("{{\n{}", &pretty[1..]), 1),
        (format!("{{\n{}\n{b}", &pretty[1..]), 2),
        (csv.to_owned(), 1),
    ] {
        let sandbox = Sandbox::started();
        assert_counts(&import(&sandbox, &input, &[]), 0, &[("created", records)]);
        assert_counts(&import(&sandbox, &input, &[]), 0, &[("unchanged", records)]);
        if records > 0 {
            assert_eq!(
                sandbox.ok(&["get", "--email", "a@example.com"]),
                format!("{a}\n")
            );
        }
        sandbox.assert_no_temporary_files();
    }
}

#[test]
fn what_can_not_be_read_is_refused_with_its_line_and_saves_nothing_wrong() {
    let sandbox = Sandbox::started();
    let a = profile_json("a@example.com", "A");
    let long = profile_json("b@example.com", &"x".repeat(5_000_000));
    for (input, created, part) in [
        (
            "emailAddress,fullName,companyName,tier\n".to_owned(),
            0,
            "unknown column \"tier\"",
        ),
        (
            "emailAddress,fullName\n".to_owned(),
            0,
            "there is no column companyName",
        ),
        (format!("[{a},\n{{]"), 1, "line 2"),
        (format!("{a}{a}\n"), 0, "line 1: invalid JSON"),
        (format!("{a}\n{long}\n"), 0, "line 2: the profile is"),
        ("\0\0\0\0\n".to_owned(), 0, "unknown column"),
        (
            "emailAddress,fullName,companyName,customerTier\r\n\r\njosé@x,N,C,t\r\n".to_owned(),
            0,
            "line 3: emailAddress must",
        ),
    ] {
        let finished = import(&sandbox, input, &[]);
        assert_counts(&finished, 65, &[("created", created)]);
        assert!(
            finished.stderr().contains(part),
            "no {part} in {}",
            finished.stderr()
        );
    }
}

#[test]
fn a_quote_that_is_not_closed_swallows_nobody_without_a_word() {
    const HEADER: &str = "emailAddress,fullName,companyName,customerTier\n";
    for (rows, created, line) in [
        ("a@x,A,B,\"C\nb@x,A,B,C\nc@x,A,B,C\n", 0, 2),
        ("a@x,A,B,C\nb@x,\"A,B,C\nc@x,A,\"B\",C\n", 1, 3),
        ("a@x,\"A\nB\"C,B,C\n", 0, 2),
    ] {
        let sandbox = Sandbox::started();
        let finished = import(&sandbox, format!("{HEADER}{rows}"), &[]);
        assert_counts(&finished, 65, &[("created", created), ("rejected", 1)]);
        let told = finished.stderr();
        let message = format!("line {line}: a quote is not closed, or stands inside a field");
        assert!(told.contains(&message), "{told}");
    }
    let sandbox = Sandbox::started();
    let sound = format!("{HEADER}a@x,\"two\nlines, \"\"quoted\"\"\",\"B\",C\r\nb@x,A\"s,B,C");
    assert_counts(&import(&sandbox, sound, &[]), 0, &[("created", 2)]);
}

#[test]
fn what_was_not_saved_is_kept_or_it_is_said_that_it_is_not() {
    let sandbox = Sandbox::started();
    let lines = format!("oops\n{}\n", profile_json("a@example.com", "A"));
    let args = |path| ["--format", "jsonl", "--rejects", path];
    import(&sandbox, &lines, &args("nowhere/rejects"))
        .assert_refused(74, &["could not make nowhere/rejects"]);
    // A dry run makes nothing.
    let dry = import(
        &sandbox,
        &lines,
        &[&args("rejects")[..], &["--dry-run"]].concat(),
    );
    assert_counts(&dry, 65, &[("created", 1), ("rejected", 1)]);
    assert!(!sandbox.root().join("rejects").exists());
    let full = import(&sandbox, &lines, &args("/dev/full"));
    assert_eq!(full.status(), 74);
    let broken = import(
        &sandbox,
        format!("[{}\n{{}}", profile_json("a@x", "A")),
        &[],
    );
    assert_counts(&broken, 65, &[("created", 1)]);
    let told = broken.stderr();
    assert!(told.contains("nothing from there on was read"), "{told}");
}

#[test]
fn a_dry_run_says_what_would_be_done_and_changes_nothing() {
    let sandbox = Sandbox::started();
    let finished = import(&sandbox, profile_json(ALICE, "Alice"), &["--dry-run"]);
    assert_counts(&finished, 0, &[("created", 1)]);
    assert_eq!(sandbox.run(&["get", "--email", ALICE]).status(), 1);
}

#[test]
fn small_batches_come_to_the_same() {
    let sandbox = Sandbox::started();
    let customers = include_str!("../vectors/customers-400.jsonl");
    let again = customers.replace("fullName\": \"", "fullName\": \"Dr ");
    let both = format!("{customers}{again}");
    let finished = import(&sandbox, &both, &["--batch-bytes", "10KiB"]);
    assert_eq!(finished.status(), 0, "{}", finished.stderr());
    let finished = import(&sandbox, &again, &[]);
    assert_counts(&finished, 0, &[("unchanged", 400)]);
}
