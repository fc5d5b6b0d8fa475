//! Partition files as a person might have left them: odd, and sound all the same.

use std::collections::HashSet;

use dex_dir::email::CanonicalEmail;
use dex_dir::profile::{CustomerProfile, Field};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::sheet::{MAP, Members, Sheet, Spelt, Value};

/// Few, so that upserts meet profiles that are there. Their order by bytes isn't the order of
/// words: `!` and a space come before letters, `~` after.
const EMAILS: [&str; 8] = [
    "alice@example.com",
    "alice!@example.com",
    "alice @example.com",
    "\"quoted\\\"@example.com",
    "a/b~@example.com",
    "__proto__",
    "\0@example.com",
    "a",
];

/// Keys that no upsert can have written. UTF-16 would order the last two the other way round.
const STRAY_KEYS: [&str; 5] = ["", "Alice@Example.COM", "josé@x", "\u{ff5e}", "\u{1f600}"];

const TEXTS: [&str; 4] = [
    "gold",
    "Zoë \"Z\" O\\'Hara/\u{1f600}",
    "\u{1}\u{2028}\u{feff}",
    " ",
];

/// Values that no parser into numbers, strings and maps gives back as they were.
const AWKWARD: [&str; 14] = [
    "12345678901234567890123",
    "1.10",
    "1e400",
    "-0.0",
    "1E+2",
    "0",
    "null",
    "true",
    "\"\\ud800\"",
    "\"\\uDC00\\ud83d\\u0041\"",
    "\" { : \\\" , [ \"",
    "\"\\\\\"",
    "\"two  spaces\\tand a tab\"",
    "\"\"",
];

pub fn sheets() -> impl Strategy<Value = Sheet> {
    let map = Just(MAP.to_owned());
    let others = vec((names(), values()), 0..4);
    (spelt(map), vec(profiles(), 0..7), others, any::<Index>()).prop_map(
        |(map, profiles, others, before)| {
            let others = distinct(others, &[MAP]);
            Sheet {
                map,
                profiles: distinct(profiles, &[]),
                before: before.index(others.len() + 1),
                others,
            }
        },
    )
}

/// Profiles to save.
pub fn upserts() -> impl Strategy<Value = CustomerProfile> {
    let text = || select(&TEXTS[..]).prop_map(str::to_owned);
    (select(&EMAILS[..]), text(), text(), Just("gold".to_owned())).prop_map(
        |(email, name, company, tier)| {
            let email = CanonicalEmail::parse(email).expect("an address");
            CustomerProfile::new(email, &name, &company, &tier).expect("a profile")
        },
    )
}

/// A key and its profile, whose own fields are mostly right, and among others in any order.
fn profiles() -> impl Strategy<Value = (Spelt, Members<Value>)> {
    let email = prop_oneof![
        4 => select(&EMAILS[..]),
        1 => select(&STRAY_KEYS[..]),
    ];
    email.prop_flat_map(|email| {
        let fields = Field::ALL.map(|field| own_fields(field, email));
        let others = vec((names(), values()), 0..3);
        let members = (fields, others).prop_map(|(fields, others)| {
            let names = Field::ALL.map(Field::name);
            let others = distinct(others, &names);
            fields.into_iter().flatten().chain(others).collect()
        });
        let members = members.prop_map(|members: Vec<_>| members).prop_shuffle();
        (spelt(Just(email.to_owned())), members)
    })
}

fn own_fields(field: Field, email: &'static str) -> impl Strategy<Value = Option<(Spelt, Value)>> {
    let right = match field {
        Field::EmailAddress => Just(email).boxed(),
        Field::CustomerTier => Just("gold").boxed(),
        Field::FullName | Field::CompanyName => select(&TEXTS[..]).boxed(),
    };
    let name = || spelt(Just(field.name().to_owned()));
    prop_oneof![
        12 => (name(), spelt(right.prop_map(str::to_owned)))
            .prop_map(|(name, text)| Some((name, text.into()))),
        1 => (name(), values()).prop_map(Some),
        1 => Just(None),
    ]
}

/// Names of members that this program doesn't know; some are known elsewhere.
fn names() -> impl Strategy<Value = Spelt> {
    let odd = vec![
        "note",
        "__proto__",
        "",
        "fullname",
        MAP,
        "a b",
        "é",
        "fullName",
    ];
    spelt(prop_oneof![
        3 => select(odd).prop_map(str::to_owned),
        1 => any_text(),
    ])
}

fn values() -> impl Strategy<Value = Value> {
    let token = |text: &str| Value {
        tokens: vec![text.to_owned()],
        means: serde_json::from_str(text).ok(),
    };
    let deep = (100..150_usize).prop_map(|depth| {
        let tokens = [vec!["["; depth], vec!["]"; depth]].concat();
        nested(tokens.into_iter().map(str::to_owned).collect())
    });
    let leaf = prop_oneof![
        16 => select(&AWKWARD[..]).prop_map(token),
        4 => spelt(any_text()).prop_map(Value::from),
        1 => deep,
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|values| enclosed(
                "[",
                values.into_iter().map(|v| v.tokens),
                "]"
            )),
            // A name may well be there twice: nobody may judge what isn't this program's.
            vec((names(), inner), 0..4).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(name, value)| [vec![name.text, ":".to_owned()], value.tokens].concat());
                enclosed("{", members, "}")
            }),
        ]
    })
}

fn enclosed(open: &str, parts: impl Iterator<Item = Vec<String>>, close: &str) -> Value {
    let inner = parts.collect::<Vec<_>>().join(&",".to_owned());
    nested([vec![open.to_owned()], inner, vec![close.to_owned()]].concat())
}

fn nested(tokens: Vec<String>) -> Value {
    Value {
        tokens,
        means: None,
    }
}

fn any_text() -> impl Strategy<Value = String> {
    vec(any::<char>(), 0..6).prop_map(String::from_iter)
}

/// A text written with any escapes that JSON allows, chosen for its characters in turn.
fn spelt(text: impl Strategy<Value = String>) -> impl Strategy<Value = Spelt> {
    (text, vec(0..4_u8, 0..12)).prop_map(|(means, how)| {
        let how = how.into_iter().chain([0]).collect::<Vec<_>>();
        let written = means.chars().zip(how.iter().cycle());
        let inner: String = written.map(|(c, how)| escaped(c, *how)).collect();
        Spelt {
            text: format!("\"{inner}\""),
            means,
        }
    })
}

fn escaped(c: char, how: u8) -> String {
    let units = |hex: fn(u16) -> String| -> String {
        let mut buffer = [0; 2];
        c.encode_utf16(&mut buffer)
            .iter()
            .copied()
            .map(hex)
            .collect()
    };
    match (how, c) {
        (0 | 1, '"' | '\\') | (1, '/') => format!("\\{c}"),
        (1, '\t') => "\\t".to_owned(),
        (2, _) => units(|unit| format!("\\u{unit:04x}")),
        (3, _) | (_, '"' | '\\' | '\0'..='\u{1f}') => units(|unit| format!("\\u{unit:04X}")),
        _ => c.to_string(),
    }
}

/// The first of each name, and none of those `taken`.
fn distinct<T>(mut members: Members<T>, taken: &[&str]) -> Members<T> {
    let mut seen: HashSet<String> = taken.iter().map(|&name| name.to_owned()).collect();
    members.retain(|(name, _)| seen.insert(name.means.clone()));
    members
}
