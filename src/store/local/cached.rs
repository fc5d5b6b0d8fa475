//! Opening and reading a file only as far as the system has it in memory: for threads that must not
//! wait for a disk. Whatever is unusual is left to those that may.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// A regular file, opened for reading, if all that leads to it is in the system's memory.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path) -> Option<(File, Metadata)> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED).ok()?;
    let file = File::from(file);
    let metadata = file.metadata().ok()?;
    metadata.is_file().then_some((file, metadata))
}

/// Fills `buffer` with the bytes from `offset` on, if they are in the system's memory.
#[cfg(target_os = "linux")]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use rustix::io::{ReadWriteFlags, preadv2};
    let expected = buffer.len();
    let buffer = io::IoSliceMut::new(buffer);
    let read = preadv2(file, &mut [buffer], offset, ReadWriteFlags::NOWAIT)?;
    // Where it breaks off, the rest is on the disk.
    if read == expected {
        Ok(())
    } else {
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// Here the system doesn't tell what it has in memory.
#[cfg(not(target_os = "linux"))]
pub(super) fn open(_: &Path) -> Option<(File, Metadata)> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::WouldBlock.into())
}
