//! What the log may be told. No event holds an e-mail address, a name, a query, a token or any part
//! of a body. Where events go is for whoever runs the server to say.

use std::panic;

/// What the log is told about a failure and the client isn't; part of a response until it is
/// logged.
#[derive(Clone, Debug)]
pub(super) struct Detail(pub(super) String);

/// From now on panics of this process are logged by their place alone: their texts can hold what
/// was worked on.
pub fn without_panic_texts() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        tracing::error!(at = place.unwrap_or_default(), "panicked");
    }));
}
