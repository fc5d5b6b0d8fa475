//! What `--from` names: a file, or standard input.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::os::fd::AsFd;
use std::path::Path;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

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
            if io::stdin().is_terminal() {
                let message = "standard input is a terminal; give a file, or send one in";
                return Err(arguments::usage_error(command, message).into());
            }
            let name = "standard input".to_owned();
            let input = io::stdin().as_fd().try_clone_to_owned();
            let input = input.with_context(|| format!("could not open {name}"))?;
            return Ok(Self {
                file: Box::new(Patient(File::from(input))),
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

/// An input that may be silent for long. A read that nothing comes of is interrupted now and then,
/// so that whoever reads can look whether it shall go on.
struct Patient(File);

/// How long a read waits at a time.
const PATIENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = [PollFd::new(&self.0, PollFlags::IN)];
        match poll(&mut ready, Some(&PATIENCE))? {
            0 => Err(ErrorKind::Interrupted.into()),
            _ => self.0.read(buffer),
        }
    }
}
