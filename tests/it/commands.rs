//! What the commands do with one profile or a few.

use std::io::Write;
use std::process::Stdio;

use predicates::prelude::*;

use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json};
use crate::usage::listing;

#[test]
fn upsert_prints_the_saved_profile_and_get_prints_the_same() {
    let sandbox = Sandbox::started();
    let line = format!("{}\n", profile_json(ALICE, "Alice"));
    assert_eq!(
        sandbox.upsert(" Alice@Example.COM ", "Alice", &[]).stdout(),
        line
    );
    assert_eq!(sandbox.ok(&["get", "--email", "ALICE@example.com"]), line);
    let file = format!("{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{line}}}}}\n");
    assert_eq!(sandbox.read(ALICE_PARTITION), file.as_bytes());
    sandbox.assert_no_temporary_files();
}

#[test]
fn start_prints_one_identity_however_often_it_runs() {
    let sandbox = Sandbox::new();
    let first = sandbox.ok(&["start"]);
    let manifest = sandbox.read("directory.json");
    let pattern = predicate::str::is_match(
        r#"^\{"flowID":"customer-directory","runID":"[0-9a-f]{8}-[0-9a-f-]{27}"\}\n$"#,
    );
    assert!(pattern.expect("a pattern").eval(&first), "{first}");
    assert_eq!(sandbox.ok(&["start"]), first);
    assert_eq!(sandbox.read("directory.json"), manifest);
}

#[test]
fn get_answers_several_addresses_in_the_order_asked_and_goes_on_after_a_missing_one() {
    let sandbox = Sandbox::started();
    sandbox.upsert("a@example.com", "A", &[]);
    sandbox.upsert("b@example.com", "B", &[]);
    let finished = sandbox.run(&[
        "get",
        "--email",
        "b@example.com",
        "--email",
        "none@example.com",
        "--email",
        "a@example.com",
    ]);
    let both = [
        profile_json("b@example.com", "B"),
        profile_json("a@example.com", "A"),
    ];
    assert_eq!(finished.stdout(), format!("{}\n{}\n", both[0], both[1]));
    assert_eq!(finished.status(), 1);
    assert!(
        finished.stderr().contains("none@example.com"),
        "{}",
        finished.stderr()
    );
}

#[test]
fn get_of_a_missing_profile_creates_nothing() {
    let sandbox = Sandbox::started();
    let before = listing(&sandbox);
    sandbox
        .run(&["get", "--email", ALICE])
        .assert_refused(1, &[ALICE, ALICE_PARTITION]);
    assert_eq!(listing(&sandbox), before);
}

#[test]
fn get_prints_the_bare_text_of_a_field() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Zoë \"Z\" O\\Brien", &[]);
    for (field, text) in [
        ("email-address", ALICE),
        ("full-name", "Zoë \"Z\" O\\Brien"),
        ("company-name", "Acme"),
        ("customer-tier", "gold"),
    ] {
        let printed = sandbox.ok(&["get", "--email", ALICE, "--field", field]);
        assert_eq!(printed, format!("{text}\n"));
    }
}

#[test]
fn members_added_by_hand_stay_and_other_tokens_keep_their_text() {
    let sandbox = Sandbox::started();
    let by_hand = format!(
        r#"{{ "note" : "mine", "profilesByCanonicalEmail": {{
            "zoe@elsewhere": {{ "any": 12345678901234567890123 }},
            "{ALICE}": {{ "vip": [1.10, {{}}], "fullName": "A", "emailAddress": "{ALICE}",
                          "companyName": "B", "customerTier": "C" }} }} }}"#
    );
    sandbox.write(ALICE_PARTITION, by_hand);
    sandbox.upsert(ALICE, "Alice", &[]);
    let alice = profile_json(ALICE, "Alice").replace('}', r#","vip":[1.10,{}]}"#);
    let file = format!(
        "{{\"profilesByCanonicalEmail\":{{\n\"{ALICE}\":{alice},\n\
         \"zoe@elsewhere\":{{\"any\":12345678901234567890123}}\n}},\n\"note\":\"mine\"\n}}\n"
    );
    assert_eq!(
        String::from_utf8(sandbox.read(ALICE_PARTITION)).expect("UTF-8"),
        file
    );
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), format!("{alice}\n"));
}

#[test]
fn an_unchanged_save_changes_no_byte_and_clears_what_a_killed_writer_left() {
    let sandbox = Sandbox::started();
    let pretty = profile_json(ALICE, "Alice").replace(',', " ,\n  ");
    let file = format!("{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{pretty}}}}}");
    sandbox.write(ALICE_PARTITION, &file);
    sandbox.write(".partition-278.tmp", "half a");
    let saved = sandbox.upsert(ALICE, "Alice", &[]);
    assert_eq!(
        saved.stdout(),
        format!("{}\n", profile_json(ALICE, "Alice"))
    );
    assert_eq!(sandbox.read(ALICE_PARTITION), file.as_bytes());
    sandbox.assert_no_temporary_files();
}

#[test]
fn hundreds_of_real_looking_customers_come_back_as_they_went_in() {
    let sandbox = Sandbox::started();
    let customers = include_str!("../vectors/customers-400.jsonl");
    let mut addresses = Vec::new();
    for line in customers.lines().take(100) {
        let customer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| customer[name].as_str().expect("a string").to_owned();
        let saved = sandbox.ok(&[
            "upsert",
            "--email",
            &text("emailAddress"),
            "--full-name",
            &text("fullName"),
            "--company-name",
            &text("companyName"),
            "--customer-tier",
            &text("customerTier"),
        ]);
        addresses.push((text("emailAddress"), saved));
    }
    for (address, saved) in addresses {
        assert_eq!(sandbox.ok(&["get", "--email", &address]), saved);
    }
}

#[test]
fn the_input_of_a_command_that_reads_none_is_left_alone() {
    let sandbox = Sandbox::started();
    let mut child = sandbox
        .command()
        .args(["start"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let written = child.stdin.take().expect("a pipe").write_all(b"y\n");
    assert!(child.wait().expect("it ends").success());
    drop(written);
}
