//! A check finds the same whether a file is plain, which is seen at once, or looked at part by part.

use dex_dir::document::{Checked, Document, RemarkKind};
use dex_dir::partition::Partition;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::document_corrupt::{slip, slips, without_mark};
use crate::document_model::generate::sheets;
use crate::document_model::layout::layouts;

/// All of partition 278, among other keys in order.
const OWN: [&str; 6] = [
    "2043",
    "alice@example.com",
    "c 1591@x",
    "c!160@x",
    "c233@x",
    "c~514@x",
];

/// Not canonical, elsewhere at home, or no address at all.
const OTHER_KEYS: [&str; 8] = [
    "",
    " ",
    "Alice@Example.com",
    "C233@x",
    " c233@x",
    "c233@x ",
    "josé@x",
    "bob@example.com",
];

const TEXTS: [&str; 5] = [
    "gold",
    "Zoë 😀",
    " ",
    r#"\"\\\/\b\f\n\r\t"#,
    r"\u00e9\ud83d\ude00",
];

/// Between the quotes of a string: empty, not decodable, or not even JSON.
const BAD_TEXTS: [&str; 7] = ["", r"\ud800", r"\x", r"\", "\t", "\u{1}", "a\"b"];

/// Each of these once in a profile in place of what stands before it.
const SLIPS_OF_FORM: [(&str, &str); 9] = [
    (",\"fullName\"", ", \"fullName\""),
    ("\"companyName\"", "\"fullName\""),
    ("\"companyName\"", "\"companyname\""),
    ("\"emailAddress\"", "\"\\u0065mailAddress\""),
    ("\"}", "\",\"vip\":true}"),
    ("\"}", "\",\"fullName\":\"x\"}"),
    ("\"}", "\"} "),
    ("\"}", "}"),
    ("{", "["),
];

/// The same in a whole file.
const SLIPS_OF_FRAME: [(&str, &str); 9] = [
    ("{\"profiles", "\u{feff}{\"profiles"),
    ("{\"profiles", " {\"profiles"),
    ("{\n", "{"),
    ("\n}}\n", "\n}}"),
    ("\n}}\n", "\n}}\n\n"),
    ("\n}}\n", ",\n}}\n"),
    ("\n}}\n", "\n},\n\"x\":1\n}\n"),
    (",\n", "\n"),
    (",\n", ",\r\n"),
];

/// Mostly one of `usual`, now and then one of `unusual`.
fn mostly<T: Clone + std::fmt::Debug + 'static>(
    usual: impl Strategy<Value = T>,
    unusual: impl Strategy<Value = T>,
) -> impl Strategy<Value = T> {
    prop_oneof![30 => usual, 1 => unusual]
}

/// `text`, now and then with one of `slips`.
fn slipped(text: String, slips: &'static [(&str, &str)]) -> impl Strategy<Value = String> {
    let with_slip = |(text, (from, to)): (String, (&str, &str))| text.replacen(from, to, 1);
    mostly(
        Just(text.clone()),
        (Just(text), select(slips)).prop_map(with_slip),
    )
}

/// A key and the line that it is in.
fn lines() -> impl Strategy<Value = (&'static str, String)> {
    let key = mostly(select(&OWN[..]), select(&OTHER_KEYS[..]));
    let text = || mostly(select(&TEXTS[..]), select(&BAD_TEXTS[..]));
    let values = move |key| {
        let address = mostly(Just(key), prop_oneof![Just(""), select(&OWN[..])]);
        (Just(key), address, text(), text(), text())
    };
    let profile = |(key, email, name, company, tier)| {
        let profile = format!(
            r#"{{"emailAddress":"{email}","fullName":"{name}","companyName":"{company}","customerTier":"{tier}"}}"#
        );
        (Just(key), slipped(profile, &SLIPS_OF_FORM))
    };
    key.prop_flat_map(values)
        .prop_flat_map(profile)
        .prop_map(|(key, profile)| (key, format!("\"{key}\":{profile}")))
}

