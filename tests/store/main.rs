//! The back ends through the library. A binary of its own, in which next to no process is started:
//! between its start and its first instruction a child holds the locks of its parent's threads.

// A test puts files into place as a person does, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::panic)]
// One binary: `pub` in a module means the whole of it. The harness has more than is used here.
#![allow(unreachable_pub, dead_code, clippy::print_stdout)]

#[path = "../it/harness.rs"]
mod harness;

mod conformance;
mod local_store;
