//! The page in a real browser, on the real server. Left out, and said so, where there is no
//! chromium with its driver, which is a failure where `CI` is set. `target/screenshots` has a picture of
//! each state.

// A test puts files into place as a person does, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::panic)]
// What is left out is said where the test runner shows it.
#![allow(clippy::print_stdout)]
// One binary: `pub` in a module means the whole of it. The harness has more than is used here.
#![allow(unreachable_pub, dead_code)]

#[path = "../it/client.rs"]
mod client;
#[path = "../it/harness.rs"]
mod harness;
#[path = "../it/server.rs"]
mod server;

mod browser;

mod foreign_page;
mod layout;
mod look_up_and_save;
mod two_writers;
mod who_may;
