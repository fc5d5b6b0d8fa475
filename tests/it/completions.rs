//! What real shells complete, with the scripts in `completions/`.

use std::fs;

use crate::harness::{Finished, Sandbox, has_tools, project, shell};

/// What is typed, and what must be offered for its last word.
const TYPED: [(&str, &[&str]); 10] = [
    ("dex-dir ver", &["verify"]),
    ("dex-dir st", &["start", "stats"]),
    ("dex-dir get --fi", &["--field"]),
    ("dex-dir get --field f", &["full-name"]),
    ("dex-dir upsert --format js", &["json", "jsonl"]),
    ("dex-dir --dir cust", &["customers"]),
    ("dex-dir upsert --from some", &["some-file"]),
    ("dex-dir get --from some", &["some-file"]),
    ("dex-dir upsert --rejects some", &["some-file"]),
    ("dex-dir edit --pa", &["--partition"]),
];

/// A folder with something to complete, and the words that a shell offers there. `script` prints
/// them, a line each, for `$LINE`; it finds the completion scripts in `$SCRIPTS`.
fn offered(program: &str, script: &str, typed: &str) -> Vec<String> {
    let sandbox = Sandbox::started();
    fs::write(sandbox.root().join("some-file"), "").expect("written");
    let file = sandbox.root().join("script");
    fs::write(&file, script).expect("written");
    let mut command = shell(sandbox.root());
    command.args(["-c", "exec \"$PROGRAM\" script"]);
    command.env("PROGRAM", program).env("LINE", typed);
    command.env("HOME", sandbox.root());
    command.env("SCRIPTS", project().join("completions"));
    let printed = Finished(command.output().expect("run"));
    let printed = printed.stdout();
    let words = printed
        .split_whitespace()
        .map(|word| word.trim_end_matches('/'));
    words.map(str::to_owned).collect()
}

fn assert_completes(program: &str, script: &str) {
    if !has_tools(&[program, "script"]) {
        return;
    }
    for (typed, expected) in TYPED {
        let offered = offered(program, script, typed);
        for word in expected {
            assert!(
                offered.iter().any(|offer| offer == word),
                "{program}: no {word} for `{typed}`, only {offered:?}"
            );
        }
    }
}

#[test]
fn bash_completes_commands_flags_values_files_and_directories() {
    assert_completes(
        "bash",
        r#"
        {
            echo ". '$SCRIPTS/dex-dir.bash'; PS1="
            echo "bind 'set show-all-if-ambiguous on'; bind 'set bell-style none'; echo r''eady"
            sleep 0.3
            printf '%s\t' "$LINE"
            sleep 0.5
            printf '\025exit\n'
        } | script -qec 'bash --norc -i' /dev/null | sed '1,/ready/d;s/\x1b\[[0-9;?]*[a-zA-Z]//g' | tr -d '\r'
        "#,
    );
}

#[test]
fn fish_completes_commands_flags_values_files_and_directories() {
    assert_completes(
        "fish",
        r"
        source $SCRIPTS/dex-dir.fish
        complete -C $LINE
        ",
    );
}

#[test]
fn zsh_completes_commands_flags_values_files_and_directories() {
    assert_completes(
        "zsh",
        r#"
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1=; stty cols 1000; fpath=($SCRIPTS \$fpath)"
        zpty -w shell 'autoload -U compinit && compinit -u -D; zstyle ":completion:*" list-packed no'
        zpty -w shell 'LISTMAX=0; setopt no_beep; bindkey "^I" list-choices; print -r "r""eady"'
        zpty -r -m shell text '*ready*'
        zpty -w -n shell "$LINE"$'\t'
        sleep 0.5
        zpty -w shell $'\x15print -r "d""one"'
        zpty -r -m shell text '*done*'
        print -r -- "$text" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | tr -d '\r'
        "#,
    );
}
