//! What is different between two states of a partition.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::Document;

/// Something that an edit changes. The addresses are keys as they are, and may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// There was no profile under this key.
    Added(String),
    /// The profile under this key was another.
    Changed(String),
    /// There is no longer a profile under this key.
    Removed(String),
    /// The members beside the profiles were others.
    OtherMembers,
    /// The file could not be used, and what it held can't be told.
    Repaired,
}

/// What has to be changed in `old` to make it `new`, in the order of the keys.
pub(super) fn between(old: &Document, new: &Document) -> Vec<Change> {
    let (before, after): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (old.profiles().collect(), new.profiles().collect());
    let keys: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let profiles = keys.into_iter().filter_map(|key| {
        let key_text = key.to_owned();
        match (before.get(key), after.get(key)) {
            (None, _) => Some(Change::Added(key_text)),
            (_, None) => Some(Change::Removed(key_text)),
            (Some(old), Some(new)) => (old != new).then_some(Change::Changed(key_text)),
        }
    });
    let others = (!old.others().eq(new.others())).then_some(Change::OtherMembers);
    profiles.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two files that go on so after the brace of the map.
    fn changes(old: &str, new: &str) -> Vec<Change> {
        let file = |text: &str| format!("{{\"profilesByCanonicalEmail\":{{{text}");
        let (old, new) = (file(old), file(new));
        let parse = |text| Document::parse(text).expect("sound");
        between(&parse(old.as_bytes()), &parse(new.as_bytes()))
    }

    #[test]
    fn each_change_is_named_once_in_the_order_of_the_keys() {
        let old = r#""d":{},"a":{"x":1},"c":{"x":1}}}"#;
        let new = r#""b":{}, "c":{"x":2},"a":{ "x" : 1 }}}"#;
        let [b, c, d] = ["b", "c", "d"].map(str::to_owned);
        let expected = [Change::Added(b), Change::Changed(c), Change::Removed(d)];
        assert_eq!(changes(old, new), expected);
    }

    #[test]
    fn another_spelling_of_a_key_or_a_value_is_a_change() {
        for new in [r#""\u0061":{"x":1.0}}}"#, r#""a":{"x":1.00}}}"#] {
            let a = "a".to_owned();
            assert_eq!(changes(r#""a":{"x":1.0}}}"#, new), [Change::Changed(a)]);
        }
    }

    #[test]
    fn members_beside_the_profiles_count_as_one() {
        assert_eq!(
            changes("},\"n\":1}", "},\"n\":2,\"m\":3}"),
            [Change::OtherMembers]
        );
        assert_eq!(changes("},\"n\":1}", "}, \"n\" : 1}"), []);
    }
}
