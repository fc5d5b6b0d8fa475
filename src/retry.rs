//! Waiting out lock conflicts, for callers that asked for it: by default nobody waits.

use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};

const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// The pauses between tries, until the time for them is up.
///
/// They grow exponentially with full jitter, as in *Exponential Backoff and Jitter* (AWS
/// Architecture Blog, 2015), so that many waiting writers don't meet again at each try. The last
/// try is made when the time is up, not before.
#[derive(Debug)]
pub struct Pauses {
    /// Never, if it is farther away than time goes.
    end: Option<Instant>,
    longest: Duration,
}

impl Pauses {
    /// The pauses of somebody who waits so long from now on.
    #[must_use]
    pub fn during(wait: Duration) -> Self {
        Self {
            end: Instant::now().checked_add(wait),
            longest: FIRST_PAUSE,
        }
    }
}

impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let left = self.end.map_or(LONGEST_PAUSE, |end| {
            end.saturating_duration_since(Instant::now())
        });
        let pause = self.longest.mul_f64(fastrand::f64()).min(left);
        self.longest = (self.longest * 2).min(LONGEST_PAUSE);
        (!left.is_zero()).then_some(pause)
    }
}

/// Does `operation`, and again on a lock conflict until `wait` has passed. A `wait` of zero tries
/// once.
pub fn on_lock_conflict<T>(
    wait: Duration,
    mut operation: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut pauses = Pauses::during(wait);
    loop {
        // Before the try, so that one is made when the time is up.
        let pause = pauses.next();
        match (operation(), pause) {
            (Err(error), Some(pause)) if error.kind() == ErrorKind::LockConflict => {
                thread::sleep(pause);
            }
            (result, _) => return result,
        }
    }
}
