//! Nothing that was reported is lost, and nothing is half written, whatever fails: each part injects
//! one kind of fault into the real program. `docs/durability.md` says what each is for.
//!
//! By default the parts are short. `DEX_DIR_FAULTS=long cargo test --test faults -- --show-output` runs
//! the long form, and shows how many faults were injected and survived.

// A test puts files into place as a person does, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::panic)]
// What was injected is said where the test runner shows it.
#![allow(clippy::print_stdout)]
// One binary: `pub` in a module means the whole of it. The harness has more than is used here.
#![allow(unreachable_pub, dead_code)]

#[path = "../it/client.rs"]
mod client;
#[path = "../it/harness.rs"]
mod harness;
#[path = "../it/server.rs"]
mod server;

mod calls;
mod mounts;
mod scene;
mod tally;
mod tree;

mod failing;
mod kill;
mod load;
mod order;
mod power_cut;
mod surroundings;
