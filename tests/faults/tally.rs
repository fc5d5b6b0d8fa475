//! How many faults a part injected, and how many the program survived.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether the long form was asked for.
pub fn is_long() -> bool {
    std::env::var("DEX_DIR_FAULTS").is_ok_and(|form| form == "long")
}

/// So many in the short form, so many in the long one.
pub fn short_or_long(short: usize, long: usize) -> usize {
    if is_long() { long } else { short }
}

/// Whether `check` doesn't fail.
pub fn survives(check: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(check)).is_ok()
}

/// The count of one part.
pub struct Tally {
    part: &'static str,
    listed: usize,
    injected: usize,
    survived: usize,
}

impl Tally {
    /// Of a part that must inject at least as many faults as are `listed`.
    pub fn new(part: &'static str, listed: usize) -> Self {
        Self {
            part,
            listed,
            injected: 0,
            survived: 0,
        }
    }

    /// Counts a fault that was injected. It was survived unless `check` fails.
    pub fn fault(&mut self, name: &str, check: impl FnOnce()) {
        self.count(name, survives(check));
    }

    /// Counts a fault of which is known whether it was survived.
    pub fn count(&mut self, name: &str, survived: bool) {
        self.injected += 1;
        if survived {
            self.survived += 1;
        } else {
            println!("not survived: {name}");
        }
    }

    /// Whether there are more to inject than were.
    pub fn lacks_faults(&self) -> bool {
        self.injected < self.listed
    }

    /// Says the count, and fails if a fault was not survived or not injected.
    pub fn finish(self) {
        let Self {
            part,
            listed,
            injected,
            survived,
        } = self;
        println!("{part}: {injected} injected, {survived} survived");
        assert_eq!(injected, survived, "{part}: some were not survived");
        assert!(listed > 0 && injected >= listed, "{part}: {listed} listed");
    }
}
