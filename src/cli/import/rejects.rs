//! The file that collects records which were not saved, for another try: made only when there is
//! one, and never over another file.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::Access;

use crate::escape;

/// The file, made or still to be made.
pub(super) struct Rejects {
    path: PathBuf,
    header: Option<Vec<u8>>,
    file: Option<BufWriter<File>>,
}

impl Rejects {
    /// Makes sure, before anything is saved, that there is no such file yet and that it can be made.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        if path.symlink_metadata().is_ok() {
            let path = escape::path(path);
            anyhow::bail!(
                "{path} is there already; give --rejects another name, or move the file away"
            );
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        rustix::fs::access(folder, Access::WRITE_OK)
            .map_err(io::Error::from)
            .with_context(|| format!("could not make {}", escape::path(path)))?;
        Ok(Self {
            path: path.to_owned(),
            header: None,
            file: None,
        })
    }

    /// What comes above the first record.
    pub(super) fn header(&mut self, line: &[u8]) {
        self.header = Some(line.to_vec());
    }

    /// Adds a record. The error names the file.
    pub(super) fn add(&mut self, record: &[u8]) -> io::Result<()> {
        let path = escape::path(&self.path);
        self.write(record)
            .map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))
    }

    fn write(&mut self, record: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            let file = File::options()
                .write(true)
                .create_new(true)
                .open(&self.path)?;
            let file = self.file.insert(BufWriter::new(file));
            if let Some(header) = &self.header {
                write_line(file, header)?;
            }
        }
        self.file
            .as_mut()
            .map_or(Ok(()), |file| write_line(file, record))
    }

    /// Writes what was held back, and makes it safe from a power cut.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        file.into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all())
            .or_else(|error| match error.kind() {
                // A pipe, which somebody made a file of by way of /dev/fd.
                ErrorKind::InvalidInput => Ok(()),
                _ => Err(error),
            })
            .with_context(|| format!("could not write {}", escape::path(&self.path)))
    }
}

fn write_line(file: &mut impl Write, line: &[u8]) -> io::Result<()> {
    file.write_all(line)?;
    file.write_all(b"\n")
}
