//! A customer directory: profiles looked up and saved by e-mail address, in a plain directory of
//! readable JSON files.
//!
//! The way of a profile, which is also the order of the modules:
//!
//! 1. [`email`]: an address becomes a canonical e-mail;
//! 2. [`partition`]: a canonical e-mail is hashed to one of 1,000 partitions;
//! 3. [`profile`]: four fields become a valid profile;
//! 4. [`document`]: a profile is found or replaced in the bytes of its partition
//!    ([`json`] reads objects without touching their values);
//! 5. [`store`]: a partition's bytes are read without a lock, and replaced whole under one;
//! 6. [`directory`]: all of it together, as [`directory::Directory`]: what the command line
//!    and the HTTP API both call ([`manifest`] says what a directory is, [`retry`] waits out
//!    lock conflicts, [`import`] saves many profiles at once, [`edit`] changes a partition by
//!    hand, [`error`] is what can go wrong);
//! 7. [`verify`] and [`stats`]: the whole directory, looked at by the person responsible for it.
//!
//! ```
//! use std::{path::PathBuf, sync::Arc};
//! use dex_dir::{directory::Directory, email::CanonicalEmail, profile::CustomerProfile};
//! use dex_dir::store::local::LocalStore;
//!
//! # let temporary = tempfile::tempdir()?;
//! # let path: PathBuf = temporary.path().join("customers");
//! let directory = Directory::start(Arc::new(LocalStore::new(path)))?;
//! let alice = CanonicalEmail::parse("Alice@example.com")?;
//! let profile =
//!     CustomerProfile::new(alice.clone(), "Alice Smith", "Acme", "gold")?;
//! directory.upsert(&profile)?;
//! assert!(directory.get(&alice)?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("dex-dir runs on Linux and macOS: it relies on flock(2) and on atomic rename");

pub mod email;
pub mod partition;
pub mod profile;

pub mod document;
pub mod json;

pub mod store;

pub mod directory;
pub mod edit;
pub mod error;
pub mod import;
pub mod manifest;
pub mod retry;

pub mod cache;
mod in_order;
mod lookup;
pub mod stats;
pub mod verify;

pub mod escape;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "http")]
pub mod http;
