//! An edit that meets others at work, or something odd in the place of its text.

use std::thread;

use crate::harness::{Sandbox, colliding_addresses, has_tools};

#[test]
fn a_command_that_waits_is_run_again_on_what_others_saved_meanwhile() {
    if !has_tools(&["jq"]) {
        return;
    }
    let addresses = colliding_addresses(8);
    let sandbox = Sandbox::started();
    for address in &addresses {
        sandbox.upsert(address, "A", &[]);
    }
    let remove = "jq 'del(.profilesByCanonicalEmail[env.DEX_DIR_EMAIL])'";
    thread::scope(|scope| {
        for address in &addresses {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let args = [
                    "edit",
                    "--email",
                    address,
                    "--wait",
                    "60s",
                    "--through",
                    remove,
                ];
                assert_eq!(sandbox.ok(&args), format!("removed\t{address}\n"));
            });
        }
    });
    let empty = "{\"profilesByCanonicalEmail\":{\n}}\n";
    assert_eq!(sandbox.read("partition-963.json"), empty.as_bytes());
}

#[test]
fn an_editor_that_leaves_no_file_is_told_and_not_waited_for() {
    let sandbox = Sandbox::started();
    for leaves in ["mkfifo", "mkdir"] {
        let mut command = sandbox.command();
        let editor = format!("sh -c 'rm \"$0\"; {leaves} \"$0\"'");
        command
            .env("EDITOR", editor)
            .args(["edit", "--partition", "1"]);
        let output = command.output().expect("run");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(74), "{leaves}: {told}");
        assert!(
            told.contains("could not read") && told.lines().count() == 1,
            "{told}"
        );
    }
}
