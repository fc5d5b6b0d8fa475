//! A copy of a text for nobody else's eyes, which is kept unless it is discarded: whatever goes wrong, no
//! text is lost.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::OFlags;
use tempfile::TempDir;

use crate::escape;

/// A file in a folder of its own.
pub(super) struct PrivateCopy {
    folder: TempDir,
    path: PathBuf,
}

impl PrivateCopy {
    /// Writes `text` to a new file that is called as `file` is.
    pub(super) fn new(file: &Path, text: &[u8]) -> anyhow::Result<Self> {
        let mut folder = tempfile::Builder::new()
            .prefix("dex-dir-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .context("could not make a folder for a private copy; check TMPDIR")?;
        let path = folder.path().join(file.file_name().unwrap_or_default());
        write(&path, text).with_context(|| format!("could not write {}", escape::path(&path)))?;
        folder.disable_cleanup(true);
        Ok(Self { folder, path })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is, for whoever will need it.
    pub(super) fn kept(&self) -> String {
        format!("the text is kept as {}", escape::path(&self.path))
    }

    /// What the file holds now. An editor may have left anything in its place.
    pub(super) fn read(&self) -> anyhow::Result<Vec<u8>> {
        read(&self.path).with_context(|| format!("could not read {}", escape::path(&self.path)))
    }

    /// How many files there are: an editor that was killed may have left what was typed in another
    /// one.
    pub(super) fn files(&self) -> usize {
        let entries = fs::read_dir(self.folder.path());
        entries.map_or(usize::MAX, Iterator::count)
    }

    /// Removes it, because its text is no longer needed.
    pub(super) fn discard(self) -> anyhow::Result<()> {
        let path = escape::path(self.folder.path());
        let removed = self.folder.close();
        removed.with_context(|| format!("could not remove {path}"))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Without it, opening a fifo waits for a writer.
    let non_blocking = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(non_blocking)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(text)
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text)
}
