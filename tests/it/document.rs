//! What the format promises, sentence by sentence, by example.

use dex_dir::document::{Document, Outcome};
use dex_dir::email::CanonicalEmail;
use dex_dir::profile::{CustomerProfile, Field};

const ALICE: &str = r#"{"emailAddress":"alice@example.com","fullName":"Alice","companyName":"Acme","customerTier":"gold"}"#;
const BOB: &str = r#"{"emailAddress":"bob@example.org","fullName":"Bob","companyName":"Acme","customerTier":"gold"}"#;

fn email(address: &str) -> CanonicalEmail {
    CanonicalEmail::parse(address).expect("an address")
}

fn profile(json: &str) -> CustomerProfile {
    CustomerProfile::from_json(json).expect("a profile")
}

fn parse(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes()).expect("a sound file")
}

fn text_of(document: &Document) -> String {
    String::from_utf8(document.to_bytes()).expect("UTF-8")
}

fn stored(document: &Document, address: &str) -> Option<String> {
    let found = document.get(&email(address)).expect("a sound profile");
    found.map(|profile| profile.as_json().to_owned())
}

/// A canonical file of these profiles, each a line, and nothing beside the map.
fn file(lines: &[String]) -> String {
    format!(
        "{{\"profilesByCanonicalEmail\":{{\n{}\n}}}}\n",
        lines.join(",\n")
    )
}

fn line(address: &str, json: &str) -> String {
    format!("\"{address}\":{json}")
}

/// Alice, saved into the text of a file: what it did, what it answered, and the file then.
fn upsert_alice(text: &str) -> (Outcome, String, String) {
    let mut document = parse(text);
    let alice = profile(ALICE);
    let saved = document.upsert(&alice);
    let answer = saved.stored().as_json().to_owned();
    (saved.outcome, answer, text_of(&document))
}

#[test]
fn a_file_without_profiles_has_two_lines() {
    let empty = "{\"profilesByCanonicalEmail\":{\n}}\n";
    assert_eq!(text_of(&Document::empty()), empty);
    assert_eq!(text_of(&parse("{\"profilesByCanonicalEmail\":{}}")), empty);
    let with_others = "{\"profilesByCanonicalEmail\":{\n},\n\"a\":1,\n\"b\":2\n}\n";
    let mixed = r#"{"a":1, "profilesByCanonicalEmail": { }, "b":2}"#;
    assert_eq!(text_of(&parse(mixed)), with_others);
}

#[test]
fn a_first_profile_is_one_line() {
    let mut document = Document::empty();
    let alice = profile(ALICE);
    let saved = document.upsert(&alice);
    assert_eq!(saved.outcome, Outcome::Created);
    assert_eq!(saved.stored().as_json(), ALICE);
    assert_eq!(
        text_of(&document),
        file(&[line("alice@example.com", ALICE)])
    );
}

#[test]
fn profiles_are_sorted_by_the_bytes_of_the_decoded_key() {
    // `\u0062` is b; as text it would come before `a`. UTF-16 would put the smiley before `～`.
    let keys = ["\u{1f600}", "z", "\u{ff5e}", "a~", r"\u0062", "a", "Z"];
    let shuffled = keys.map(|key| line(key, "{}")).join(",");
    let sorted = ["Z", "a", "a~", r"\u0062", "z", "\u{ff5e}", "\u{1f600}"];
    assert_eq!(
        text_of(&parse(&format!(
            "{{\"profilesByCanonicalEmail\":{{{shuffled}}}}}"
        ))),
        file(&sorted.map(|key| line(key, "{}")))
    );
}

#[test]
fn members_beside_the_map_stand_after_it_in_their_order() {
    let text = format!(
        r#"{{ "z": [1, 2], "profilesByCanonicalEmail": {{ "bob@example.org": {BOB} }}, "a": {{"b" : " c "}} }}"#
    );
    let (_, _, saved) = upsert_alice(&text);
    let profiles = [
        line("alice@example.com", ALICE),
        line("bob@example.org", BOB),
    ]
    .join(",\n");
    let expected = format!(
        "{{\"profilesByCanonicalEmail\":{{\n{profiles}\n}},\n\"z\":[1,2],\n\"a\":{{\"b\":\" c \"}}\n}}\n"
    );
    assert_eq!(saved, expected);
}

#[test]
fn a_byte_order_mark_escapes_and_white_space_are_read() {
    let escaped = ALICE
        .replace("Alice", r"\u0041lice")
        .replace(',', "\r\n\t, ");
    let text = format!(
        "\u{feff}\n {{ \"\\u0070rofilesByCanonicalEmail\" :\t{{ \"\\u0061lice@example.com\": {escaped} }} }} \r\n"
    );
    let (outcome, saved, _) = upsert_alice(&text);
    assert_eq!(outcome, Outcome::Unchanged);
    assert_eq!(saved, ALICE.replace("Alice", r"\u0041lice"));
}

