//! One address under load: what was reported to be saved, and what may have been saved since.

use std::collections::BTreeSet;

use dex_dir::email::CanonicalEmail;
use dex_dir::partition::Partition;

use crate::harness::{Sandbox, profile_json};

/// An address that one writer alone saves.
pub struct Address {
    pub email: String,
    possible: BTreeSet<Option<String>>,
    saves: usize,
}

impl Address {
    /// One that was never saved.
    pub fn new(email: String) -> Self {
        Self {
            email,
            possible: BTreeSet::from([None]),
            saves: 0,
        }
    }

    /// The name to save next.
    pub fn next(&mut self) -> String {
        self.saves += 1;
        let name = format!("save {}", self.saves);
        self.possible.insert(Some(profile_json(&self.email, &name)));
        name
    }

    /// This was reported, so nothing else is possible.
    pub fn reported(&mut self, profile: &str) {
        self.possible = BTreeSet::from([Some(profile.to_owned())]);
    }

    /// Fails unless what is there is possible. Somebody has seen it now.
    pub fn look_up(&mut self, sandbox: &Sandbox) {
        let finished = sandbox.run(&["get", "--email", &self.email]);
        let found = match finished.status() {
            0 => Some(finished.stdout().trim_end().to_owned()),
            1 => None,
            status => panic!("{status}: {}", finished.stderr()),
        };
        assert!(
            self.possible.contains(&found),
            "{found:?} of {:?}",
            self.possible
        );
        self.possible = BTreeSet::from([found]);
    }

    /// The temporary file of its partition.
    pub fn temporary(&self) -> String {
        let email = CanonicalEmail::parse(&self.email).expect("an address");
        format!(".{}.tmp", Partition::of(&email))
    }
}
