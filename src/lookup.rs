//! One profile found in a partition by reading little of it: a binary search over the sorted lines
//! of the canonical layout, as of 2,000 bytes as of two million.
//!
//! It only ever finds. Whatever is unusual on the way, and that an address isn't there, is for
//! whoever reads and checks the whole. It takes a line for what it looks like: of two slips, of which
//! one leaves a profile open and the other closes it some lines later, so that the lines between
//! them are its members, it sees nothing.

use std::cmp::Ordering;

use crate::document::canonical::{BEGINNING, ENDING, plain_string};
use crate::document::stored;
use crate::email::CanonicalEmail;
use crate::profile::StoredProfile;
use crate::store::{Snapshot, StoreError};

/// What is left of a search once it is cheaper to read on than to seek: about one page.
const SCAN_BYTES: u64 = 4096;

/// How much is read on either side of where a line is looked for: enough for most lines, then for
/// long ones, then for almost the longest.
const REACHES: [u64; 4] = [256, 2048, 16_384, 65_536];

/// The profile of `email`, if it stands in a line of the canonical layout between its neighbours,
/// and all about it is as it should be.
pub(crate) fn find(
    snapshot: &dyn Snapshot,
    email: &CanonicalEmail,
) -> Result<Option<StoredProfile>, StoreError> {
    let Some(mut lines) = Lines::of(snapshot)? else {
        return Ok(None);
    };
    while lines.end - lines.begin > SCAN_BYTES {
        let before = (lines.begin, lines.end);
        if !lines.narrow(email.as_str())? {
            return Ok(None);
        }
        if before == (lines.begin, lines.end) {
            break;
        }
    }
    let bytes = read(snapshot, lines.begin, lines.end)?;
    let text = str::from_utf8(&bytes).unwrap_or_default();
    let is_last = |rest: &str| lines.end == lines.all_end && rest.is_empty();
    Ok(profile_in(text, email, is_last))
}

/// The lines of a partition among which an address must be, if it is there: all before `begin` are
/// less, and the one at `end` is greater.
struct Lines<'s> {
    snapshot: &'s dyn Snapshot,
    begin: u64,
    end: u64,
    /// Where the last line of all ends.
    all_end: u64,
}

impl<'s> Lines<'s> {
    /// All lines of a file whose frame is canonical.
    fn of(snapshot: &'s dyn Snapshot) -> Result<Option<Self>, StoreError> {
        let begin = BEGINNING.len() as u64;
        let Some(end) = snapshot.size().checked_sub(ENDING.len() as u64) else {
            return Ok(None);
        };
        if end <= begin
            || read(snapshot, 0, begin)? != BEGINNING.as_bytes()
            || read(snapshot, end - 1, snapshot.size())? != [b"\n", ENDING.as_bytes()].concat()
        {
            return Ok(None);
        }
        Ok(Some(Self {
            snapshot,
            begin,
            end,
            all_end: end,
        }))
    }

