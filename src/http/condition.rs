//! Conditional requests, RFC 9110: which version of a profile a client has seen, and whether its
//! request still applies to the one that is there.

use headers::{ETag, Header, HeaderMapExt, IfMatch, IfNoneMatch};
use http::{HeaderMap, HeaderValue};
use xxhash_rust::xxh3::xxh3_128;

use super::code::Code;
use super::failure::Failure;
use crate::profile::StoredProfile;

/// The version of a profile: a hash of the bytes that are answered, by XXH3
/// (<https://xxhash.com>). With 128 bits no two versions of a profile will ever share one by
/// chance; and whoever could make two on purpose can save whatever they like.
pub(super) fn tag_of(profile: &StoredProfile) -> HeaderValue {
    let hash = xxh3_128(profile.as_json().as_bytes());
    // Quotes and hexadecimal digits are a header's value.
    HeaderValue::from_str(&format!("\"{hash:032x}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// What a request asks of the version that is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    only_if: Option<IfMatch>,
    only_if_not: Option<IfNoneMatch>,
}

/// Which condition a version doesn't meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unmet {
    IfMatch,
    IfNoneMatch,
}

impl Conditions {
    /// Reads the conditions of a request. One that can't be read is met by nothing.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, Failure> {
        Ok(Self {
            only_if: read(headers)?,
            only_if_not: read(headers)?,
        })
    }

    /// Whether there are none.
    pub(super) fn are_none(&self) -> bool {
        self.only_if.is_none() && self.only_if_not.is_none()
    }

    /// Whether a request with these conditions applies to what is there.
    pub(super) fn check(&self, current: Option<&StoredProfile>) -> Result<(), Unmet> {
        if self.are_none() {
            return Ok(());
        }
        let tag = current.and_then(|profile| tag_of(profile).to_str().ok()?.parse().ok());
        if let Some(only_if) = &self.only_if
            && !tag
                .as_ref()
                .is_some_and(|tag: &ETag| only_if.precondition_passes(tag))
        {
            return Err(Unmet::IfMatch);
        }
        if let (Some(only_if_not), Some(tag)) = (&self.only_if_not, &tag)
            && !only_if_not.precondition_passes(tag)
        {
            return Err(Unmet::IfNoneMatch);
        }
        Ok(())
    }
}

fn read<H: Header>(headers: &HeaderMap) -> Result<Option<H>, Failure> {
    let unreadable = |_| {
        Failure::new(
            Code::PreconditionFailed,
            format!("{} can't be read", H::name()),
        )
    };
    headers.typed_try_get().map_err(unreadable)
}

impl From<Unmet> for Failure {
    fn from(unmet: Unmet) -> Self {
        let text = match unmet {
            Unmet::IfMatch => {
                "the profile is not the version that If-Match names: somebody changed it; get it again"
            }
            Unmet::IfNoneMatch => "there is such a profile already",
        };
        Self::new(Code::PreconditionFailed, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &str)], current: Option<&str>) -> Result<(), Unmet> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().expect("a value"));
        }
        let current = current.map(|json| StoredProfile::new(json.to_owned()));
        Conditions::of(&map)
            .expect("readable")
            .check(current.as_ref())
    }

    #[test]
    fn a_condition_is_met_by_the_version_it_names() {
        let tag = tag_of(&StoredProfile::new("{}".to_owned()));
        let tag = tag.to_str().expect("text");
        let weak = format!("W/{tag}");
        let list = format!("\"other\", {tag}");
        let (there, none) = (Some("{}"), None);
        for (name, value, current, expected) in [
            ("if-match", tag, there, Ok(())),
            ("if-match", &list, there, Ok(())),
            ("if-match", "*", there, Ok(())),
            ("if-match", "*", none, Err(Unmet::IfMatch)),
            ("if-match", tag, none, Err(Unmet::IfMatch)),
            ("if-match", tag, Some("{ }"), Err(Unmet::IfMatch)),
            ("if-match", &weak, there, Err(Unmet::IfMatch)),
            ("if-none-match", "*", none, Ok(())),
            ("if-none-match", "*", there, Err(Unmet::IfNoneMatch)),
            ("if-none-match", tag, none, Ok(())),
            ("if-none-match", &weak, there, Err(Unmet::IfNoneMatch)),
            ("if-none-match", &list, there, Err(Unmet::IfNoneMatch)),
            ("if-none-match", tag, Some("{ }"), Ok(())),
        ] {
            assert_eq!(
                check(&[(name, value)], current),
                expected,
                "{name}: {value}"
            );
        }
        assert_eq!(check(&[], there), Ok(()));
        let both = [("if-match", tag), ("if-none-match", "*")];
        assert_eq!(check(&both, there), Err(Unmet::IfNoneMatch));
    }
}
