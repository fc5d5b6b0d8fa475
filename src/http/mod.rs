//! The HTTP API: routes to the directory and back, with no decisions of its own.
//!
//! [`serve`] is the whole of it. A request passes, in this order: the access log, a net under
//! panics, the checks of `Host` and `Origin`, the route, and then its resource, which reads the
//! request, does its work on the store off the asynchronous threads, and answers. Nothing is kept
//! between two requests: each opens the directory anew.

mod access_log;
mod answer;
mod authority;
mod code;
mod condition;
mod config;
mod customer_profile;
mod failure;
mod gate;
mod health;
mod host;
mod log;
mod metered;
mod metrics;
mod openapi;
mod origin;
mod page;
mod payload;
mod prefer;
pub mod query;
mod request_body;
mod route;
mod router;
mod server;
mod service;
mod start;
mod stats;
mod token;
mod work;

pub use authority::{Authority, AuthorityError};
pub use code::Code;
pub use config::Config;
pub use host::is_loopback;
pub use log::without_panic_texts;
pub use openapi::OPENAPI;
pub use origin::{Origin, OriginError, Origins};
pub use server::serve;
pub use token::{Tokens, TokensError};
