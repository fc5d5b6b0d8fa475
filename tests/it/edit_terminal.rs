//! `edit` on a terminal: the questions, and what comes of the answers. The terminal is `script`'s.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::edit::{editor, file, kept, line, shell_script, with_alice};
use crate::harness::{ALICE, ALICE_PARTITION, Sandbox, has_tools};

/// `edit` of alice's partition on a terminal.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    shown: String,
}

impl Terminal {
    /// Begins to edit in this editor; `None` without `script`.
    fn begin(sandbox: &Sandbox, args: &str, editor: &str) -> Option<Self> {
        if !has_tools(&["script"]) {
            return None;
        }
        let mut terminal = shell_script(sandbox, "exec script -q -e -c \"$LINE\" /dev/null");
        let line = format!("PATH=.:$PATH exec \"$DEX\" edit --email {ALICE} {args}");
        terminal.env("LINE", line).env("SHELL", "/bin/sh");
        terminal.env("EDITOR", editor);
        terminal.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = terminal.spawn().expect("script runs");
        Some(Self {
            keys: child.stdin.take().expect("a pipe"),
            screen: child.stdout.take().expect("a pipe"),
            shown: String::new(),
            child,
        })
    }

    /// Waits until this is shown, after all that was waited for before.
    fn sees(&mut self, text: &str) {
        let mut byte = [0];
        while !self.shown.contains(text) {
            assert_eq!(
                self.screen.read(&mut byte).expect("a screen"),
                1,
                "no {text:?} in {}",
                self.shown
            );
            self.shown.push(char::from(byte[0]));
        }
        let (_, rest) = self.shown.split_once(text).expect("shown");
        self.shown = rest.to_owned();
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// The exit status, and what was shown after all that was waited for.
    fn ends(mut self) -> (i32, String) {
        self.screen
            .read_to_string(&mut self.shown)
            .expect("a screen");
        let status = self.child.wait().expect("it ends");
        (status.code().expect("a status"), self.shown)
    }
}

const ASKED: &str = "edit it again (e), or give up (g)? ";

#[test]
fn an_unsound_text_may_be_edited_again() {
    let sandbox = with_alice();
    // The first time it breaks the text, then it mends it.
    let script = "if grep -q gold \"$1\"; then sed -i 's/\"gold\"/tin/' \"$1\"; else sed -i 's/tin/\"tin\"/' \"$1\"; fi";
    let Some(mut terminal) = Terminal::begin(&sandbox, "", &editor(script)) else {
        return;
    };
    terminal.sees("/partition-278.json:2:");
    terminal.sees(ASKED);
    terminal.types("what?\n");
    terminal.sees(ASKED);
    terminal.types("e\n");
    terminal.sees(&format!("changed\t{ALICE}"));
    assert_eq!(terminal.ends().0, 0);
    assert_eq!(
        sandbox.read(ALICE_PARTITION),
        file(&[&line(ALICE, "Alice")])
            .replace("gold", "tin")
            .as_bytes()
    );
    assert!(kept(&sandbox).is_empty());
}

#[test]
fn who_gives_up_is_told_where_the_text_is() {
    // Also by the end of the input, and by an interrupt, which is obeyed.
    for (keys, status) in [("g\n", 65), ("\u{4}", 65), ("\u{3}", 130)] {
        let sandbox = with_alice();
        let before = sandbox.read(ALICE_PARTITION);
        let Some(mut terminal) = Terminal::begin(&sandbox, "", &editor("echo half >\"$1\"")) else {
            return;
        };
        terminal.sees(ASKED);
        terminal.types(keys);
        let (ended, shown) = terminal.ends();
        assert_eq!(ended, status, "{keys:?}: {shown}");
        let [path] = &kept(&sandbox)[..] else {
            panic!("{shown}")
        };
        assert!(
            shown.contains(&format!("the text is kept as {}", path.display())),
            "{shown}"
        );
        assert_eq!(fs::read(path).expect("the text"), b"half\n");
        assert_eq!(sandbox.read(ALICE_PARTITION), before);
    }
}

#[test]
fn when_another_has_saved_meanwhile_what_is_there_now_may_be_edited() {
    let sandbox = with_alice();
    let script = format!(
        "sed -i s/gold/silver/ \"$1\"; test -e second || \"$DEX\" upsert --email {ALICE} \
         --full-name Other --company-name Acme --customer-tier gold; touch second"
    );
    let Some(mut terminal) = Terminal::begin(&sandbox, "", &editor(&script)) else {
        return;
    };
    terminal.sees("another writer has changed");
    terminal.sees("edit what is there now (e), or give up (g)? ");
    terminal.types("e\n");
    terminal.sees("the text is kept as ");
    terminal.sees(&format!("changed\t{ALICE}"));
    assert_eq!(terminal.ends().0, 0);
    let theirs_and_mine = file(&[&line(ALICE, "Other")]).replace("gold", "silver");
    assert_eq!(sandbox.read(ALICE_PARTITION), theirs_and_mine.as_bytes());
    let [path] = &kept(&sandbox)[..] else {
        panic!("one text was kept")
    };
    let mine = file(&[&line(ALICE, "Alice")]).replace("gold", "silver");
    assert_eq!(fs::read_to_string(path).expect("the text"), mine);
}

#[test]
fn a_command_is_never_asked_about() {
    let sandbox = with_alice();
    let Some(terminal) = Terminal::begin(&sandbox, "--through 'echo half'", "false") else {
        return;
    };
    let (status, shown) = terminal.ends();
    assert_eq!(status, 65, "{shown}");
    assert!(!shown.contains('?'), "{shown}");
}

#[test]
fn an_interrupt_at_the_keyboard_goes_to_the_editor() {
    let sandbox = with_alice();
    let script = "trap 'caught=1' INT; echo ready; until [ \"$caught\" ]; do sleep 0.1; done; sed -i s/gold/tin/ \"$1\"";
    let Some(mut terminal) = Terminal::begin(&sandbox, "", &editor(script)) else {
        return;
    };
    terminal.sees("ready");
    terminal.types("\u{3}");
    terminal.sees(&format!("changed\t{ALICE}"));
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn who_has_named_no_editor_gets_vi() {
    let sandbox = with_alice();
    // The terminal looks for it here first, so the real one needn't be there.
    let vi = sandbox.root().join("vi");
    fs::write(&vi, "#!/bin/sh\nsed -i s/gold/tin/ \"$1\"\n").expect("written");
    fs::set_permissions(&vi, PermissionsExt::from_mode(0o755)).expect("a mode");
    let Some(mut terminal) = Terminal::begin(&sandbox, "", "") else {
        return;
    };
    terminal.sees(&format!("changed\t{ALICE}"));
    assert_eq!(terminal.ends().0, 0);
}
