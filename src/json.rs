//! The members of one JSON object, in order, each token's text as it stands. Values are checked
//! for syntax alone and never turned into numbers or maps, so nothing of theirs can change.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

mod position;
mod special;
mod token;

pub use position::{Position, Positions};
pub(crate) use special::special_from;
pub(crate) use token::string_end;
pub use token::{compact, compact_into, push_quoted, quoted};

/// One member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The name, with its escapes decoded.
    pub name: Cow<'a, str>,
    /// The name as it is written, quotes and escapes included.
    pub name_text: &'a str,
    /// The value as it is written, white space between its tokens included.
    pub value: &'a str,
}

/// Why a text is not an object with members that can be told apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct JsonError {
    /// Where in the text, in bytes.
    pub offset: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong with a JSON text. No variant repeats any of the text itself, unless a name is
/// needed to mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It isn't JSON.
    #[error("{0}")]
    Syntax(String),
    /// It is JSON, but another kind of value.
    #[error("expected an object")]
    NotAnObject,
    /// A member's name holds half a surrogate pair, so it names nothing.
    #[error("a member's name holds a lone surrogate")]
    UndecodableName,
    /// Two members have the same name once escapes are decoded.
    #[error("a member is given twice")]
    Repeated(String),
}

/// The members of the object that `text` is.
pub fn members(text: &str) -> Result<Vec<Member<'_>>, JsonError> {
    let (members, faults) = members_and_faults(text)?;
    faults.into_iter().next().map_or(Ok(members), Err)
}

/// The members of the object that `text` is, as far as they have names, and all that is wrong with
/// these names.
pub fn members_and_faults(text: &str) -> Result<(Vec<Member<'_>>, Vec<JsonError>), JsonError> {
    let mut members = Vec::with_capacity(4);
    let mut faults = Vec::new();
    for_each_member(text, |member| match member {
        Ok(member) => members.push(member),
        Err(fault) => faults.push(fault),
    })?;
    faults.extend(repeated(text, &members));
    Ok((members, faults))
}

/// Gives each member of the object that `text` is to `each`, or what is wrong with its name. That a
/// name is given twice is for `each` to see, and nothing that it was given counts if the text as a
/// whole is an error.
pub fn for_each_member<'a>(
    text: &'a str,
    mut each: impl FnMut(Result<Member<'a>, JsonError>),
) -> Result<(), JsonError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    RawMembers(|name: &'a RawValue, value: &'a RawValue| {
        each(decode(text, name.get(), value.get()));
    })
    .deserialize(&mut deserializer)
    .and_then(|()| deserializer.end())
    .map_err(|error| syntax_error(text, &error))
}

/// The string that `value` is, decoded; `None` if it is something else or can't be decoded.
#[must_use]
pub fn string(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    if inner.as_bytes().contains(&b'\\') {
        serde_json::from_str(value).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Where `part` begins in `whole`, of which it must be a part.
#[must_use]
pub fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

fn decode<'a>(text: &str, name_text: &'a str, value: &'a str) -> Result<Member<'a>, JsonError> {
    let name = string(name_text).ok_or_else(|| JsonError {
        offset: offset_in(text, name_text),
        reason: Reason::UndecodableName,
    })?;
    Ok(Member {
        name,
        name_text,
        value,
    })
}

/// Each member whose name stands before it already, in the order of the text.
fn repeated(text: &str, members: &[Member]) -> Vec<JsonError> {
    // Objects that this program wrote are in order, or short: most texts need no sort.
    if members.is_sorted_by(|a, b| a.name < b.name) {
        return Vec::new();
    }
    let mut in_order: Vec<_> = members.iter().collect();
    in_order.sort_by(|a, b| a.name.cmp(&b.name));
    let again = in_order.windows(2).filter(|w| w[0].name == w[1].name);
    let mut faults: Vec<_> = again
        .map(|w| JsonError {
            offset: offset_in(text, w[1].name_text),
            reason: Reason::Repeated(w[1].name.clone().into_owned()),
        })
        .collect();
    faults.sort_by_key(|fault| fault.offset);
    faults
}

fn syntax_error(text: &str, error: &serde_json::Error) -> JsonError {
    let reason = match error.classify() {
        Category::Data => Reason::NotAnObject,
        Category::Io | Category::Syntax | Category::Eof => Reason::Syntax(message(error)),
    };
    let line_start: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let offset = match reason {
        Reason::NotAnObject => text.len() - text.trim_start().len(),
        _ => line_start + error.column().saturating_sub(1),
    };
    JsonError { offset, reason }
}

/// The error's text without the position that the library puts at its end.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    whole.strip_suffix(&position).unwrap_or(&whole).to_owned()
}

/// Tells of each member as raw text, which a derived struct or a map can't give.
struct RawMembers<F>(F);

impl<'de, F: FnMut(&'de RawValue, &'de RawValue)> DeserializeSeed<'de> for RawMembers<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(&'de RawValue, &'de RawValue)> Visitor<'de> for RawMembers<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry()? {
            (self.0)(name, value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> JsonError {
        members(text).expect_err(text)
    }

    #[test]
    fn tokens_keep_their_text() {
        let text = r#"{ "\u0061" : 12345678901234567890123 , "b":1.10 }"#;
        let members = members(text).expect("an object");
        assert_eq!(members[0].name, "a");
        assert_eq!(members[0].name_text, r#""\u0061""#);
        assert_eq!(members[0].value, "12345678901234567890123");
        assert_eq!(members[1].value, "1.10");
    }

    #[test]
    fn a_name_given_twice_is_found_after_decoding() {
        let found = error(r#"{"b":1,"a":2,"\u0062":3}"#);
        assert_eq!(
            found,
            JsonError {
                offset: 13,
                reason: Reason::Repeated("b".into())
            }
        );
    }

    #[test]
    fn all_that_is_wrong_with_names_is_found_at_once() {
        let text = r#"{"b":1,"\ud800":2,"b":3,"a":4,"a":5,"a":6}"#;
        let (members, faults) = members_and_faults(text).expect("an object");
        assert_eq!(members.len(), 5);
        let offsets: Vec<_> = faults.iter().map(|fault| fault.offset).collect();
        assert_eq!(offsets, [7, 18, 30, 36]);
    }

    #[test]
    fn a_lone_surrogate_is_an_error_in_a_name_and_text_in_a_value() {
        assert_eq!(error(r#"{"\ud800":1}"#).reason, Reason::UndecodableName);
        let text = r#"{"a":"\ud800"}"#;
        assert_eq!(members(text).expect("sound")[0].value, r#""\ud800""#);
    }

    #[test]
    fn another_kind_of_value_is_not_an_object() {
        for text in ["null", "[]", " 1", "\"x\""] {
            assert_eq!(error(text).reason, Reason::NotAnObject, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_only_text() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(members(&deep).expect("sound").len(), 1);
    }
}
