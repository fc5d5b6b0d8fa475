//! Which web pages may send requests: those that this server itself could have sent. Programs that
//! are no browsers send no `Origin` and are not concerned.

use axum::http::{HeaderMap, header};

use super::Authority;

/// Whether the request names no origin, or one whose host and port are those of each of `named`,
/// the authorities that the request names as its server.
pub(super) fn is_allowed(headers: &HeaderMap, named: &[Authority]) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => true,
        (Some(origin), None) => origin.to_str().is_ok_and(|origin| is_same(origin, named)),
        (Some(_), Some(_)) => false,
    }
}

/// The scheme isn't compared: a proxy in front of the server may have changed it.
fn is_same(origin: &str, named: &[Authority]) -> bool {
    let Some((scheme, authority)) = parse(origin) else {
        return false;
    };
    let default = default_port(scheme);
    let is_origin = |name: &Authority| {
        name.host() == authority.host() && name.port().or(default) == authority.port().or(default)
    };
    !named.is_empty() && named.iter().all(is_origin)
}

/// Scheme and authority of an origin as browsers write one, RFC 6454. `null` is none.
fn parse(origin: &str) -> Option<(&str, Authority)> {
    let (scheme, authority) = origin.split_once("://")?;
    let valid = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(valid);
    is_scheme.then_some(())?;
    Some((scheme, authority.parse().ok()?))
}

fn default_port(scheme: &str) -> Option<u16> {
    if scheme.eq_ignore_ascii_case("http") {
        Some(80)
    } else if scheme.eq_ignore_ascii_case("https") {
        Some(443)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(origin: &str, host: &str) -> bool {
        is_same(origin, &[host.parse().expect(host)])
    }

    #[test]
    fn host_and_port_are_compared_and_the_scheme_is_not() {
        assert!(same("http://localhost:8080", "LOCALHOST:8080"));
        assert!(same("https://localhost:8080", "localhost:8080"));
        assert!(same("HTTP://dir.example", "dir.example:80"));
        assert!(same("https://dir.example:443", "dir.example"));
        assert!(!same("http://localhost:8081", "localhost:8080"));
        assert!(!same("https://dir.example", "dir.example:80"));
        assert!(!same("http://127.0.0.1:8080", "localhost:8080"));
    }

    #[test]
    fn what_is_no_origin_is_never_the_same() {
        for origin in [
            "null",
            "",
            "localhost:80",
            "://localhost:80",
            "http://localhost:80/",
        ] {
            assert!(!same(origin, "localhost:80"), "{origin}");
        }
    }

    #[test]
    fn no_origin_is_the_same_as_no_host() {
        assert!(!is_same("http://localhost", &[]));
    }
}
