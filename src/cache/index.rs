//! Where the lines of one state of a partition begin, by a hash of their addresses: one read finds a
//! profile, and none finds that there isn't one.

use std::borrow::Cow;
use std::mem;

use super::NotNow;
use crate::document::canonical::plain_string;
use crate::document::{Document, stored};
use crate::email::CanonicalEmail;
use crate::partition::fnv1a_32;
use crate::profile::StoredProfile;
use crate::store::Snapshot;

/// How many addresses with one hash are looked through. More than two can only be somebody's purpose.
const MAX_SAME: usize = 8;

/// How much of a line is read at first, and if it is longer.
const REACHES: [usize; 2] = [512, 128 * 1024];

/// The lines of a partition in canonical layout that was read as a whole and found sound.
#[derive(Debug)]
pub(super) struct Index {
    /// In the order of the hashes.
    lines: Box<[Line]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    /// Of the key.
    hash: u32,
    /// Where it begins in the file.
    at: u32,
}

impl Index {
    /// That of these bytes; `None` if the file isn't sound, isn't in canonical layout, or holds more
    /// than 4 GiB.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let line = |(key, at): (Cow<str>, usize)| {
            let (hash, at) = (fnv1a_32(key.as_bytes()), u32::try_from(at).ok()?);
            Some(Line { hash, at })
        };
        let lines = Document::lines(bytes)?;
        let mut lines = lines.map(line).collect::<Option<Box<[_]>>>()?;
        lines.sort_unstable();
        Some(Self { lines })
    }

    /// How many bytes of memory it takes.
    pub(super) fn size(&self) -> usize {
        mem::size_of_val(&*self.lines)
    }

    /// The profile of `email` in the state of the partition that the index is of; `None` if it isn't
    /// there. It is an error if what there is can't be read now, or must be looked at by others.
    pub(super) fn find(
        &self,
        snapshot: &dyn Snapshot,
        email: &CanonicalEmail,
    ) -> Result<Option<StoredProfile>, NotNow> {
        let hash = fnv1a_32(email.as_str().as_bytes());
        let first = self.lines.partition_point(|line| line.hash < hash);
        let same = self.lines[first..].iter();
        for (i, line) in same.take_while(|line| line.hash == hash).enumerate() {
            let text = line_at(snapshot, line.at.into()).ok_or(NotNow)?;
            let (key, profile) = plain_string(&text).ok_or(NotNow)?;
            if key == email.as_str() {
                return profile_of(profile, email).map(Some).ok_or(NotNow);
            }
            if i == MAX_SAME {
                return Err(NotNow);
            }
        }
        Ok(None)
    }
}

/// The sound profile in what follows its key in a line.
fn profile_of(after_key: &str, email: &CanonicalEmail) -> Option<StoredProfile> {
    let profile = after_key.strip_prefix(':')?;
    stored(profile.strip_suffix(',').unwrap_or(profile), email)
}

/// The line that begins there, without its end.
fn line_at(snapshot: &dyn Snapshot, at: u64) -> Option<String> {
    let rest = usize::try_from(snapshot.size().checked_sub(at)?).ok()?;
    for reach in REACHES {
        let mut bytes = vec![0; reach.min(rest)];
        snapshot.read_exact_at(&mut bytes, at).ok()?;
        if let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            bytes.truncate(end);
            return String::from_utf8(bytes).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;
    use crate::partition::Partition;
    use crate::profile::CustomerProfile;
    use crate::store::memory::MemoryStore;
    use crate::store::{Begun, Store};
    use std::io::IoSlice;

    fn email(i: usize) -> CanonicalEmail {
        CanonicalEmail::parse(&format!("{i}@example.com")).expect("an address")
    }

    /// Two addresses with one hash, of which there are many among so many.
    fn two_with_one_hash() -> [CanonicalEmail; 2] {
        let mut seen = HashMap::new();
        let twice = (0..).map(email).find_map(|email| {
            let hash = fnv1a_32(email.as_str().as_bytes());
            let earlier = seen.insert(hash, email.clone())?;
            Some([earlier, email])
        });
        twice.expect("there are no more hashes than that")
    }

    /// A partition with these customers, and its index.
    fn indexed(emails: &[&CanonicalEmail], name: &str) -> (Box<dyn Snapshot>, Index) {
        let store = Arc::new(MemoryStore::default());
        let mut document = Document::empty();
        let profile =
            |email: &&CanonicalEmail| CustomerProfile::new((*email).clone(), name, "c", "t");
        let profiles: Vec<_> = emails
            .iter()
            .map(profile)
            .collect::<Result<_, _>>()
            .expect("profiles");
        for profile in &profiles {
            let _upserted = document.upsert(profile);
        }
        let bytes = document.to_bytes();
        let partition = Partition::of(emails[0]);
        let Begun { change, .. } = store.begin(partition).expect("begun");
        change
            .commit(&mut [IoSlice::new(&bytes)])
            .expect("committed");
        let snapshot = store.open(partition).expect("open").expect("there");
        (snapshot, Index::of(&bytes).expect("canonical"))
    }

    #[test]
    fn addresses_with_one_hash_are_told_apart() {
        let [one, other] = two_with_one_hash();
        let (snapshot, index) = indexed(&[&one, &other], "A");
        for email in [&one, &other] {
            let found = index
                .find(&*snapshot, email)
                .expect("known")
                .expect("there");
            assert!(found.as_json().contains(email.as_str()));
        }
        let (snapshot, index) = indexed(&[&one], "A");
        assert_eq!(index.find(&*snapshot, &other), Ok(None));
    }

    #[test]
    fn a_long_line_is_read_whole() {
        let (snapshot, index) = indexed(&[&email(1), &email(2)], &"é".repeat(30_000));
        let found = index.find(&*snapshot, &email(1)).expect("known");
        assert!(found.expect("there").as_json().len() > 60_000);
    }

    #[test]
    fn what_is_not_canonical_has_no_index() {
        for bytes in [
            &b""[..],
            b"{}",
            b"{\"profilesByCanonicalEmail\":{}}",
            b"\xFF",
        ] {
            assert!(Index::of(bytes).is_none());
        }
        assert_eq!(
            Index::of(&Document::empty().to_bytes()).map(|index| index.size()),
            Some(0)
        );
    }
}
