//! The program and the library as their users meet them, one file per theme.

// A test puts files into place as a person does, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::panic)]
// One binary: `pub` in a module means the whole of it.
#![allow(unreachable_pub)]

mod harness;

mod conformance;
mod document;
mod document_corrupt;
mod document_model;
mod local_store;
mod partitions;
