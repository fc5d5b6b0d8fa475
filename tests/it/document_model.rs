//! A document against its model: whatever files people leave and whatever is saved into them.
//! `PROPTEST_CASES=20000 cargo test --release document_model` is the long form.

use dex_dir::document::{Document, Outcome};
use dex_dir::email::CanonicalEmail;
use dex_dir::profile::{CustomerProfile, Field};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

pub mod generate;
pub mod layout;
pub mod sheet;

use generate::{sheets, upserts};
use layout::layouts;
use sheet::{MAP, Sheet, compact, own};

fn parse(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes).expect("a sound file")
}

fn text_of(document: &Document) -> String {
    String::from_utf8(document.to_bytes()).expect("UTF-8")
}

/// The profiles of a sheet whose keys are addresses, and each with its members.
fn addressed(
    sheet: &Sheet,
) -> impl Iterator<Item = (CanonicalEmail, &sheet::Members<sheet::Value>)> {
    sheet.profiles.iter().filter_map(|(key, members)| {
        let email = CanonicalEmail::parse(&key.means).ok()?;
        (email.as_str() == key.means).then_some((email, members))
    })
}

/// What `members` say of `email`, if all four fields are as they must be.
fn profile_of(
    email: &CanonicalEmail,
    members: &sheet::Members<sheet::Value>,
) -> Option<CustomerProfile> {
    let [address, name, company, tier] =
        Field::ALL.map(|field| own(members, field).map(str::to_owned));
    let profile = CustomerProfile::new(email.clone(), &name?, &company?, &tier?).ok()?;
    (address? == email.as_str()).then_some(profile)
}

/// The same in terms of plain maps.
fn upsert_value(file: &mut Value, profile: &CustomerProfile) {
    for field in Field::ALL {
        file[MAP][profile.email().as_str()][field.name()] = profile.field(field).into();
    }
}

proptest! {
    #[test]
    fn any_upserts_into_any_files_give_what_the_model_gives(
        mut sheet in sheets(),
        rounds in vec((layouts(), vec(upserts(), 1..4)), 1..3),
    ) {
        // Between the rounds a person lays the file out anew.
        for (layout, profiles) in rounds {
            let bytes = layout.write(&sheet.tokens());
            let mut document = parse(&bytes);
            prop_assert_eq!(text_of(&document), sheet.canonical());
            for profile in &profiles {
                let (outcome, stored) = sheet.upsert(profile);
                let saved = document.upsert(profile);
                prop_assert_eq!(saved.outcome, outcome);
                let answer = saved.stored();
                prop_assert_eq!(answer.as_json(), &*stored);
                let written = document.to_bytes();
                prop_assert_eq!(str::from_utf8(&written), Ok(&*sheet.canonical()));
                let read_again = parse(&written);
                prop_assert_eq!(text_of(&read_again), sheet.canonical());
                let got = read_again.get(profile.email()).expect("sound").expect("there");
                prop_assert_eq!(got.as_json(), stored);
                prop_assert_eq!(document.upsert(profile).outcome, Outcome::Unchanged);
            }
        }
    }

    #[test]
    fn saving_what_is_there_is_recognised_in_every_layout(
        sheet in sheets(),
        layout in layouts(),
    ) {
        let bytes = layout.write(&sheet.tokens());
        let there = addressed(&sheet);
        let profiles: Vec<_> = there
            .filter_map(|(email, members)| Some((profile_of(&email, members)?, compact(members))))
            .collect();
        let mut document = parse(&bytes);
        for (profile, stored) in &profiles {
            let saved = document.upsert(profile);
            prop_assert_eq!(saved.outcome, Outcome::Unchanged);
            let answer = saved.stored();
                prop_assert_eq!(answer.as_json(), stored);
        }
        prop_assert_eq!(text_of(&document), sheet.canonical());
    }

    #[test]
    fn each_profile_is_answered_or_refused_on_its_own(sheet in sheets(), layout in layouts()) {
        let bytes = layout.write(&sheet.tokens());
        let document = parse(&bytes);
        for (email, members) in addressed(&sheet) {
            let expected = profile_of(&email, members).map(|_| Some(compact(members)));
            let found = document.get(&email).map(|found| found.map(|p| p.as_json().to_owned()));
            prop_assert_eq!(found.ok(), expected);
        }
        let nobody = CanonicalEmail::parse("nobody@example.com").expect("an address");
        prop_assert_eq!(document.get(&nobody), Ok(None));
    }

    #[test]
    fn plain_maps_agree_where_they_can_hold_the_file(
        sheet in sheets(),
        layout in layouts(),
        profiles in vec(upserts(), 1..4),
    ) {
        let bytes = layout.write(&sheet.tokens());
        let plain = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        if let Ok(mut expected) = serde_json::from_slice::<Value>(plain) {
            let mut document = parse(&bytes);
            for profile in &profiles {
                upsert_value(&mut expected, profile);
                let _upserted = document.upsert(profile);
            }
            let found: Value = serde_json::from_slice(&document.to_bytes()).expect("JSON");
            prop_assert_eq!(found, expected);
        }
    }
}
