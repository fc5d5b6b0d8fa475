//! Which web pages may send requests: those that this server itself could have sent, and those of
//! allowed origins. Programs that are no browsers send no `Origin` and are not concerned.

use std::str::FromStr;

use http::{HeaderMap, HeaderValue, Method, header};
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

    /// Reads scheme and authority as browsers write them, RFC 6454. `null` is no origin.
    fn from_str(text: &str) -> Result<Self, OriginError> {
        let (scheme, authority) = text.split_once("://").ok_or(OriginError)?;
        let valid = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        if scheme.is_empty() || !scheme.bytes().all(valid) {
            return Err(OriginError);
        }
        Ok(Self {
            scheme: scheme.to_ascii_lowercase(),
            authority: authority.parse().map_err(|_| OriginError)?,
        })
    }
}

impl Origin {
    /// Whether its host and port are those of `name`, which may leave out the scheme's own port.
    fn is_at(&self, name: &Authority) -> bool {
        let port = |authority: &Authority| authority.port().or(default_port(&self.scheme));
        name.host() == self.authority.host() && port(name) == port(&self.authority)
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
                let is = |known: &Origin, origin: &Origin| {
                    known.scheme == origin.scheme && known.is_at(&origin.authority)
                };
                parse(origin).is_some_and(|origin| listed.iter().any(|known| is(known, &origin)))
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
            let is_own = parse(origin).is_some_and(|origin| is_same(&origin, named));
            is_own || allowed.allow(origin)
        }
        (Some(_), Some(_)) => false,
    }
}

fn parse(origin: &HeaderValue) -> Option<Origin> {
    origin.to_str().ok()?.parse().ok()
}

/// The scheme isn't compared: a proxy in front of the server may have changed it.
fn is_same(origin: &Origin, named: &[Authority]) -> bool {
    !named.is_empty() && named.iter().all(|name| origin.is_at(name))
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(origin: &str, host: &str) -> bool {
        let host = host.parse().expect(host);
        origin.parse().is_ok_and(|origin| is_same(&origin, &[host]))
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
        let origin = "http://localhost".parse().expect("an origin");
        assert!(!is_same(&origin, &[]));
    }
}
