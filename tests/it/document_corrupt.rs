//! Files that are not sound: each is refused with a place in it, whatever happened to it, and
//! nothing ever panics.

use dex_dir::document::{Corrupt, Document};
use dex_dir::json::Position;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::document_model::generate::sheets;
use crate::document_model::layout::layouts;

/// Sound, each with something that a cut or a bad byte can meet: escapes, letters of several
/// bytes, numbers, nesting, a byte order mark, other members, lines and none.
const SOUND: [&str; 4] = [
    "{\"profilesByCanonicalEmail\":{\n}}\n",
    "{\"profilesByCanonicalEmail\":{\n\"a@b\":{\"fullName\":\"Zoë \\u00eb \\\"\\/\\ud83d\\ude00😀\",\"n\":-1.5e3},\n\"b@c\":{}\n},\n\"v\":[true,null,{}]\n}\n",
    "\u{feff}{\r\n\t\"é\" : 10,\r\n\t\"profilesByCanonicalEmail\" : {\r\n\t\t\"a\" : { \"b\" : [ 1 ] }\r\n\t}\r\n}",
    "{\"profilesByCanonicalEmail\":{\"a\":{\"deep\":[[[[[[[[{\"x\":false}]]]]]]]]}}}",
];

fn refused(bytes: &[u8]) -> Corrupt {
    match Document::parse(bytes) {
        Err(corrupt) => corrupt,
        Ok(_) => panic!("{:?} was accepted", String::from_utf8_lossy(bytes)),
    }
}

/// Fails unless the file is refused at the byte at `offset` or close by: at the start of its
/// character, say, or at the end of its escape.
fn assert_refused_near(bytes: &[u8], offset: usize) {
    let found = refused(bytes).position;
    let near = offset.saturating_sub(4)..=offset + 4;
    assert!(
        near.clone()
            .any(|at| Position::at(without_mark(bytes), at) == found),
        "{found} isn't near {near:?} of {:?}",
        String::from_utf8_lossy(bytes)
    );
}

/// The byte order mark is no character of the first line.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Calls `claim` with every place in every sound file, and that place without the mark.
fn at_every_byte(claim: impl Fn(&[u8], usize, usize)) {
    for text in SOUND {
        let bytes = text.as_bytes();
        assert!(Document::parse(bytes).is_ok(), "{text}");
        let mark = bytes.len() - without_mark(bytes).len();
        for at in mark..text.trim_end().len() {
            claim(bytes, at, at - mark);
        }
    }
}

#[test]
fn a_file_cut_short_anywhere_is_refused_at_its_end() {
    at_every_byte(|bytes, at, shown| assert_refused_near(&bytes[..at], shown));
}

#[test]
fn a_file_whose_end_became_nuls_is_refused_where_they_begin() {
    at_every_byte(|bytes, at, shown| {
        let mut bytes = bytes.to_vec();
        bytes[at..].fill(0);
        assert_refused_near(&bytes, shown);
    });
}

#[test]
fn a_single_nul_is_refused_where_it_is() {
    at_every_byte(|bytes, at, shown| {
        let mut bytes = bytes.to_vec();
        bytes[at] = 0;
        assert_refused_near(&bytes, shown);
    });
}

#[test]
fn a_byte_that_is_not_utf_8_is_refused_where_it_is() {
    at_every_byte(|bytes, at, shown| {
        let mut bytes = bytes.to_vec();
        bytes[at] = 0xFF;
        assert_refused_near(&bytes, shown);
        assert_eq!(refused(&bytes).reason, "the file is not UTF-8");
    });
}

#[test]
fn whatever_follows_the_object_is_refused_there() {
    for text in SOUND {
        for garbage in ["x", "{}", ",", "\0", "}", "\u{a0}", "\u{feff}"] {
            let whole = format!("{text}{garbage}");
            let offset = without_mark(text.as_bytes()).len();
            assert_refused_near(whole.as_bytes(), offset);
        }
    }
}

#[test]
fn a_file_of_another_shape_is_refused_by_its_first_wrong_value() {
    for (text, error) in [
        ("", "line 1, column 1: the file is empty"),
        ("\u{feff}", "line 1, column 1: the file is empty"),
        ("null", "line 1, column 1: expected an object"),
        (" \n []", "line 2, column 2: expected an object"),
        ("\"{}\"", "line 1, column 1: expected an object"),
        (
            "{}",
            "line 1, column 1: `profilesByCanonicalEmail` is missing",
        ),
        (
            "\n{\"profiles\":{}}",
            "line 2, column 1: `profilesByCanonicalEmail` is missing",
        ),
        (
            r#"{"profilesByCanonicalEmail":[]}"#,
            "line 1, column 29: expected an object",
        ),
        (
            r#"{"profilesByCanonicalEmail": null}"#,
            "line 1, column 30: expected an object",
        ),
        (
            "{\"profilesByCanonicalEmail\":{\n\"é\":{},\n\"ü\":\"{}\"}}",
            "line 3, column 5: expected an object",
        ),
    ] {
        assert_eq!(refused(text.as_bytes()).to_string(), error, "{text}");
    }
}

/// The three objects whose names must differ, with `members` in each.
fn in_each_object(members: &str) -> [String; 3] {
    [
        format!("{{\"profilesByCanonicalEmail\":{{}},\n{members}}}"),
        format!("{{\"profilesByCanonicalEmail\":{{\n{members}}}}}"),
        format!("{{\"profilesByCanonicalEmail\":{{\"a\":{{\n{members}}}}}}}"),
    ]
}

