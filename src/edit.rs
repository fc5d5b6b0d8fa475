//! A partition changed by hand: what the text that comes back may do, and what it would change. It
//! never starts an editor and never asks anybody anything.

use std::path::PathBuf;

use crate::directory::{Directory, Replacement};
use crate::document::{Document, Remark};
use crate::error::Error;
use crate::partition::Partition;

mod changes;

pub use changes::Change;

/// A partition that was opened to be edited. No lock is held.
///
/// ```
/// use std::sync::Arc;
/// use dex_dir::directory::{Directory, Replacement};
/// use dex_dir::edit::{Change, Edit, Verdict};
/// use dex_dir::{email::CanonicalEmail, partition::Partition, profile::CustomerProfile};
/// # use dex_dir::store::memory::MemoryStore;
///
/// # let directory = Directory::start(Arc::new(MemoryStore::default()))?;
/// let alice = CanonicalEmail::parse("alice@example.com")?;
/// directory.upsert(&CustomerProfile::new(alice.clone(), "Alice", "Acme", "gold")?)?;
///
/// let edit = Edit::open(&directory, Partition::of(&alice))?;
/// let text = br#"{"profilesByCanonicalEmail":{}}"#;
/// let Verdict::Sound { document, changes } = edit.judge(text)? else { panic!("sound") };
/// assert_eq!(changes, [Change::Removed("alice@example.com".to_owned())]);
/// assert_eq!(edit.save(&document)?, Replacement::Done);
/// assert!(directory.get(&alice)?.is_none());
///
/// // What was opened is no longer there.
/// assert_eq!(edit.save(&document)?, Replacement::Outdated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Edit<'d> {
    directory: &'d Directory,
    partition: Partition,
    text: Vec<u8>,
    /// Whether the partition hasn't been written yet.
    is_new: bool,
}

/// What a text is, compared with the one that was opened.
#[derive(Debug)]
pub enum Verdict<'t> {
    /// It says the same, in whatever layout: there is nothing to save.
    Unchanged,
    /// It has problems that weren't there before, or is corrupt: here they are.
    Unsound(Vec<Remark>),
    /// It may be saved.
    Sound {
        /// What to save.
        document: Document<'t>,
        /// What that would change.
        changes: Vec<Change>,
    },
}

impl<'d> Edit<'d> {
    /// Opens a partition, sound or not. One that could not be replaced is refused.
    pub fn open(directory: &'d Directory, partition: Partition) -> Result<Self, Error> {
        let opened = directory.open_to_edit(partition)?;
        Ok(Self {
            directory,
            partition,
            is_new: opened.is_none(),
            text: opened.unwrap_or_else(|| Document::empty().to_bytes()),
        })
    }

    /// The text to edit: the bytes of the file, or those of an empty one if there is none yet.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The partition's file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.path_of(self.partition)
    }

    /// Judges a text that shall take the place of the one that was opened.
    ///
    /// A problem that was there before is tolerated, or nobody could mend one of two. It is an error if the
    /// file was corrupt and the text was left as it was.
    pub fn judge<'t>(&self, text: &'t [u8]) -> Result<Verdict<'t>, Error> {
        let parsed = Document::parse(text);
        if text == self.text {
            let unchanged = parsed.map(|_| Verdict::Unchanged);
            return unchanged.map_err(self.directory.corrupt(self.partition));
        }
        let problems = self.new_problems(text);
        Ok(match parsed {
            Ok(document) if problems.is_empty() => self.compare(document),
            _ => Verdict::Unsound(problems),
        })
    }

    fn new_problems(&self, text: &[u8]) -> Vec<Remark> {
        let problems_of = |text| {
            let remarks = Document::check(text, self.partition).remarks.into_iter();
            remarks.filter(|remark| remark.kind.is_problem())
        };
        let old: Vec<_> = problems_of(&self.text).collect();
        let is_new = |remark: &Remark| !old.iter().any(|old| remark.kind.is_still(&old.kind));
        problems_of(text).filter(is_new).collect()
    }

    fn compare<'t>(&self, document: Document<'t>) -> Verdict<'t> {
        let changes = match Document::parse(&self.text) {
            Ok(old) if old.to_bytes() == document.to_bytes() => return Verdict::Unchanged,
            Ok(old) => changes::between(&old, &document),
            Err(_) => vec![Change::Repaired],
        };
        Verdict::Sound { document, changes }
    }

    /// Replaces what was opened by `document`, if nobody changed it meanwhile. If another writer has
    /// the partition's lock it fails at once, with nothing changed.
    pub fn save(&self, document: &Document<'_>) -> Result<Replacement, Error> {
        let opened = (!self.is_new).then_some(&*self.text);
        self.directory.replace(self.partition, opened, document)
    }
}
