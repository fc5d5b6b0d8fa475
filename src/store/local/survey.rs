//! Everything that is in a directory on disk, told apart by name and kind of file. Opens nothing and
//! takes no lock.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::file::io_error;
use super::layout::{Layout, Role};
use super::left_over::{self, Temporary};
use crate::store::{Entry, EntryKind, StoreError};

/// Walks the directory and its locks, and no other directory in it.
pub(super) fn survey(layout: &Layout) -> Result<Vec<Entry>, StoreError> {
    let mut survey = Survey {
        layout,
        entries: Vec::new(),
        temporaries: Vec::new(),
    };
    // Else a file would look like a directory without entries.
    fs::read_dir(layout.directory())
        .map_err(|source| io_error("list", layout.directory(), source))?;
    let mut walk = WalkDir::new(layout.directory()).min_depth(1).into_iter();
    while let Some(found) = walk.next() {
        match found {
            Ok(found) => {
                if found.file_type().is_dir() && found.path() != layout.locks() {
                    walk.skip_current_dir();
                }
                survey.add(found);
            }
            Err(error) => survey.add_failure(error)?,
        }
    }
    Ok(survey.finish())
}

struct Survey<'a> {
    layout: &'a Layout,
    entries: Vec<Entry>,
    temporaries: Vec<Temporary>,
}

impl Survey<'_> {
    fn add(&mut self, found: DirEntry) {
        let (path, kind) = (found.path(), found.file_type());
        let role = self.layout.role_of(path);
        let kind = match role {
            Role::Manifest => EntryKind::Manifest,
            Role::Partition(partition) => EntryKind::Partition {
                partition,
                is_link: kind.is_symlink(),
            },
            Role::Locks if path.is_dir() => return,
            Role::Lock if path.is_file() => return,
            Role::Temporary { lock } if kind.is_file() || kind.is_symlink() => {
                self.temporaries.extend(Temporary::at(path, lock));
                return;
            }
            Role::Locks | Role::Lock | Role::Temporary { .. } => EntryKind::Obstacle,
            Role::None => EntryKind::Stray {
                resembles_partition: Layout::resembles_partition(path),
            },
        };
        let path = found.into_path();
        self.entries.push(Entry { path, kind });
    }

    /// What vanished meanwhile was a writer's. Only if the directory itself can't be listed there is
    /// nothing to say.
    fn add_failure(&mut self, error: walkdir::Error) -> Result<(), StoreError> {
        let place = error.path().filter(|_| error.depth() > 0);
        let place = place.map(Path::to_owned);
        // The error inside it doesn't repeat the path.
        let source = error.into_io_error().unwrap_or(ErrorKind::Other.into());
        let Some(path) = place else {
            return Err(io_error("list", self.layout.directory(), source));
        };
        if source.kind() != ErrorKind::NotFound {
            let kind = EntryKind::Unreadable(source);
            self.entries.push(Entry { path, kind });
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<Entry> {
        let left_over = left_over::among(self.temporaries).into_iter();
        self.entries.extend(left_over.map(|path| Entry {
            path,
            kind: EntryKind::LeftOver,
        }));
        self.entries
    }
}
