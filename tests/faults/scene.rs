//! What a fault meets: a directory in some state, and Alice's save into it.

use crate::calls::Call;
use crate::harness::{ALICE, Sandbox};
use crate::tally::is_long;
use crate::tree::Tree;

/// Alice's partition, below the folder of a sandbox.
pub const PARTITION: &str = "customers/partition-278.json";
/// The temporary file of a writer at work in another partition, for all that anybody can see.
pub const FOREIGN: &str = ".partition-145.tmp";

/// The arguments that save Alice under this name.
pub const fn save(name: &str) -> [&str; 9] {
    save_of(ALICE, name)
}

/// The arguments that save somebody.
pub const fn save_of<'a>(email: &'a str, name: &'a str) -> [&'a str; 9] {
    [
        "upsert",
        "--email",
        email,
        "--full-name",
        name,
        "--company-name",
        "Acme",
        "--customer-tier",
        "gold",
    ]
}

/// Saves Alice under this name.
pub fn save_as(name: &'static str) -> impl Fn(&Sandbox) {
    move |sandbox| {
        sandbox.ok(&save(name));
    }
}

/// A directory with a neighbour, somebody else's temporary file, and what `prepare` adds.
pub fn directory(prepare: impl Fn(&Sandbox)) -> Tree {
    let sandbox = Sandbox::started();
    sandbox.upsert("bob@example.com", "Bob", &[]);
    sandbox.write(FOREIGN, "somebody's");
    prepare(&sandbox);
    Tree::of(sandbox.root())
}

/// A sandbox with these files in it.
pub fn copy(tree: &Tree) -> Sandbox {
    let sandbox = Sandbox::new();
    tree.put(sandbox.root());
    sandbox
}

/// The calls from the first one that touches the directory on.
pub fn work(calls: &[Call], sandbox: &Sandbox) -> Vec<Call> {
    let dir = sandbox.dir();
    let dir = dir.to_str().expect("UTF-8");
    // Starting the program names the directory too.
    let is_work = |call: &Call| call.name != "execve" && call.has(&[dir]);
    let begin = calls.iter().position(is_work).expect("work");
    let work = calls[begin..].to_vec();
    assert!(work.iter().any(|call| call.has(&["write(1<"])), "no report");
    work
}

/// In the long form all calls, from the program's start on; else its [`work`].
pub fn moments(calls: &[Call], sandbox: &Sandbox) -> Vec<Call> {
    if is_long() {
        // The first is the start itself: nothing can be injected before.
        calls[1..].to_vec()
    } else {
        work(calls, sandbox)
    }
}
