//! A host and perhaps a port, as `Host`, `Origin` and the target of a request name them. Pure.

use std::net::Ipv6Addr;
use std::str::FromStr;

/// A host and perhaps a port, such as `localhost:8080`. Names are kept in lower case, IPv6
/// addresses in their shortest form, so that equal ones are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    host: String,
    port: Option<u16>,
}

/// The text is not a host with or without a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected HOST or HOST:PORT, such as directory.example or [::1]:8080")]
pub struct AuthorityError;

impl Authority {
    /// The name or address, the latter in brackets if it is IPv6.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, if one is named.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }
}

impl FromStr for Authority {
    type Err = AuthorityError;

    /// Reads `host` or `host:port` of RFC 3986, without user information or percent-encoding:
    /// no host that this program could be asked for needs them.
    fn from_str(text: &str) -> Result<Self, AuthorityError> {
        let host_end = text.rfind(']').map_or(0, |bracket| bracket + 1);
        let host_end = text[host_end..]
            .find(':')
            .map_or(text.len(), |colon| host_end + colon);
        let (host, rest) = text.split_at(host_end);
        Ok(Self {
            host: parse_host(host).ok_or(AuthorityError)?,
            port: parse_port(rest)?,
        })
    }
}

fn parse_host(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[') {
        let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let valid = !host.is_empty() && host.bytes().all(allowed);
    valid.then(|| host.to_ascii_lowercase())
}

/// The port in nothing, `:` or `:80`.
fn parse_port(rest: &str) -> Result<Option<u16>, AuthorityError> {
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Ok(None),
        Some("") => Ok(None),
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.parse().map(Some).map_err(|_| AuthorityError)
        }
        _ => Err(AuthorityError),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_authority_are_equal() {
        for (a, b) in [
            ("LocalHost:80", "localhost:0080"),
            ("a.example", "A.Example:"),
            ("[0:0::1]:1", "[::1]:1"),
        ] {
            let parse = |text: &str| text.parse::<Authority>().expect(text);
            assert_eq!(parse(a), parse(b));
        }
    }

    #[test]
    fn what_is_no_authority_is_refused() {
        for text in [
            "", ":80", "a b", "a:b", "a:80:80", "a:65536", "a:+80", "a/", "u@a", "[::1", "::1",
            "[::1]x", "x[::1]", "[a]", "[]", "é", "a%41",
        ] {
            assert_eq!(text.parse::<Authority>(), Err(AuthorityError), "{text}");
        }
    }
}
