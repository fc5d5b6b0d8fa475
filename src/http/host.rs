//! Which names a server on a loopback address answers to. A web page that the operator visits can
//! have a name of its own point to 127.0.0.1, but it can't send another name than its own.

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, Uri, header, uri};

use super::Authority;

/// Whether `ip` is this machine's own address, which no other machine can reach.
#[must_use]
pub fn is_loopback(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

/// All authorities that a request names as its server: that of `Host` and, if the target is in
/// absolute form, that of the target. None if `Host` isn't given exactly once, or any is malformed.
pub(super) fn named_by(headers: &HeaderMap, target: &Uri) -> Vec<Authority> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Vec::new();
    };
    let Ok(host) = host.to_str() else {
        return Vec::new();
    };
    let target = target.authority().map(uri::Authority::as_str);
    let parsed: Result<_, _> = [host].into_iter().chain(target).map(str::parse).collect();
    parsed.unwrap_or_default()
}

/// Whether each of `named`, and there must be one, is a loopback name or an allowed one.
pub(super) fn all_allowed(named: &[Authority], allowed: &[Authority]) -> bool {
    let is_allowed = |name: &Authority| {
        is_loopback_name(name.host()) || allowed.iter().any(|allowed| covers(allowed, name))
    };
    !named.is_empty() && named.iter().all(is_allowed)
}

fn is_loopback_name(host: &str) -> bool {
    let address: Option<Ipv4Addr> = host.parse().ok();
    host == "localhost"
        || host == "[::1]"
        || host
            .strip_suffix(".localhost")
            .is_some_and(|s| !s.is_empty())
        || address.is_some_and(|address| address.is_loopback())
}

fn covers(allowed: &Authority, name: &Authority) -> bool {
    allowed.host() == name.host() && (allowed.port().is_none() || allowed.port() == name.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(name: &str, allowed: &str) -> bool {
        let parse = |text: &str| text.parse::<Authority>().expect(text);
        all_allowed(&[parse(name)], &[parse(allowed)])
    }

    #[test]
    fn only_loopback_names_are_allowed_by_default() {
        for name in ["localhost", "A.LOCALHOST:1", "127.9.9.9:80", "[0::1]:80"] {
            assert!(allowed(name, "other"), "{name}");
        }
        for name in [
            "example.com",
            "notlocalhost",
            ".localhost",
            "localhost.example.com",
            "127.0.0.1.example.com",
            "127.1",
            "128.0.0.1",
            "[::2]",
            "0.0.0.0",
        ] {
            assert!(!allowed(name, "other"), "{name}");
        }
    }

    #[test]
    fn an_allowed_name_stands_for_all_ports_unless_it_has_one() {
        assert!(allowed("Dir.Example:81", "dir.example"));
        assert!(allowed("dir.example:81", "dir.EXAMPLE:81"));
        assert!(!allowed("dir.example:82", "dir.example:81"));
        assert!(!allowed("dir.example", "dir.example:81"));
    }
}
