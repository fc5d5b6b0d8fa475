//! `Prefer: wait=N`, RFC 7240: a client without a loop of its own lets the server try again.

use std::time::Duration;

use http::HeaderMap;

/// How many seconds a client would wait for an answer; `None` if it doesn't say. The first that it
/// says counts, and what isn't understood doesn't, as the RFC has it.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let values = headers.get_all("prefer").iter();
    let preferences = values.filter_map(|value| value.to_str().ok());
    preferences
        .flat_map(|value| value.split(','))
        .find_map(seconds)
        .map(Duration::from_secs)
}

fn seconds(preference: &str) -> Option<u64> {
    let (preference, _parameters) = preference.split_once(';').unwrap_or((preference, ""));
    let (name, value) = preference.split_once('=')?;
    let is_wait = name.trim().eq_ignore_ascii_case("wait");
    is_wait.then(|| value.trim().trim_matches('"').parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_seconds_counts() {
        for (values, expected) in [
            (&[][..], None),
            (&["wait=5"], Some(5)),
            (&["respond-async, Wait = \"7\"; x=1, wait=9"], Some(7)),
            (&["return=minimal", "wait=0"], Some(0)),
            (&["wait", "wait=", "wait=-1", "wait=1.5", "waiting=3"], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("prefer", value.parse().expect("a value"));
            }
            assert_eq!(
                wait(&headers),
                expected.map(Duration::from_secs),
                "{values:?}"
            );
        }
    }
}
