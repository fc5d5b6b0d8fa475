//! The checks that come before any route: `Host`, then `Origin`. With the content type that a
//! resource asks for they keep web pages that the operator visits away from the directory.

use axum_core::extract::Request;

use super::code::Code;
use super::failure::Failure;
use super::service::Service;
use super::{host, origin};

/// Fails unless a request is meant for this server and comes from no foreign web page.
pub(super) fn check(service: &Service, request: &Request) -> Result<(), Failure> {
    let named = host::named_by(request.headers(), request.uri());
    // On an address that others can reach, any name may be the right one.
    if service.on_loopback && !host::all_allowed(&named, &service.config.allowed_hosts) {
        let text = "this server does not answer for that Host; allow it with --allow-host";
        return Err(Failure::new(Code::MisdirectedRequest, text));
    }
    if !origin::is_allowed(request.headers(), &named, &service.config.origins) {
        let text =
            "web pages of another origin may not use this server; allow one with --cors-origin";
        return Err(Failure::new(Code::OriginNotAllowed, text));
    }
    Ok(())
}
