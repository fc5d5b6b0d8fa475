//! From a canonical e-mail to the partition that holds it: pure, and pinned by known answers,
//! because a mistake here loses people's data without a word.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::email::CanonicalEmail;

/// One of the [`Partition::COUNT`] parts of a directory.
///
/// Its number is the 32-bit FNV-1a hash of the canonical e-mail, modulo the count.
/// The hash is by Fowler, Noll and Vo: <http://www.isthe.com/chongo/tech/comp/fnv/>.
///
/// ```
/// use dex_dir::{email::CanonicalEmail, partition::Partition};
///
/// let email = CanonicalEmail::parse("alice@example.com")?;
/// assert_eq!(Partition::of(&email).to_string(), "partition-278");
/// # Ok::<(), dex_dir::email::EmailError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(u16);

impl Partition {
    /// How many partitions a directory has. It never changes: every address would move.
    pub const COUNT: u16 = 1000;

    /// The partition in which `email` lives, whether or not there is such a profile.
    #[must_use]
    pub fn of(email: &CanonicalEmail) -> Self {
        Self::containing(fnv1a_32(email.as_str().as_bytes()))
    }

    /// The partition that an address with this hash belongs to.
    fn containing(hash: u32) -> Self {
        let number = hash % u32::from(Self::COUNT);
        // A remainder of COUNT always fits: COUNT is a u16 itself.
        Self(u16::try_from(number).unwrap_or_default())
    }

    /// The partition with this number, if there is one.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        (number < Self::COUNT).then_some(Self(number))
    }

    /// The partition with this name, which is exactly `partition-` and three digits.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let digits = name.strip_prefix("partition-")?;
        let exact = digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit());
        exact.then(|| digits.parse().ok().and_then(Self::from_number))?
    }

    /// Its number, 0 to 999.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "partition-{:03}", self.0)
    }
}

impl Serialize for Partition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The 32-bit FNV-1a hash of these bytes, which are those of a canonical e-mail.
#[must_use]
pub fn fnv1a_32(bytes: &[u8]) -> u32 {
    const OFFSET_BASIS: u32 = 2_166_136_261;
    const PRIME: u32 = 16_777_619;
    bytes.iter().fold(OFFSET_BASIS, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_is_named_by_exactly_three_digits() {
        assert_eq!(Partition::from_name("partition-007"), Some(Partition(7)));
        for stray in [
            "partition-7",
            "partition-0007",
            "partition-+07",
            "Partition-007",
        ] {
            assert_eq!(Partition::from_name(stray), None, "{stray}");
        }
    }

    #[test]
    fn there_is_no_thousandth_partition() {
        assert_eq!(Partition::from_number(999), Some(Partition(999)));
        assert_eq!(Partition::from_number(1000), None);
    }
}
