//! Waiting out lock conflicts, for callers that asked for it: by default nobody waits.

use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};

const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Does `operation`, and again on a lock conflict until `wait` has passed.
///
/// The pauses grow exponentially with full jitter, as in *Exponential Backoff and Jitter* (AWS
/// Architecture Blog, 2015), so that many waiting writers don't meet again at each try. A `wait` of
/// zero tries once. The last try is made when the time is up, not before.
pub fn on_lock_conflict<T>(
    wait: Duration,
    mut operation: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let begun = Instant::now();
    let mut longest = FIRST_PAUSE;
    loop {
        let left = wait.saturating_sub(begun.elapsed());
        match operation() {
            Err(error) if error.kind() == ErrorKind::LockConflict && !left.is_zero() => {
                thread::sleep(longest.mul_f64(fastrand::f64()).min(left));
                longest = (longest * 2).min(LONGEST_PAUSE);
            }
            result => return result,
        }
    }
}
