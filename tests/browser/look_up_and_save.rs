//! What the page is for.

use fantoccini::key::Key;

use crate::browser::{Look, in_browser};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, profile_json, vectors};
use crate::server::Server;

#[test]
fn a_profile_is_looked_up_changed_and_saved() {
    let sandbox = Sandbox::started();
    let noted = profile_json(ALICE, "Alice").replace('}', r#","note":[1.10]}"#);
    let file = format!("{{\"profilesByCanonicalEmail\":{{\"{ALICE}\":{noted}}}}}");
    sandbox.write(ALICE_PARTITION, file);
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        browser.fill("address", " Alice@Example.COM").await;
        assert_eq!(
            browser.text("place").await,
            "alice@example.com is in partition-278"
        );
        browser.type_key(Key::Enter).await;
        browser.wait_for("status", "Found.").await;
        assert_eq!(browser.text("profile-title").await, ALICE);
        assert_eq!(browser.value("fullName").await, "Alice");
        assert!(browser.text("others").await.contains("note"));
        let marked = "return document.querySelector('[aria-selected=true]').ariaLabel";
        let marked = browser.run(marked, vec![]).await;
        assert!(
            marked
                .as_str()
                .expect("a label")
                .starts_with("partition-278: ")
        );
        browser.screenshot("found").await;
        browser.fill("fullName", "Alice <b>Smith</b>").await;
        browser.press_button("Save").await;
        browser.wait_for("status", "Saved.").await;
        browser.screenshot("saved").await;
        let expected = noted.replace("\"Alice\"", "\"Alice <b>Smith</b>\"");
        assert_eq!(sandbox.ok(&["get", "--email", ALICE]), expected + "\n");
    });
}

#[test]
fn who_is_not_there_can_be_made_and_what_is_no_address_is_told() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        browser.look_up("josé@example.com", "only ASCII").await;
        assert!(!browser.is_shown("profile").await);
        browser.screenshot("bad-address").await;
        browser
            .look_up("a+b c@example.com", "There is no such profile")
            .await;
        browser.screenshot("not-found").await;
        browser.fill("fullName", "New").await;
        browser.fill("companyName", "Acme").await;
        browser.fill("customerTier", "gold").await;
        browser.type_key(Key::Enter).await;
        browser.wait_for("status", "Saved.").await;
        browser.wait_for("summary", "in 1 of 1000").await;
        let saved = sandbox.ok(&["get", "--email", "a+b c@example.com"]);
        assert_eq!(saved, profile_json("a+b c@example.com", "New") + "\n");
    });
}

#[test]
fn the_page_knows_the_known_answers() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        let script = "const c = canonical(arguments[0]); \
            return c.email ? [c.email, nameOf(partitionOf(c.email))] : []";
        for entry in vectors()["valid"].as_array().expect("an array") {
            let found = browser.run(script, vec![entry["input"].clone()]).await;
            let expected = [&entry["canonicalEmail"], &entry["partition"]];
            assert_eq!(
                found.as_array().expect("two").iter().collect::<Vec<_>>(),
                expected
            );
        }
    });
}

#[test]
fn everything_can_be_done_by_keyboard() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        browser.wait_for("summary", "bytes in").await;
        browser.type_key(Key::Tab).await;
        assert_eq!(browser.focus().await, "address");
        browser.type_keys(ALICE).await;
        browser.type_key(Key::Enter).await;
        browser.wait_for("status", "Found.").await;
        assert_eq!(browser.focus().await, "profile-title");
        for field in ["fullName", "companyName", "customerTier"] {
            browser.type_key(Key::Tab).await;
            assert_eq!(browser.focus().await, field);
        }
        browser.type_keys("silver").await;
        browser.type_key(Key::Tab).await;
        browser.type_key(Key::Enter).await;
        browser.wait_for("status", "Saved.").await;
        let saved = sandbox.ok(&["get", "--email", ALICE, "--field", "customer-tier"]);
        assert_eq!(saved, "silver\n");
        // The next stop is the partition that was looked up; from there the arrows go on.
        browser.type_key(Key::Tab).await;
        browser.wait_for("cell", "partition-278: ").await;
        browser.type_key(Key::Right).await;
        browser
            .wait_for("cell", "partition-279: not written yet")
            .await;
        browser.type_key(Key::Up).await;
        browser.wait_for("cell", "partition-239: ").await;
        browser.type_key(Key::Home).await;
        browser.wait_for("cell", "partition-200: ").await;
        browser.screenshot("keyboard").await;
    });
}
