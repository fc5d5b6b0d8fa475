//! Many lookups at once: `get --from`.

use std::fs;
use std::process::Stdio;

use crate::harness::{
    ALICE, ALICE_PARTITION, Finished, Sandbox, colliding_addresses, has_tools, profile_json, shell,
};

fn look_up(sandbox: &Sandbox, addresses: impl AsRef<[u8]>) -> Finished {
    fs::write(sandbox.root().join("addresses"), addresses).expect("written");
    sandbox.run(&["get", "--from", "addresses"])
}

/// A directory with a customer for each of `addresses`, and what `get` answers of them.
fn saved(addresses: &[&str]) -> (Sandbox, String) {
    let sandbox = Sandbox::started();
    let lines: String = addresses
        .iter()
        .map(|address| profile_json(address, "Name") + "\n")
        .collect();
    fs::write(sandbox.root().join("profiles"), &lines).expect("written");
    sandbox.ok(&["upsert", "--from", "profiles"]);
    (sandbox, lines)
}

#[test]
fn answers_come_in_the_order_of_the_input_however_it_is_laid_out() {
    let (sandbox, answers) = saved(&["z@example.com", ALICE, "m@example.com", "z@example.com"]);
    for input in [
        "z@example.com\nalice@example.com\nm@example.com\nz@example.com\n",
        "\u{feff}Z@Example.com\r\n\r\n \talice@example.com\r\nm@example.com\n\nz@example.com",
    ] {
        let finished = look_up(&sandbox, input);
        assert_eq!(finished.stdout(), answers);
        assert_eq!((finished.status(), &*finished.stderr()), (0, ""));
    }
    let nothing = look_up(&sandbox, "");
    assert_eq!((nothing.status(), &*nothing.stdout()), (0, ""));
}

#[test]
fn what_is_missing_or_no_address_is_told_and_keeps_nobody_from_an_answer() {
    let (sandbox, answers) = saved(&[ALICE]);
    let long = "x".repeat(5_000_000);
    for (line, status, message) in [
        (
            "nobody@example.com",
            1,
            "no profile of nobody@example.com in ",
        ),
        ("a\0b", 1, "no profile of a\\u{0}b in "),
        (
            "josé@example.com",
            65,
            "addresses, line 2: emailAddress must contain only ASCII",
        ),
        (
            &long,
            65,
            "addresses, line 2: the line is too long for an address",
        ),
    ] {
        let finished = look_up(&sandbox, format!("\n{line}\n{ALICE}\n"));
        assert_eq!(finished.stdout(), answers, "{message}");
        assert_eq!(finished.status(), status, "{message}");
        let told = finished.stderr();
        assert!(told.contains(message), "no {message} in {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    let both = look_up(&sandbox, b"nobody@example.com\n\xff\n");
    assert_eq!((both.status(), both.stderr().lines().count()), (65, 2));
}

#[test]
fn a_corrupt_partition_is_told_once_and_hides_no_other() {
    let (sandbox, answers) = saved(&["bob@example.com"]);
    sandbox.write("partition-963.json", "{");
    let others = colliding_addresses(2).join("\n");
    let finished = look_up(&sandbox, format!("{others}\nbob@example.com\n"));
    assert_eq!((finished.status(), finished.stdout()), (72, answers));
    let told = finished.stderr();
    assert!(
        told.contains("partition-963.json is corrupt: line 1, column 1:"),
        "{told}"
    );
    assert!(told.contains("2 addresses have no answer"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    // One whose own fields are wrong is refused alone.
    let neighbour = profile_json("a@example.com", "A");
    sandbox.write(
        ALICE_PARTITION,
        format!(
            "{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{{}},\"a@example.com\":{neighbour}}}}}"
        ),
    );
    let finished = look_up(&sandbox, format!("{ALICE}\nbob@example.com\n"));
    assert_eq!(
        (finished.status(), finished.stdout()),
        (72, format!("{}\n", profile_json("bob@example.com", "Name")))
    );
}

#[test]
fn wrong_use_is_told_before_anything_is_read() {
    let sandbox = Sandbox::started();
    for (args, message) in [
        (
            &["--from", "x", "--email", ALICE][..],
            "cannot be used with",
        ),
        (
            &["--from", "x", "--field", "full-name"],
            "cannot be used with",
        ),
        (&[], "--email <ADDRESS>"),
    ] {
        let finished = sandbox.run(&[&["get"], args].concat());
        assert_eq!(finished.status(), 2);
        assert!(finished.stderr().contains(message), "{}", finished.stderr());
    }
    let absent = sandbox.run(&["get", "--from", "absent"]);
    absent.assert_refused(74, &["could not open absent"]);
    let unstarted = Sandbox::new();
    look_up(&unstarted, ALICE).assert_refused(66, &["has not been started"]);
}

#[test]
fn addresses_are_taken_from_standard_input() {
    let (sandbox, answers) = saved(&[ALICE]);
    let mut command = sandbox.command();
    command.args(["get", "--from", "-"]);
    let addresses = fs::File::open({
        fs::write(sandbox.root().join("addresses"), ALICE).expect("written");
        sandbox.root().join("addresses")
    });
    command.stdin(addresses.expect("there"));
    let finished = Finished(command.output().expect("run"));
    assert_eq!((finished.status(), finished.stdout()), (0, answers));
    command.stdin(Stdio::null());
    let finished = Finished(command.output().expect("run"));
    assert_eq!((finished.status(), &*finished.stdout()), (0, ""));
}

#[test]
fn each_partition_is_read_once() {
    if !has_tools(&["strace"]) {
        return;
    }
    let neighbours = colliding_addresses(3);
    let neighbours: Vec<_> = neighbours.iter().map(String::as_str).collect();
    let (sandbox, _) = saved(&[neighbours[0], ALICE, neighbours[1]]);
    let input = [neighbours[0], ALICE, neighbours[1], neighbours[2]].join("\n");
    fs::write(sandbox.root().join("addresses"), input).expect("written");
    let program = assert_cmd::cargo::cargo_bin!("dex-dir").display();
    let script = format!(
        "strace -f -e trace=openat -o calls {program} --dir customers get --from addresses"
    );
    let mut command = shell(sandbox.root());
    let finished = Finished(command.args(["-c", &script]).output().expect("run"));
    assert_eq!(
        (finished.status(), finished.stdout().lines().count()),
        (1, 3)
    );
    let calls = fs::read_to_string(sandbox.root().join("calls")).expect("traced");
    for name in [ALICE_PARTITION, "partition-963.json"] {
        assert_eq!(calls.matches(name).count(), 1, "{calls}");
    }
}
