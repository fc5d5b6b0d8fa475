//! How long a file has been as it is, by the clock of its file system and the system's.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// Longer than the clock of any file system stands still: two seconds on the coarsest.
const GRAIN: Duration = Duration::from_secs(3);

/// Whether a file was changed so long ago that another change would show in its times.
pub(super) fn is_settled(metadata: &Metadata) -> bool {
    since(metadata.ctime()).is_some_and(|age| age >= GRAIN)
}

/// How long ago it was changed, by whatever means, at this second of a file's time; `None` if that
/// is in the future.
pub(super) fn since(second: i64) -> Option<Duration> {
    let second = u64::try_from(second).ok()?;
    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
    changed.elapsed().ok()
}