#[test]
fn every_token_of_a_neighbour_keeps_its_text() {
    let odd = r#"{"big":12345678901234567890123,"price":1.10,"far":1e400,"half":"\ud800","path":"a\/b","s":"a  b\t"}"#;
    let deep = format!(
        "{{\"deep\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let text = file(&[line("odd", odd), line("deep", &deep)]);
    let (_, _, saved) = upsert_alice(&text);
    let expected = [
        line("alice@example.com", ALICE),
        line("deep", &deep),
        line("odd", odd),
    ];
    assert!(saved == file(&expected), "a token was changed");
}

#[test]
fn an_upsert_writes_the_four_fields_first_and_then_what_a_person_added() {
    let by_hand = r#"{"since": 1.10, "customerTier":"silver", "\u006eote":"a\/b", "fullName":"A", "emailAddress":"alice@example.com", "companyName":"Acme"}"#;
    let text = file(&[line(r"\u0061lice@example.com", by_hand)]);
    let expected = ALICE.replace('}', r#","since":1.10,"\u006eote":"a\/b"}"#);
    assert_eq!(
        upsert_alice(&text),
        (
            Outcome::Updated,
            expected.clone(),
            file(&[line("alice@example.com", &expected)])
        )
    );
}

#[test]
fn an_unchanged_profile_keeps_the_order_in_which_a_person_left_it() {
    let by_hand = r#"{"note":null,"customerTier":"gold","fullName":"Alice","companyName":"Acme","emailAddress":"alice@example.com"}"#;
    let text = file(&[line("alice@example.com", by_hand)]);
    assert_eq!(
        upsert_alice(&text),
        (Outcome::Unchanged, by_hand.to_owned(), text)
    );
}

#[test]
fn each_of_the_four_fields_counts_as_a_change() {
    for (from, to) in [
        (r#""emailAddress":"a"#, r#""emailAddress":"A"#),
        ("\"Alice\"", "\"Alice \""),
        ("\"Acme\"", "\"\""),
        ("\"gold\"", "null"),
        (r#","customerTier":"gold""#, ""),
    ] {
        let text = file(&[line("alice@example.com", &ALICE.replace(from, to))]);
        let (outcome, saved, _) = upsert_alice(&text);
        assert_eq!((outcome, &*saved), (Outcome::Updated, ALICE), "{to}");
    }
}

#[test]
fn a_neighbour_with_broken_fields_blocks_nobody() {
    for broken in [
        "{}",
        r#"{"emailAddress":7}"#,
        &ALICE.replace("\"gold\"", "[]"),
        &ALICE.replace("alice@", "mallory@"),
    ] {
        let lines = [
            line("Not@Canonical", broken),
            line("bob@example.org", broken),
        ];
        let text = file(&lines);
        let (outcome, _, saved) = upsert_alice(&text);
        assert_eq!(outcome, Outcome::Created);
        let [first, last] = lines;
        assert_eq!(
            saved,
            file(&[first, line("alice@example.com", ALICE), last])
        );
        assert_eq!(
            stored(&parse(&saved), "alice@example.com").as_deref(),
            Some(ALICE)
        );
    }
}

#[test]
fn a_profile_whose_own_fields_are_wrong_is_refused_for_that_address_alone() {
    for (from, to, reason) in [
        (r#","customerTier":"gold""#, "", "customerTier is missing"),
        ("\"gold\"", "\"\"", "customerTier is empty"),
        ("\"Acme\"", "7", "companyName is not a string"),
        ("\"Alice\"", r#""\ud800""#, "fullName is not a string"),
        (
            ":\"alice@",
            ":\"mallory@",
            "emailAddress differs from its key",
        ),
    ] {
        let alice = line("alice@example.com", &ALICE.replace(from, to));
        let text = file(&[alice, line("bob@example.org", BOB)]);
        let document = parse(&text);
        let error = document.get(&email("alice@example.com")).expect_err(reason);
        assert_eq!(
            error.to_string(),
            format!("line 2, column 21: the profile's {reason}")
        );
        assert_eq!(stored(&document, "bob@example.org").as_deref(), Some(BOB));
        assert_eq!(stored(&document, "carol@example.com"), None);
    }
}

#[test]
fn a_stored_profile_gives_its_fields_decoded() {
    let text = file(&[line(
        "alice@example.com",
        &ALICE.replace("Alice", r"\ud83d\ude00\/"),
    )]);
    let found = parse(&text).get(&email("alice@example.com"));
    let found = found.expect("sound").expect("there");
    assert_eq!(found.field(Field::FullName), "\u{1f600}/");
}
