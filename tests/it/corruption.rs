//! Files that a slip of the hand or a broken disk has made: refused by name, line and column, and
//! never made worse.

use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};

/// Each of these is corrupt whatever the address, with where the fault is.
pub fn corrupt_files() -> Vec<(Vec<u8>, &'static str)> {
    let sound = format!("{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{{}}\n}}}}\n");
    let alice = profile_json(ALICE, "A");
    let file = |text: &str| text.as_bytes().to_vec();
    vec![
        (file(""), "line 1, column 1"),
        (vec![0; 512], "line 1, column 1"),
        (file(&sound[..sound.len() - 3]), "line 3"),
        (file("null"), "line 1, column 1"),
        (file("[]"), "line 1, column 1"),
        (file("{}"), "line 1, column 1"),
        (
            file("{\"profilesByCanonicalEmail\":[]}"),
            "line 1, column 29",
        ),
        (file(&sound.replace("{}", "null")), "line 2, column 21"),
        (file(&format!("{sound}x")), "line 4, column 1"),
        (
            sound.replace("alice", "al\u{0}ice").into_bytes(),
            "line 2, column 3",
        ),
        (
            [b"{\"profilesByCanonicalEmail\":{\n\"", &b"\xFF\":{}}}"[..]].concat(),
            "line 2, column 2",
        ),
        (
            file(&sound.replace(
                "{}",
                &format!("{alice},\n\"\\u0061lice@example.com\":{alice}"),
            )),
            "line 3, column 1",
        ),
        (
            file(&sound.replace("{}", &alice.replace("companyName", "fullName"))),
            "line 2",
        ),
        (
            file(&sound.replace("\n}}", "\n},\"profilesByCanonicalEmail\":{}}")),
            "line 3, column 3",
        ),
        (
            file(&sound.replace("{}", r#"{"\udc00":1}"#)),
            "line 2, column 22",
        ),
    ]
}

#[test]
fn a_corrupt_file_is_named_and_left_as_it_is_and_others_go_on_working() {
    let sandbox = Sandbox::started();
    sandbox.upsert("bob@example.com", "Bob", &[]);
    for (bytes, place) in corrupt_files() {
        sandbox.write(ALICE_PARTITION, &bytes);
        sandbox
            .run(&["get", "--email", ALICE])
            .assert_refused(72, &[ALICE_PARTITION, place]);
        sandbox
            .upsert(ALICE, "A", &[])
            .assert_refused(72, &[ALICE_PARTITION, place]);
        assert_eq!(sandbox.read(ALICE_PARTITION), bytes);
        let finished = sandbox.run(&["get", "--email", ALICE, "--email", "bob@example.com"]);
        let bob = format!("{}\n", profile_json("bob@example.com", "Bob"));
        assert_eq!((finished.status(), finished.stdout()), (72, bob));
        assert_eq!(sandbox.upsert("bob@example.com", "Bob", &[]).status(), 0);
        sandbox.assert_no_temporary_files();
    }
}

#[test]
fn a_profile_with_a_bad_field_blocks_itself_alone() {
    let sandbox = Sandbox::started();
    let neighbour = "collision-00178@example.com";
    let partition = "partition-963.json";
    let other = "collision-00350@example.com";
    let sound = profile_json(neighbour, "N");
    for (from, to, says) in [
        (r#","customerTier":"gold""#, "", "customerTier is missing"),
        (r#""fullName":"N""#, r#""fullName":"""#, "fullName is empty"),
        (
            r#""fullName":"N""#,
            r#""fullName":7"#,
            "fullName is not a string",
        ),
        (
            r#""fullName":"N""#,
            r#""fullName":"\ud800""#,
            "fullName is not a string",
        ),
        (neighbour, other, "emailAddress differs"),
    ] {
        let bad = sound.replacen(from, to, 1);
        sandbox.write(
            partition,
            format!("{{\"profilesByCanonicalEmail\":{{\n\"{neighbour}\":{bad}\n}}}}\n"),
        );
        assert_eq!(sandbox.upsert(other, "O", &[]).status(), 0);
        sandbox.ok(&["get", "--email", other]);
        sandbox
            .run(&["get", "--email", neighbour])
            .assert_refused(72, &[partition, "line 2", says]);
        let kept = format!("\n\"{neighbour}\":{bad},\n");
        assert!(
            String::from_utf8_lossy(&sandbox.read(partition)).contains(&kept),
            "{kept}"
        );
        assert_eq!(
            sandbox.upsert(neighbour, "N", &[]).stdout(),
            format!("{sound}\n")
        );
    }
}

#[test]
fn a_message_about_a_corrupt_file_repeats_nothing_of_what_it_holds() {
    let sandbox = Sandbox::started();
    let secret = "s3cret";
    for text in [
        format!("{{\"profilesByCanonicalEmail\":{{\"{secret}\":\"{secret}\"}}}}"),
        format!("{{\"{secret}\":1,\"{secret}\":2}}"),
        format!("{{\"profilesByCanonicalEmail\":{{}},\"a\":{secret}}}"),
        format!(
            "{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{{\"emailAddress\":\"{secret}\"}}}}}}"
        ),
    ] {
        sandbox.write(ALICE_PARTITION, text);
        let finished = sandbox.run(&["get", "--email", ALICE]);
        finished.assert_refused(72, &[ALICE_PARTITION]);
        assert!(!finished.stderr().contains(secret), "{}", finished.stderr());
    }
}
