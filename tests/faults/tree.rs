//! All that is in a folder, as a value: to put it into another folder, and to compare.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Paths below a folder, in order. A directory has no bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tree(pub BTreeMap<PathBuf, Option<Vec<u8>>>);

impl Tree {
    /// What is in `folder`.
    pub fn of(folder: &Path) -> Self {
        let entries = WalkDir::new(folder).min_depth(1).into_iter();
        let entries = entries.map(|entry| {
            let entry = entry.expect("an entry");
            let bytes = (!entry.file_type().is_dir()).then(|| fs::read(entry.path()));
            let below = entry.path().strip_prefix(folder).expect("a path below");
            (below.to_owned(), bytes.map(|bytes| bytes.expect("a file")))
        });
        Self(entries.collect())
    }

    /// Puts it into `folder`, which is empty.
    pub fn put(&self, folder: &Path) {
        for (path, bytes) in &self.0 {
            let path = folder.join(path);
            match bytes {
                None => fs::create_dir(path).expect("a directory"),
                Some(bytes) => fs::write(path, bytes).expect("a file"),
            }
        }
    }

    /// The bytes of a file.
    pub fn file(&self, path: impl AsRef<Path>) -> Option<&[u8]> {
        self.0.get(path.as_ref())?.as_deref()
    }

    /// All but lock files, which a save that is refused or killed may have made.
    pub fn without_locks(&self) -> Self {
        self.without(|path| {
            path.extension()
                .is_some_and(|extension| extension == "lock")
        })
    }

    /// All but the files of which `is_left_out` is true.
    pub fn without(&self, is_left_out: impl Fn(&Path) -> bool) -> Self {
        let mut rest = self.clone();
        rest.0.retain(|path, _| !is_left_out(path));
        rest
    }
}
