//! A server that asks for a token.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use fantoccini::key::Key;

use crate::browser::{Look, in_browser};
use crate::harness::{ALICE, Sandbox};
use crate::server::Server;

#[test]
fn the_page_asks_once_for_a_token_and_keeps_it_for_the_tab() {
    let sandbox = Sandbox::started();
    sandbox.upsert(ALICE, "Alice", &[]);
    let file = sandbox.root().join("tokens");
    fs::write(&file, "s3cret\n").expect("written");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("a mode");
    let file = file.to_str().expect("UTF-8");
    let server = Server::start_with(&sandbox, &["--token-file", file]);
    in_browser(Look::default(), async |browser| {
        browser.open(server.address).await;
        browser
            .wait_for("sign-in-title", "This server asks for a token")
            .await;
        assert!(browser.is_shown("token").await);
        browser.screenshot("token").await;
        browser.fill("token", "wrong").await;
        browser.type_key(Key::Enter).await;
        browser
            .wait_for("sign-in-title", "That token isn't valid")
            .await;
        browser.fill("token", "s3cret").await;
        browser.type_key(Key::Enter).await;
        browser.wait_for("summary", "bytes in 1 of 1000").await;
        browser.look_up(ALICE, "Found.").await;
        // Not asked again in this tab.
        browser.open(server.address).await;
        browser.wait_for("summary", "bytes in 1 of 1000").await;
        assert!(!browser.is_shown("sign-in").await);
    });
    let log = server.stop().join("\n");
    assert!(!log.contains("s3cret"), "{log}");
}
