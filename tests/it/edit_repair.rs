//! What is wrong in a partition can be mended with `edit`: all of it, or one thing after the other.

use std::fs;

use crate::corruption::corrupt_files;
use crate::edit::{assert_kept, assert_saved, by_hand, command, file, line, through, with_alice};
use crate::harness::{ALICE, ALICE_PARTITION, Finished, Sandbox};

#[test]
fn every_corrupt_file_is_opened_byte_for_byte_and_can_be_repaired() {
    let sandbox = with_alice();
    let (seen, new) = (sandbox.root().join("seen"), sandbox.root().join("new"));
    fs::write(&new, file(&[&line(ALICE, "New")])).expect("written");
    let repaired = format!("repaired\t{}", sandbox.path(ALICE_PARTITION).display());
    for (bytes, _) in corrupt_files() {
        for way in [
            &(|| through(&sandbox, "cat >seen; cat new")) as &dyn Fn() -> Finished,
            &|| by_hand(&sandbox, "cat \"$1\" >seen; cat new >\"$1\""),
        ] {
            sandbox.write(ALICE_PARTITION, &bytes);
            assert_saved(&sandbox, &way(), &[&repaired]);
            assert_eq!(fs::read(&seen).expect("the text"), bytes);
            assert_eq!(
                sandbox.read(ALICE_PARTITION),
                fs::read(&new).expect("the text")
            );
        }
    }
}

#[test]
fn a_corrupt_file_that_is_left_as_it_was_is_still_corrupt() {
    let sandbox = with_alice();
    for (bytes, place) in corrupt_files() {
        sandbox.write(ALICE_PARTITION, &bytes);
        for finished in [through(&sandbox, "cat"), by_hand(&sandbox, ":")] {
            finished.assert_refused(72, &[ALICE_PARTITION, place, "nothing was changed"]);
        }
        assert_eq!(sandbox.read(ALICE_PARTITION), bytes);
    }
}

#[test]
fn a_text_that_is_still_corrupt_or_corrupt_in_another_way_is_kept() {
    for broken in ["\"a\":{},\"a\":{},\"b\":1", "x"] {
        let sandbox = Sandbox::started();
        let text = format!("{{\"profilesByCanonicalEmail\":{{{broken}}}}}");
        sandbox.write(ALICE_PARTITION, &text);
        let finished = through(&sandbox, "sed s/1/2/; echo");
        assert_kept(
            &sandbox,
            &finished,
            65,
            format!("{}\n", text.replace('1', "2")).as_bytes(),
        );
        assert_eq!(sandbox.read(ALICE_PARTITION), text.as_bytes());
    }
}

#[test]
fn bytes_that_are_not_utf_8_can_be_replaced_where_they_stand() {
    let sandbox = Sandbox::started();
    let sound = file(&[&line(ALICE, "Zoé")]);
    let latin = sound.replace('é', "?").into_bytes();
    let latin: Vec<_> = latin
        .into_iter()
        .map(|b| if b == b'?' { 0xE9 } else { b })
        .collect();
    sandbox.write(ALICE_PARTITION, latin);
    let repaired = format!("repaired\t{}", sandbox.path(ALICE_PARTITION).display());
    let script = "LC_ALL=C sed -i 's/\\xe9/\\xc3\\xa9/' \"$1\"";
    assert_saved(&sandbox, &by_hand(&sandbox, script), &[&repaired]);
    assert_eq!(sandbox.read(ALICE_PARTITION), sound.as_bytes());
}

/// A partition with a problem of each kind that leaves a file usable.
fn troubled() -> Sandbox {
    let sandbox = Sandbox::started();
    let lines = [
        line(ALICE, "Alice").replace("\"Acme\"", "\"\""),
        line("BOB@example.org", "Bob").replace(":\"BOB", ":\"bob"),
        line("Carol@example.net", "").replace(":\"Carol", ":\"carol"),
    ];
    sandbox.write(ALICE_PARTITION, file(&lines.each_ref().map(|l| &**l)));
    sandbox
}

#[test]
fn one_of_several_problems_can_be_mended() {
    for (script, printed) in [
        ("sed s/Bob/Robert/", "changed\tBOB@example.org"),
        (
            "sed 's/\"\",\"customerTier/\"Acme\",\"customerTier/'",
            "changed\talice@example.com",
        ),
        (
            "sed 's/\"fullName\":\"\"/\"fullName\":\"C\"/'",
            "changed\tCarol@example.net",
        ),
        (
            "sed 's/\"BOB/\"bob/'",
            "removed\tBOB@example.org\nadded\tbob@example.org",
        ),
        // The problem with the name stays the same however the key is spelled.
        (
            "sed 's/\"Carol/\"carol/'",
            "removed\tCarol@example.net\nadded\tcarol@example.net",
        ),
    ] {
        let sandbox = troubled();
        let printed: Vec<_> = printed.lines().collect();
        assert_saved(&sandbox, &through(&sandbox, script), &printed);
        assert_eq!(sandbox.run(&["verify"]).status(), 72, "{script}");
    }
}

#[test]
fn a_further_problem_is_refused_and_it_alone_is_shown() {
    for (script, shown) in [
        (
            "sed s/Alice//",
            "\"alice@example.com\": the profile's fullName is empty",
        ),
        (
            "sed 's/\"Bob\"/17/'",
            "\"BOB@example.org\": the profile's fullName is not a string",
        ),
        (
            "sed 's/\"fullName\":\"\",//'",
            "\"Carol@example.net\": the profile's fullName is missing",
        ),
        (
            "sed 's/\"BOB/\"bOB/'",
            "the key \"bOB@example.org\" is not canonical: only \"bob@example.org\" is looked for",
        ),
    ] {
        let sandbox = troubled();
        let before = sandbox.read(ALICE_PARTITION);
        let finished = through(&sandbox, script);
        assert_eq!(finished.status(), 65, "{script}: {}", finished.stderr());
        let error = finished.stderr();
        let lines: Vec<_> = error.lines().collect();
        assert_eq!(lines.len(), 2, "{error}");
        assert!(lines[0].ends_with(&format!(": {shown}")), "{error}");
        assert_eq!(sandbox.read(ALICE_PARTITION), before);
    }
}

#[test]
fn a_kept_text_can_be_mended_and_sent_again() {
    let sandbox = with_alice();
    let finished = through(&sandbox, "sed 's/}}$/}/'");
    assert_eq!(finished.status(), 65, "{}", finished.stderr());
    let kept = crate::edit::kept(&sandbox).remove(0);
    let mended = fs::read_to_string(&kept)
        .expect("the text")
        .replace("gold", "tin")
        + "}";
    fs::write(&kept, mended).expect("written");
    let script = format!("cat '{}'", kept.display());
    let mut command = command(&sandbox, &["--partition", "278", "--through", &script]);
    let finished = Finished(command.output().expect("it runs"));
    assert_eq!(
        finished.stdout(),
        format!("changed\t{ALICE}\n"),
        "{}",
        finished.stderr()
    );
}