#[test]
fn a_name_given_twice_is_refused_at_the_second_in_each_object() {
    for members in [
        r#""né":{},"né":{}"#,
        r#""né":{},"n\u00e9":{}"#,
        r#""\u006ee":{},"ne":{}"#,
    ] {
        for text in in_each_object(members) {
            let corrupt = refused(text.as_bytes());
            assert_eq!(corrupt.reason, "a member is given twice", "{text}");
            let column = members
                .find("},")
                .map(|end| members[..end + 2].chars().count() + 1);
            assert_eq!(Some(corrupt.position.column), column, "{text}");
            assert_eq!(corrupt.position.line, 2, "{text}");
        }
    }
    let twice = r#"{"profilesByCanonicalEmail":{},"\u0070rofilesByCanonicalEmail":{}}"#;
    assert_eq!(
        refused(twice.as_bytes()).to_string(),
        "line 1, column 32: a member is given twice"
    );
}

#[test]
fn a_name_that_names_nothing_is_refused_in_each_object() {
    for half in [r"\ud800", r"\udc00", r"x\uD83Dx", r"\ud83d\u0041"] {
        for text in in_each_object(&format!("\"{half}\":{{}}")) {
            assert_eq!(
                refused(text.as_bytes()).to_string(),
                "line 2, column 1: a member's name holds a lone surrogate"
            );
        }
    }
}

#[test]
fn what_this_program_does_not_know_is_checked_for_syntax_alone() {
    for value in [r#"{"a":1,"a":2}"#, r#"{"\ud800":"\udc00"}"#, "[1e400]"] {
        for text in in_each_object(&format!("\"n\":{{\"x\":{value}}}")) {
            assert!(Document::parse(text.as_bytes()).is_ok(), "{text}");
        }
    }
    for value in [
        "01", "1.", "+1", ".5", "NaN", "'a'", "[1,]", "{a:1}", "\"\\x\"", "\"\t\"", "tru",
    ] {
        for text in in_each_object(&format!("\"n\":{{\"x\":{value}}}")) {
            let corrupt = refused(text.as_bytes());
            assert!(corrupt.reason.starts_with("invalid JSON: "), "{corrupt}");
            assert_eq!(corrupt.position.line, 2, "{text}");
        }
    }
}

#[test]
fn an_error_repeats_nothing_of_the_file() {
    let secret = "mallory@example.com";
    for text in [
        secret.to_owned(),
        format!("{{\"{secret}\":1}}"),
        format!("{{\"profilesByCanonicalEmail\":{{\"{secret}\":\"{secret}\"}}}}"),
        format!("{{\"profilesByCanonicalEmail\":{{\"{secret}\":{{}},\"{secret}\":{{}}}}}}"),
        format!("{{\"profilesByCanonicalEmail\":{{\"{secret}\\ud800\":{{}}}}}}"),
        format!(
            "{{\"profilesByCanonicalEmail\":{{\"{secret}\":{{\"{secret}\":1,\"{secret}\":2}}}}}}"
        ),
    ] {
        let error = refused(text.as_bytes()).to_string();
        assert!(!error.contains("mallory"), "{error}");
    }
}

/// A slip of the hand: some bytes at a place give way to others.
#[derive(Clone, Debug)]
pub struct Slip {
    place: Index,
    removed: usize,
    put: Vec<u8>,
}

pub fn slips() -> impl Strategy<Value = Slip> {
    let telling = prop::sample::select(&b"\"\\{}[]:,u0d8 \n\x00\xFF\xED\xEF"[..]);
    let put = vec(prop_oneof![4 => telling, 1 => any::<u8>()], 0..4);
    (any::<Index>(), 0..6_usize, put).prop_map(|(place, removed, put)| Slip {
        place,
        removed,
        put,
    })
}

pub fn slip(bytes: &mut Vec<u8>, slips: Vec<Slip>) {
    for Slip {
        place,
        removed,
        put,
    } in slips
    {
        let at = place.index(bytes.len() + 1);
        let end = bytes.len().min(at + removed);
        bytes.splice(at..end, put);
    }
}

proptest! {
    #[test]
    fn a_damaged_file_is_refused_in_its_bounds_or_read_as_something_sound(
        sheet in sheets(),
        layout in layouts(),
        slips in vec(slips(), 1..4),
    ) {
        let mut bytes = layout.write(&sheet.tokens());
        slip(&mut bytes, slips);
        match Document::parse(&bytes) {
            Ok(document) => {
                // Whatever it says now, it is JSON for others too, and saving it loses nothing.
                let ignored = serde_json::from_slice::<serde::de::IgnoredAny>(without_mark(&bytes));
                prop_assert!(ignored.is_ok());
                let written = document.to_bytes();
                let again = Document::parse(&written).map(|again| again.to_bytes());
                prop_assert_eq!(again, Ok(written));
            }
            Err(Corrupt { position, .. }) => {
                let text = String::from_utf8_lossy(&bytes);
                prop_assert!((1..=text.split('\n').count()).contains(&position.line));
                let line = text.split('\n').nth(position.line - 1).unwrap_or_default();
                prop_assert!((1..=line.chars().count() + 1).contains(&position.column));
            }
        }
    }
}
