//! What only the disk has, through the library: links, kinds of files, modes, locks, and what a
//! killed writer or a person left there. Each test ends by checking that no temporary file is left.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use dex_dir::directory::{Directory, Saved};
use dex_dir::email::CanonicalEmail;
use dex_dir::error::Error;
use dex_dir::profile::CustomerProfile;
use dex_dir::store::local::LocalStore;

use crate::harness::{ALICE, Sandbox, profile_json};

mod kinds;
mod left_over;
mod locks;
mod modes;

const LEFT_OVER: &str = ".partition-278.tmp";

fn store(sandbox: &Sandbox) -> Arc<LocalStore> {
    Arc::new(LocalStore::new(sandbox.dir()))
}

/// A directory that was started, by the library.
fn started() -> (Sandbox, Directory) {
    let sandbox = Sandbox::new();
    let directory = Directory::start(store(&sandbox)).expect("started");
    (sandbox, directory)
}

/// The same with Alice in it.
fn with_alice() -> (Sandbox, Directory) {
    let (sandbox, directory) = started();
    upsert(&directory, "Alice").expect("saved");
    (sandbox, directory)
}

/// Saves Alice's profile under this name.
fn upsert(directory: &Directory, name: &str) -> Result<Saved, Error> {
    let profile = CustomerProfile::from_json(&profile_json(ALICE, name));
    directory.upsert(&profile.expect("a profile"))
}

/// Alice's profile.
fn get(directory: &Directory) -> Result<Option<String>, Error> {
    let alice = CanonicalEmail::parse(ALICE).expect("an address");
    let found = directory.get(&alice)?;
    Ok(found.map(|profile| profile.as_json().to_owned()))
}

fn assert_saved(directory: &Directory, name: &str) {
    upsert(directory, name).expect("saved");
    assert_stored(directory, name);
}

fn assert_stored(directory: &Directory, name: &str) {
    let stored = get(directory).expect("sound");
    assert_eq!(stored, Some(profile_json(ALICE, name)));
}

/// What an error says to a person, causes included.
fn told(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("a file").mode() & 0o7777
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("changed");
}

/// Fails if `operation` takes so long that it must be waiting for something.
fn at_once<T: Send + 'static>(operation: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || sender.send(operation()));
    answer
        .recv_timeout(Duration::from_secs(20))
        .expect("an answer at once")
}
