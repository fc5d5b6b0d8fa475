//! Bodies and queries against plain models: whatever is sent, and in whatever spelling.
//! `PROPTEST_CASES=20000 cargo test --release http_model` is the long form.

use dex_dir::email::CanonicalEmail;
use dex_dir::http::query::{self, QueryError};
use dex_dir::profile::{CustomerProfile, Field, ProfileError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The text of a JSON string, some of whose characters are escaped though they needn't be.
fn json_string(text: &str, escaped: &[bool]) -> String {
    let escape = |c: char| {
        let units = c.encode_utf16(&mut [0; 2]).to_vec();
        units
            .iter()
            .fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}"))
    };
    let spelt = text
        .chars()
        .zip(escaped.iter().cycle())
        .map(|(c, escaped)| {
            if *escaped || c < ' ' || c == '"' || c == '\\' {
                escape(c)
            } else {
                c.to_string()
            }
        });
    format!("\"{}\"", spelt.collect::<String>())
}

/// A member of a body: its name, and its value if that is a string.
type Member = (String, Option<String>);

fn members() -> impl Strategy<Value = Vec<Member>> {
    const NAMES: [&str; 5] = [
        "emailAddress",
        "fullName",
        "companyName",
        "customerTier",
        "tier",
    ];
    const VALUES: [&str; 7] = ["a@example.com", " A@x\t", "é 😀", "\u{1}\"\\", "x", "", " "];
    let value = prop_oneof![
        9 => select(&VALUES[..]).prop_map(|text| Some(text.to_owned())),
        1 => Just(None),
    ];
    let extra = vec(
        (select(&NAMES[..]).prop_map(str::to_owned), value.clone()),
        0..2,
    );
    // Most of them have the four, or there would be few profiles.
    (
        vec(value, 4),
        extra,
        any::<bool>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(values, extra, is_whole, left_out)| {
            let fields = Field::ALL.map(|field| field.name().to_owned());
            let mut members: Vec<_> = fields.into_iter().zip(values).collect();
            if !is_whole {
                members.remove(left_out.index(4));
            }
            members.extend(extra);
            members
        })
}

/// The profile that these members are, field by field.
fn profile_of(members: &[Member]) -> Option<[String; 4]> {
    let is_known = |(name, _): &Member| Field::from_name(name).is_some();
    if members.len() != 4 || !members.iter().all(is_known) {
        return None;
    }
    let text = |field: Field| {
        let member = members.iter().find(|(name, _)| name == field.name())?;
        member.1.clone().filter(|text| !text.is_empty())
    };
    let [email, name, company, tier] = Field::ALL.map(text);
    let email = email.filter(|email| email.is_ascii())?;
    let email = email.trim_matches([' ', '\t']).to_ascii_lowercase();
    (!email.is_empty()).then_some([email, name?, company?, tier?])
}

/// Percent-encodes `text`, of the characters that may stand as they are those that are told.
fn encoded(text: &str, escaped: &[bool]) -> String {
    let spelt = text
        .bytes()
        .zip(escaped.iter().cycle())
        .map(|(byte, escaped)| {
            let may_stand = byte.is_ascii_alphanumeric() || b"@.-_\"'/?:".contains(&byte);
            match byte {
                b' ' if !escaped => "+".to_owned(),
                _ if may_stand && !escaped => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            }
        });
    spelt.collect()
}

proptest! {
    #[test]
    fn a_body_is_a_profile_or_it_is_not(
        members in members(),
        escaped in vec(any::<bool>(), 1..9),
        gap in select(&["", " ", "\r\n\t"][..]),
    ) {
        let texts = members.iter().map(|(name, value)| {
            let value = value.as_deref().map_or("[1e400]".to_owned(), |v| json_string(v, &escaped));
            format!("{gap}{}{gap}:{gap}{value}{gap}", json_string(name, &escaped))
        });
        let body = format!("{gap}{{{}}}{gap}", texts.collect::<Vec<_>>().join(","));
        match (CustomerProfile::from_json(&body), profile_of(&members)) {
            (Ok(profile), Some(fields)) => {
                prop_assert_eq!(Field::ALL.map(|field| profile.field(field)), fields);
                let again = CustomerProfile::from_json(profile.as_json());
                prop_assert_eq!(again, Ok(profile));
            }
            (Err(error), None) => {
                prop_assert!(!matches!(error, ProfileError::Json(_)), "{error} in {body}");
            }
            (found, expected) => prop_assert!(false, "{found:?}, not {expected:?}: {body}"),
        }
    }

    #[test]
    fn no_body_panics_and_what_is_taken_is_json(
        body in prop_oneof![
            "[{}\\[\\]:,\"a\\\\u0-9d ]{0,60}",
            (members(), any::<prop::sample::Index>(), any::<char>()).prop_map(|(members, at, c)| {
                let members = members.into_iter().map(|(name, value)| (name, value.into()));
                let mut body = serde_json::Value::Object(members.collect()).to_string();
                let at = body.floor_char_boundary(at.index(body.len()));
                let end = body.ceil_char_boundary(at + 1);
                body.replace_range(at..end, c.encode_utf8(&mut [0; 4]));
                body
            }),
        ],
    ) {
        if let Ok(profile) = CustomerProfile::from_json(&body) {
            let value: serde_json::Value = serde_json::from_str(&body).expect("JSON");
            let email = value["emailAddress"].as_str().expect("a string");
            let email = CanonicalEmail::parse(email).expect("an address");
            prop_assert_eq!(profile.email(), &email);
            prop_assert_eq!(value.as_object().map(serde_json::Map::len), Some(4));
        }
    }

    #[test]
    fn a_query_means_what_was_encoded_in_whatever_spelling(
        pairs in vec(("[a-z é=&+%]{0,5}", "[ -~é\n]{0,9}"), 0..4),
        escaped in vec(any::<bool>(), 1..9),
    ) {
        let texts = pairs.iter().map(|(name, value)| {
            format!("{}={}", encoded(name, &escaped), encoded(value, &escaped))
        });
        let query = texts.collect::<Vec<_>>().join("&");
        let parsed = query::parse(&query);
        let repeated = (1..pairs.len()).find(|&i| pairs[..i].iter().any(|(n, _)| *n == pairs[i].0));
        if let Some(i) = repeated {
            prop_assert_eq!(parsed, Err(QueryError::Repeated(pairs[i].0.clone())));
        } else {
            let parsed = parsed.expect("sound").into_iter();
            let found: Vec<_> = parsed.map(|p| (p.name, p.value)).collect();
            prop_assert_eq!(found, pairs);
        }
    }

    #[test]
    fn what_is_read_of_a_query_is_what_browsers_read(query in "[a-c%0-9A-F=&+.é]{0,20}") {
        if let Ok(parameters) = query::parse(&query) {
            let expected = form_urlencoded::parse(query.as_bytes()).into_owned();
            let found = parameters.into_iter().map(|p| (p.name, p.value));
            prop_assert!(found.eq(expected), "{query}");
        }
    }
}
