//! `edit` in an editor: which one, on what copy, and what becomes of the text when something fails.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};

use crate::edit::{
    assert_kept, assert_saved, by_hand, command, editor, file, kept, line, shell_script, with_alice,
};
use crate::harness::{ALICE, ALICE_LOCK, ALICE_PARTITION, Finished, Sandbox, has_tools};

const CHANGED: &str = "changed\talice@example.com";

#[test]
fn the_visual_editor_wins_over_the_plain_one_and_an_empty_name_is_none() {
    for (visual, plain) in [
        ("sed -i s/gold/silver/", "false"),
        ("", "sed -i s/gold/silver/"),
    ] {
        let sandbox = with_alice();
        let mut command = command(&sandbox, &["--email", ALICE]);
        command.env("VISUAL", visual).env("EDITOR", plain);
        let finished = Finished(command.output().expect("it runs"));
        assert_saved(&sandbox, &finished, &[CHANGED]);
    }
}

#[test]
fn the_copy_is_private_and_called_as_the_partition_and_no_lock_is_held_meanwhile() {
    let sandbox = with_alice();
    let script = format!(
        "stat -c %a \"$1\" \"$(dirname \"$1\")\" >seen; basename \"$1\" >>seen;
         umask >>seen; flock -n '{}' echo free >>seen; sed -i s/gold/silver/ \"$1\"",
        sandbox.path(ALICE_LOCK).display()
    );
    if !has_tools(&["flock", "stat"]) {
        return;
    }
    let line = format!("umask 0; \"$DEX\" edit --email {ALICE}");
    let mut command = shell_script(&sandbox, &line);
    command.env("EDITOR", editor(&script));
    let finished = Finished(command.output().expect("it runs"));
    assert_saved(&sandbox, &finished, &[CHANGED]);
    let seen = fs::read_to_string(sandbox.root().join("seen")).expect("seen");
    assert_eq!(seen, format!("600\n700\n{ALICE_PARTITION}\n0000\nfree\n"));
}

#[test]
fn what_an_editor_prints_is_no_result() {
    let sandbox = with_alice();
    let finished = by_hand(&sandbox, "echo hello; sed -i s/gold/silver/ \"$1\"");
    assert_saved(&sandbox, &finished, &[CHANGED]);
    assert_eq!(finished.stderr(), "hello\n");
}

#[test]
fn an_editor_may_replace_the_file_and_leave_others_beside_it() {
    let sandbox = with_alice();
    let script = "sed s/gold/silver/ \"$1\" >\"$1.new\"; cp \"$1\" \"$1~\"; mv \"$1.new\" \"$1\"";
    assert_saved(&sandbox, &by_hand(&sandbox, script), &[CHANGED]);
}

#[test]
fn an_editor_that_fails_changes_nothing_and_what_it_wrote_is_kept() {
    let sandbox = with_alice();
    let before = sandbox.read(ALICE_PARTITION);
    for script in ["exit 3", "kill -KILL $$", "rm \"$1\"", "rm \"$1\"; exit 3"] {
        let finished = by_hand(&sandbox, script);
        assert_eq!(finished.status(), 74, "{script}: {}", finished.stderr());
        assert!(kept(&sandbox).is_empty(), "{script}: {}", finished.stderr());
    }
    let mut command = command(&sandbox, &["--email", ALICE]);
    let finished = Finished(
        command
            .env("EDITOR", "nonesuch-editor")
            .output()
            .expect("it runs"),
    );
    assert_eq!(finished.status(), 74);
    assert!(
        finished
            .stderr()
            .contains("the editor `nonesuch-editor` failed"),
        "{}",
        finished.stderr()
    );
    let finished = by_hand(&sandbox, "echo half >\"$1\"; exit 3");
    assert_kept(&sandbox, &finished, 74, b"half\n");
    assert_eq!(sandbox.read(ALICE_PARTITION), before);
}

#[test]
fn the_recovery_file_of_an_editor_that_was_killed_is_kept() {
    for script in [
        "echo typed >\"$1.swp\"; kill -TERM $$",
        "mv \"$1\" \"$1.swp\"; echo typed >>\"$1.swp\"; exit 1",
    ] {
        let sandbox = with_alice();
        let finished = by_hand(&sandbox, script);
        finished.assert_refused(74, &["the text is kept as"]);
        let kept = kept(&sandbox);
        let swap = kept
            .iter()
            .find(|path| path.extension() == Some("swp".as_ref()));
        let typed = fs::read_to_string(swap.expect("kept")).expect("the text");
        assert!(typed.ends_with("typed\n"), "{typed}");
    }
}

