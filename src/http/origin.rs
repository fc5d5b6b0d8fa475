//! Which web pages may send requests: those that this server itself could have sent, and those of
//! allowed origins. Programs that are no browsers send no `Origin` and are not concerned.

use std::str::FromStr;

use axum::http::{HeaderMap, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Authority;

/// The foreign web pages that may use a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Those of these origins.
    Listed(Vec<Origin>),
    /// All that there are.
    Any,
}

/// Where a web page comes from: scheme, host and perhaps a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    authority: Authority,
}

/// The text is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an origin such as https://shop.example, or * for all")]
pub struct OriginError;

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let (scheme, authority) = parse(text).ok_or(OriginError)?;
        Ok(Self {
            scheme: scheme.to_ascii_lowercase(),
            authority,
        })
    }
}

impl Origin {
    fn is(&self, other: &Self) -> bool {
        let port = |origin: &Self| origin.authority.port().or(default_port(&origin.scheme));
        self.scheme == other.scheme
            && self.authority.host() == other.authority.host()
            && port(self) == port(other)
    }
}

impl Default for Origins {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl Origins {
    /// Whether a page of this origin is among them.
    pub(super) fn allow(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => {
                let origin = origin.to_str().ok().and_then(|text| text.parse().ok());
                origin.is_some_and(|origin| listed.iter().any(|known| known.is(&origin)))
            }
        }
    }

    /// What tells browsers so; `None` if there are no such pages.
    pub(super) fn layer(&self) -> Option<CorsLayer> {
        let allowed = match self {
            Self::Any => AllowOrigin::any(),
            Self::Listed(listed) if listed.is_empty() => return None,
            Self::Listed(_) => {
                let origins = self.clone();
                AllowOrigin::predicate(move |origin, _| origins.allow(origin))
            }
        };
        let may_send = [
            "authorization",
            "content-type",
            "if-match",
            "if-none-match",
            "prefer",
        ];
        let may_see = ["etag", "preference-applied", "retry-after", "x-request-id"];
        let layer = CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT])
            .allow_headers(may_send.map(header::HeaderName::from_static))
            .expose_headers(may_see.map(header::HeaderName::from_static));
        Some(layer)
    }
}

/// Whether the request names no origin, one of `allowed`, or one whose host and port are those of
/// each of `named`, the authorities that the request names as its server.
pub(super) fn is_allowed(headers: &HeaderMap, named: &[Authority], allowed: &Origins) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => true,
        (Some(origin), None) => {
            let is_own = origin.to_str().is_ok_and(|origin| is_same(origin, named));
            is_own || allowed.allow(origin)
        }
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