/// Files as this program writes them, but for one or two slips in some.
fn files() -> impl Strategy<Value = String> {
    let in_order = |mut lines: Vec<(&'static str, String)>| {
        lines.sort();
        lines.dedup_by_key(|(key, _)| *key);
        lines
    };
    mostly(vec(lines(), 1..5).prop_map(in_order), vec(lines(), 0..5)).prop_flat_map(|lines| {
        let lines: Vec<_> = lines.into_iter().map(|(_, line)| line).collect();
        let lines = lines.join(",\n");
        let file = format!("{{\"profilesByCanonicalEmail\":{{\n{lines}\n}}}}\n");
        slipped(file, &SLIPS_OF_FRAME)
    })
}

fn partition(number: u16) -> Partition {
    Partition::from_number(number).expect("a partition")
}

/// What a check finds, and whether the layout is among it.
fn check(file: &[u8], number: u16) -> (Checked, bool) {
    let mut checked = Document::check(file, partition(number));
    let all = checked.remarks.len();
    checked
        .remarks
        .retain(|remark| remark.kind != RemarkKind::OtherLayout);
    let is_other_layout = checked.remarks.len() < all;
    (checked, is_other_layout)
}

/// Fails unless a check finds the same as if a byte order mark, which no plain file has, made it look
/// at each part.
fn assert_checked_as_by_part(file: &[u8], number: u16) {
    let marked = [b"\xEF\xBB\xBF", without_mark(file)].concat();
    let is_other_layout =
        Document::parse(&marked).is_ok_and(|document| document.to_bytes() != file);
    let (by_part, _) = check(&marked, number);
    let found = check(file, number);
    assert_eq!(
        found,
        (by_part, is_other_layout),
        "{}",
        String::from_utf8_lossy(file)
    );
}

#[test]
fn a_plain_file_with_any_single_slip_is_checked_as_by_part() {
    let line = |key: &str| {
        format!(
            r#""{key}":{{"emailAddress":"{key}","fullName":"N","companyName":"C","customerTier":"t"}}"#
        )
    };
    let file = format!(
        "{{\"profilesByCanonicalEmail\":{{\n{},\n{}\n}}}}\n",
        line(OWN[1]),
        line(OWN[4])
    );
    let clean = |number| {
        check(file.as_bytes(), number)
            == (
                Checked {
                    profiles: 2,
                    remarks: vec![],
                },
                false,
            )
    };
    assert!(clean(278) && !clean(279));
    // The last two are out of order, and there twice.
    let keys = OTHER_KEYS.iter().chain(&OWN[..2]);
    let keys = keys.map(|key| file.replace(OWN[4], key));
    let addresses = OTHER_KEYS
        .iter()
        .map(|key| file.replacen(&format!(":\"{}", OWN[4]), &format!(":\"{key}"), 1));
    let texts = BAD_TEXTS.iter().flat_map(|text| {
        ["N", "C", "t"]
            .map(|value| file.replacen(&format!("\"{value}\""), &format!("\"{text}\""), 1))
    });
    let forms = SLIPS_OF_FORM
        .iter()
        .chain(&SLIPS_OF_FRAME)
        .map(|(from, to)| file.replacen(from, to, 1));
    for other in keys.chain(addresses).chain(texts).chain(forms) {
        assert_ne!(other, file);
        assert_checked_as_by_part(other.as_bytes(), 278);
    }
}

proptest! {
    #[test]
    fn a_file_with_a_slip_or_two_is_checked_as_by_part(
        file in files(),
        number in mostly(Just(278), 0..1000_u16),
        slips in mostly(Just(Vec::new()), vec(slips(), 1..3)),
    ) {
        let mut bytes = file.into_bytes();
        slip(&mut bytes, slips);
        assert_checked_as_by_part(&bytes, number);
    }

    #[test]
    fn any_file_is_checked_as_by_part(
        sheet in sheets(),
        layout in layouts(),
        slips in mostly(Just(Vec::new()), vec(slips(), 1..3)),
    ) {
        for mut bytes in [layout.write(&sheet.tokens()), sheet.canonical().into_bytes()] {
            slip(&mut bytes, slips.clone());
            assert_checked_as_by_part(&bytes, 278);
        }
    }
}
