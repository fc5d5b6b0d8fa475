//! The program and the library as their users meet them, one file per theme.

// A test puts files into place as a person does, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::panic)]
// What is left out is said where the test runner shows it.
#![allow(clippy::print_stdout)]
// One binary: `pub` in a module means the whole of it.
#![allow(unreachable_pub)]

mod client;
mod embedded;
mod harness;
mod server;

mod both_ways;
mod cache_model;
mod commands;
mod completions;
mod corruption;
mod directories;
mod document;
mod document_check;
mod document_corrupt;
mod document_model;
mod documents;
mod edit;
mod edit_again;
mod edit_by_hand;
mod edit_meanwhile;
mod edit_refused;
mod edit_repair;
mod edit_terminal;
mod edit_through;
mod http_access;
mod http_bodies;
mod http_crowd;
mod http_failures;
mod http_gate;
mod http_listen;
mod http_log;
mod http_model;
mod http_page;
mod http_requests;
mod http_routes;
mod http_stop;
mod http_versions;
mod import;
mod import_model;
mod import_stop;
mod locks;
mod lookups;
mod moving;
mod odd_bytes;
mod openapi;
mod partitions;
mod stats;
mod usage;
mod verify;
mod verify_at_work;
mod verify_files;
