//! Bytes that a careless program trips over: they are kept, or refused in a line, and never run away.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox, profile_json};
use crate::server::Server;

/// How deep a value may be nested that nobody looks into.
const DEEP: usize = 100_000;

fn deep() -> String {
    format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP))
}

fn import(sandbox: &Sandbox, line: &str) -> Finished {
    fs::write(sandbox.root().join("lines"), line).expect("written");
    sandbox.run(&["upsert", "--from", "lines", "--format", "jsonl"])
}

#[test]
fn addresses_that_mean_something_elsewhere_are_addresses_here() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    for address in [
        "__proto__",
        "constructor",
        "tostring",
        "null",
        "profilesbycanonicalemail",
        "../../etc/passwd",
        "%2e%2e%2f",
        "$(reboot)",
        "' or 1=1 --",
        "--help",
        "*",
    ] {
        let body = profile_json(address, "N");
        assert_eq!(server.put(&body).status, 200, "{address}");
        let email = format!("--email={address}");
        assert_eq!(sandbox.ok(&["get", &email]), body.clone() + "\n");
        let partition = sandbox.ok(&["partition", &email]);
        let saved = format!("--email={address}");
        assert_eq!(sandbox.ok(&["get", &saved, "--field", "full-name"]), "N\n");
        let file = partition.trim_end().rsplit('\t').next().expect("a file");
        let text = fs::read_to_string(sandbox.root().join(file)).expect("there");
        assert!(text.contains(&format!("\n\"{address}\":{body}")), "{text}");
    }
    sandbox.ok(&["verify"]);
}

#[test]
fn every_character_comes_back_both_ways_as_it_went_in() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let name = r#"\u0000\u001b[31m\u202e\ufeff\u2028\ud83d\ude00\u007f\\\"/é"#;
    let body = profile_json(ALICE, name);
    let saved = server.put(&body);
    assert_eq!(saved.status, 200, "{}", saved.body);
    let printed = sandbox.ok(&["get", "--email", ALICE]);
    assert_eq!(printed, saved.body.clone() + "\n");
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(value(&printed), value(&body));
    assert_eq!(server.look_up(ALICE).body, saved.body);
    let bare = sandbox.ok(&["get", "--email", ALICE, "--field", "full-name"]);
    assert_eq!(bare, "\0\u{1b}[31m\u{202e}\u{feff}\u{2028}😀\u{7f}\\\"/é\n");
}

#[test]
fn half_a_character_is_no_text_in_a_profile_and_stays_in_what_a_person_wrote() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let half = profile_json(ALICE, r"\ud800");
    server.put(&half).assert_failed(400, "InvalidProfile");
    assert_eq!(import(&sandbox, &half).status(), 65);
    assert!(!sandbox.path(ALICE_PARTITION).exists());
    let noted = profile_json(ALICE, "A").replace('}', r#","note":"\ud800"}"#);
    let file = format!("{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{noted}}}}}");
    sandbox.write(ALICE_PARTITION, file);
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), noted + "\n");
    let updated = sandbox.upsert(ALICE, "B", &[]).stdout();
    assert!(updated.contains(r#""note":"\ud800""#), "{updated}");
}

#[test]
fn deep_nesting_is_kept_or_refused_and_overflows_nothing() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let nested = profile_json(ALICE, "A").replace("\"A\"", &deep());
    server.put(&nested).assert_failed(400, "InvalidProfile");
    let refused = import(&sandbox, &nested);
    assert_eq!(refused.status(), 65);
    assert!(refused.stderr().contains("fullName must be a string"));
    assert_eq!(import(&sandbox, &deep()).status(), 65);
    let unknown = profile_json(ALICE, "A").replace('}', &format!(",\"x\":{}}}", deep()));
    let file = format!(
        "{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{unknown}}},\"y\":{}}}",
        deep()
    );
    sandbox.write(ALICE_PARTITION, file);
    assert_eq!(sandbox.ok(&["get", "--email", ALICE]), unknown + "\n");
    assert_eq!(sandbox.upsert(ALICE, "B", &[]).status(), 0);
    assert_eq!(sandbox.run(&["verify"]).status(), 0);
    let edit = [
        "edit",
        "--partition",
        "278",
        "--through",
        "sed s/gold/silver/",
    ];
    assert_eq!(sandbox.ok(&edit), format!("changed\t{ALICE}\n"));
}

#[test]
fn what_is_no_text_is_refused_as_an_argument_and_fine_as_a_path() {
    let sandbox = Sandbox::started();
    let odd = OsStr::from_bytes(b"caf\xE9");
    let run = |args: &[&OsStr]| {
        let mut command = sandbox.command();
        Finished(command.args(args).output().expect("run"))
    };
    let [get, email, dir] = ["get", "--email", "--dir"].map(OsStr::new);
    for command in ["get", "upsert", "partition"] {
        let finished = run(&[OsStr::new(command), email, odd]);
        assert_eq!(finished.status(), 2, "{command}: {}", finished.stderr());
    }
    fs::rename(sandbox.dir(), sandbox.root().join(odd)).expect("renamed");
    let missing = run(&[get, email, OsStr::new(ALICE), dir, odd]);
    missing.assert_refused(1, &["no profile of alice@example.com"]);
    let from = run(&[get, OsStr::new("--from"), odd, dir, odd]);
    assert_eq!(from.status(), 74, "{}", from.stderr());
}

#[test]
fn control_characters_are_escaped_wherever_a_person_reads() {
    let sandbox = Sandbox::started();
    let address = "a\u{1b}[31m\tb";
    let email = format!("--email={address}");
    let missing = sandbox.run(&["get", &email]);
    missing.assert_refused(1, &["no profile of a\\u{1b}[31m\\u{9}b in "]);
    let shown = sandbox.ok(&["partition", &email]);
    assert!(shown.starts_with("a\\u{1b}[31m\\u{9}b\t"), "{shown}");
    let finished = sandbox.run(&["get", "--email", ALICE, "--dir", "x\u{202e}\n\u{1b}y"]);
    finished.assert_refused(66, &["x\\u{202e}\\u{a}\\u{1b}y"]);
    for finished in [missing, finished] {
        assert!(!finished.stderr().contains(['\u{1b}', '\u{202e}']));
    }
}
