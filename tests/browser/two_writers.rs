//! Somebody else is at work on the same profile.

use std::fs::File;

use crate::browser::{Look, in_browser};
use crate::harness::{ALICE, ALICE_LOCK, Sandbox};
use crate::server::Server;

fn name(sandbox: &Sandbox) -> String {
    sandbox.ok(&["get", "--email", ALICE, "--field", "full-name"])
}

#[test]
fn a_held_lock_is_tried_again_with_a_word_until_it_is_free() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        browser.look_up(ALICE, "Found.").await;
        let lock = File::create(sandbox.path(ALICE_LOCK)).expect("a lock file");
        lock.lock().expect("locked");
        browser.fill("fullName", "Patient").await;
        browser.press_button("Save").await;
        browser
            .wait_for("status", "Another writer holds partition-278: trying again")
            .await;
        browser.screenshot("lock-conflict").await;
        lock.unlock().expect("unlocked");
        browser.wait_for("status", "Saved.").await;
        assert_eq!(name(&sandbox), "Patient\n");
    });
}

#[test]
fn what_somebody_else_changed_stands_beside_ones_own() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let server = Server::start(&sandbox);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        for (button, said, stays) in [
            (
                "Keep the stored one",
                "The stored version stays.",
                "Theirs\n",
            ),
            ("Save yours over it", "Saved.", "Mine\n"),
        ] {
            browser.look_up(ALICE, "Found.").await;
            sandbox.upsert(ALICE, "Theirs", &["--wait", "5s"]);
            browser.fill("fullName", "Mine").await;
            browser.press_button("Save").await;
            browser.wait_for("status", "Nothing was saved.").await;
            assert_eq!(name(&sandbox), "Theirs\n");
            assert!(browser.text("theirs").await.contains("Theirs"));
            assert!(browser.text("mine").await.contains("Mine"));
            assert_eq!(browser.focus().await, "conflict-title");
            browser.screenshot("edit-conflict").await;
            browser.press_button(button).await;
            browser.wait_for("status", said).await;
            assert_eq!(name(&sandbox), stays);
            assert!(!browser.is_shown("conflict").await);
            sandbox.upsert(ALICE, "Alice", &["--wait", "5s"]);
        }
    });
}