#[test]
fn a_text_that_can_not_be_read_back_is_kept() {
    if rustix::process::geteuid().is_root() {
        return by_a_user_who_may_not_read_it();
    }
    let sandbox = with_alice();
    let finished = by_hand(&sandbox, "chmod 000 \"$1\"");
    assert_eq!(finished.status(), 74);
    assert_eq!(kept(&sandbox).len(), 1, "{}", finished.stderr());
}

/// Root may read anything but a directory.
fn by_a_user_who_may_not_read_it() {
    let sandbox = with_alice();
    let finished = by_hand(&sandbox, "rm \"$1\"; mkdir \"$1\"; echo mine >\"$1/text\"");
    finished.assert_refused(74, &["the text is kept as", "could not read"]);
    let [text] = &kept(&sandbox)[..] else {
        panic!("{}", finished.stderr())
    };
    assert_eq!(fs::read(text).expect("the text"), b"mine\n");
}

#[test]
fn without_a_place_for_a_copy_nothing_is_begun() {
    let sandbox = with_alice();
    let mut command = command(&sandbox, &["--email", ALICE]);
    command
        .env("TMPDIR", sandbox.root().join("none"))
        .env("EDITOR", "touch ran");
    let finished = Finished(command.output().expect("it runs"));
    finished.assert_refused(74, &["private copy", "TMPDIR", "none"]);
    assert!(!sandbox.root().join("ran").exists());
}

/// Runs an editor that signals, in a process group of its own.
fn signalled(sandbox: &Sandbox, script: &str) -> Finished {
    let mut command = command(sandbox, &["--email", ALICE]);
    command.env("EDITOR", editor(script)).process_group(0);
    Finished(command.output().expect("it runs"))
}

#[test]
fn an_interrupt_from_the_keyboard_is_the_editors_alone() {
    for signal in ["INT", "QUIT"] {
        let sandbox = with_alice();
        let script = format!("trap '' {signal}; kill -{signal} 0; sed -i s/gold/silver/ \"$1\"");
        assert_saved(&sandbox, &signalled(&sandbox, &script), &[CHANGED]);
        // An editor that is ended by it has saved nothing, or half of it.
        let sandbox = with_alice();
        let finished = signalled(&sandbox, &format!("kill -{signal} 0; sleep 5"));
        finished.assert_refused(74, &["the editor", "failed (signal"]);
        assert!(kept(&sandbox).is_empty());
        let finished = signalled(
            &sandbox,
            &format!("echo half >\"$1\"; kill -{signal} 0; sleep 5"),
        );
        assert_kept(&sandbox, &finished, 74, b"half\n");
    }
}

#[test]
fn a_signal_to_end_keeps_the_text_names_it_and_is_obeyed() {
    for (signal, number) in [("TERM", 15), ("HUP", 1)] {
        let sandbox = with_alice();
        let before = sandbox.read(ALICE_PARTITION);
        let finished = signalled(
            &sandbox,
            &format!("kill -{signal} $PPID; sed -i s/gold/silver/ \"$1\""),
        );
        assert_eq!(
            finished.0.status.signal(),
            Some(number),
            "{}",
            finished.stderr()
        );
        let [path] = &kept(&sandbox)[..] else {
            panic!("{}", finished.stderr())
        };
        assert!(
            finished.stderr().contains(path.to_str().expect("UTF-8")),
            "{}",
            finished.stderr()
        );
        let text = fs::read_to_string(path).expect("the text");
        assert_eq!(
            text,
            file(&[&line(ALICE, "Alice")]).replace("gold", "silver")
        );
        assert_eq!(sandbox.read(ALICE_PARTITION), before);
        // Nothing to keep: nothing is kept.
        let sandbox = with_alice();
        let finished = signalled(&sandbox, &format!("kill -{signal} $PPID"));
        assert_eq!(finished.0.status.signal(), Some(number));
        assert!(kept(&sandbox).is_empty());
    }
}

#[test]
fn the_mode_of_the_partition_is_kept() {
    let sandbox = with_alice();
    let path = sandbox.path(ALICE_PARTITION);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("a mode");
    assert_saved(
        &sandbox,
        &by_hand(&sandbox, "sed -i s/gold/silver/ \"$1\""),
        &[CHANGED],
    );
    let mode = fs::metadata(path).expect("the file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o640);
}
