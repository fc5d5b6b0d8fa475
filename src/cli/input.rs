//! What `--from` names: a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::Context;

use super::arguments;
use crate::escape;

/// An input that was opened.
pub(super) struct Input {
    file: Box<dyn Read>,
    name: String,
    size: Option<u64>,
}

impl Input {
    /// Opens a file, or takes standard input for `-`. A terminal would wait for somebody to type.
    pub(super) fn open(path: &Path, command: &str) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            let input = io::stdin().lock();
            if input.is_terminal() {
                let message = "standard input is a terminal; give a file, or send one in";
                return Err(arguments::usage_error(command, message).into());
            }
            let name = "standard input".to_owned();
            return Ok(Self {
                file: Box::new(input),
                name,
                size: None,
            });
        }
        let name = escape::path(path);
        let file = File::open(path).with_context(|| format!("could not open {name}"))?;
        let metadata = file
            .metadata()
            .with_context(|| format!("could not examine {name}"))?;
        let size = metadata.is_file().then_some(metadata.len());
        Ok(Self {
            file: Box::new(file),
            name,
            size,
        })
    }

    /// What it is called in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its length in bytes, where that is known.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}