    /// Leaves out the lines on the other side of the one in the middle; false if that isn't a line
    /// of the canonical layout.
    fn narrow(&mut self, email: &str) -> Result<bool, StoreError> {
        let middle = self.begin.midpoint(self.end);
        for reach in REACHES {
            let from = middle.saturating_sub(reach).max(self.begin);
            let to = (middle + reach).min(self.end);
            let bytes = read(self.snapshot, from, to)?;
            let at = |place: usize| from + place as u64;
            let Some(line) = self.line_across(&bytes, from, middle) else {
                continue;
            };
            let text = beginning_in_utf8(&bytes[line..]);
            let Some((key, _)) = plain_string(text) else {
                continue;
            };
            match (key.cmp(email), line_end(&bytes, line)) {
                (Ordering::Less, Some(after)) => self.begin = at(after),
                (Ordering::Greater, _) => self.end = at(line),
                // The next line stays, as the neighbour that is greater.
                (Ordering::Equal, Some(after)) => match line_end(&bytes, after) {
                    Some(next) => self.end = at(next),
                    None if at(after) == self.end => {}
                    None => continue,
                },
                (Ordering::Less | Ordering::Equal, None) => continue,
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Where the line begins in `bytes` that holds the byte at `middle`.
    fn line_across(&self, bytes: &[u8], from: u64, middle: u64) -> Option<usize> {
        let before = usize::try_from(middle - from).ok()?;
        let line_break = bytes.get(..before)?.iter().rposition(|&b| b == b'\n');
        match line_break {
            Some(at) => Some(at + 1),
            None => (from == self.begin).then_some(0),
        }
    }
}

/// The profile of `email` among these lines, each of which must be greater than the one before.
fn profile_in(
    lines: &str,
    email: &CanonicalEmail,
    is_last: impl Fn(&str) -> bool,
) -> Option<StoredProfile> {
    let (mut rest, mut found, mut last) = (lines, None, "");
    while !rest.is_empty() {
        let (key, after_key) = plain_string(rest)?;
        let (line, after) = after_key.strip_prefix(':')?.split_once('\n')?;
        let profile = if is_last(after) {
            line
        } else {
            line.strip_suffix(',')?
        };
        let is_in_order = last.is_empty() || last < key;
        if !is_in_order || !profile.starts_with('{') || !profile.ends_with('}') {
            return None;
        }
        if key == email.as_str() {
            found = Some(profile);
        }
        (rest, last) = (after, key);
    }
    stored(found?, email)
}

/// Where the line ends that begins at `line`.
fn line_end(bytes: &[u8], line: usize) -> Option<usize> {
    let line_break = bytes.get(line..)?.iter().position(|&b| b == b'\n')?;
    Some(line + line_break + 1)
}

/// As much of the beginning as is text.
fn beginning_in_utf8(bytes: &[u8]) -> &str {
    let valid = |error: std::str::Utf8Error| str::from_utf8(&bytes[..error.valid_up_to()]);
    str::from_utf8(bytes).or_else(valid).unwrap_or_default()
}

fn read(snapshot: &dyn Snapshot, from: u64, to: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(0)];
    snapshot.read_exact_at(&mut bytes, from)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;
    use crate::profile::CustomerProfile;
    use crate::store::Version;

    /// A partition in memory that counts what is read of it.
    struct Counted {
        bytes: Vec<u8>,
        read: Cell<usize>,
    }

    impl Snapshot for Counted {
        fn size(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn version(&self) -> Version {
            Version::new([])
        }

        fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), StoreError> {
            let offset = usize::try_from(offset).expect("in the file");
            buffer.copy_from_slice(&self.bytes[offset..offset + buffer.len()]);
            self.read.set(self.read.get() + buffer.len());
            Ok(())
        }

        fn read(&self) -> Result<Vec<u8>, StoreError> {
            unreachable!("a lookup never reads the whole");
        }
    }

    fn email(i: usize) -> CanonicalEmail {
        CanonicalEmail::parse(&format!("customer-{i:06}@example.com")).expect("an address")
    }

    /// A file with so many customers, some of whose names take up to twice so many bytes.
    fn file(customers: usize, longest: usize) -> Vec<u8> {
        let profile = |i: usize| {
            let name = "é".repeat(1 + if i % 7 == 3 { i * 37 % longest } else { 9 });
            CustomerProfile::new(email(i), &name, "Acme", "gold").expect("a profile")
        };
        let profiles: Vec<_> = (0..customers).map(profile).collect();
        let mut document = Document::empty();
        for profile in &profiles {
            let _upserted = document.upsert(profile);
        }
        document.to_bytes()
    }

    fn find_in(bytes: Vec<u8>, email: &CanonicalEmail) -> (Option<StoredProfile>, usize) {
        let read = Cell::new(0);
        let snapshot = Counted { bytes, read };
        let found = find(&snapshot, email).expect("read");
        (found, snapshot.read.get())
    }

    #[test]
    fn every_profile_is_found_and_little_is_read() {
        for (customers, longest, most) in [
            (1, 10, 5_000),
            (2, 10, 5_000),
            (3, 30_000, 5_000),
            (30, 10, 8_000),
            (2_000, 10, 12_000),
            (20_000, 10, 16_000),
            (500, 3_000, 200_000),
        ] {
            let file = file(customers, longest);
            let document = Document::parse(&file).expect("sound");
            for i in (0..customers).step_by(1 + customers / 50) {
                let (found, read) = find_in(file.clone(), &email(i));
                assert_eq!(Ok(found), document.get(&email(i)), "{i} of {customers}");
                assert!(read < most, "{read} bytes read for {i} of {customers}");
            }
            for i in [customers, customers + 1] {
                assert_eq!(find_in(file.clone(), &email(i)).0, None);
            }
        }
    }

    #[test]
    fn what_is_unusual_about_the_line_or_the_frame_is_left_to_others() {
        let file = String::from_utf8(file(3, 10)).expect("text");
        for (from, to) in [
            ("\n}}\n", "\n}}"),
            ("\n}}\n", "\n},\n\"x\":1\n}\n"),
            ("{\"profiles", " {\"profiles"),
            ("\"customer-000001@", "\"customer-000003@"),
            (
                "\"customer-000001@example.com\":{",
                "\"customer-000001@example.com\": {",
            ),
            (
                "{\"emailAddress\":\"customer-000001@",
                "{\"emailAddress\":\"other@",
            ),
            ("\"customer-000000@", "\"customer-000002@"),
            ("\"customer-000002@", "\"customer-000000@"),
            ("\n\"customer-000001@", "\"customer-000001@"),
        ] {
            let other = file.replacen(from, to, 1);
            assert_ne!(other, file, "{from}");
            assert_eq!(find_in(other.into_bytes(), &email(1)).0, None, "{to}");
        }
    }

    proptest! {
        #[test]
        fn what_is_found_after_a_slip_is_what_reading_the_whole_would_find(
            customers in 1..60_usize,
            asked in 0..60_usize,
            edits in prop::collection::vec((0..1000_usize, 0..200_usize, "[ -~\n]?"), 0..2),
        ) {
            let mut file = String::from_utf8(file(customers, 200)).expect("text");
            for (at, length, text) in edits {
                let at = file.floor_char_boundary(file.len() * at / 1000);
                let end = file.floor_char_boundary(at + length);
                file.replace_range(at..end, &text);
            }
            let (found, _) = find_in(file.clone().into_bytes(), &email(asked));
            if let (Some(found), Ok(document)) = (found, Document::parse(file.as_bytes())) {
                prop_assert_eq!(Ok(Some(found)), document.get(&email(asked)));
            }
        }
    }
}
