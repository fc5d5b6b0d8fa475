//! Opening and reading the files of a directory, and making directories that survive a power cut.
//! Nothing here replaces or removes a file.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{Access, OFlags};

use crate::store::StoreError;

/// Opens a regular file for reading, and says what the system knows of it; `None` if there is none.
/// Anything else of that name is an error, and is never waited for.
pub(super) fn open(path: &Path) -> Result<Option<(File, Metadata)>, StoreError> {
    // Without it, opening a fifo waits for a writer.
    let non_blocking = OFlags::NONBLOCK.bits().cast_signed();
    let file = match OpenOptions::new()
        .read(true)
        .custom_flags(non_blocking)
        .open(path)
    {
        Ok(file) => file,
        // What a link leads to may be on a disk that isn't mounted: that it is missing says nothing.
        Err(source) if source.kind() == ErrorKind::NotFound && !is_link(path)? => {
            return Ok(None);
        }
        Err(source) => return Err(io_error("open", path, source)),
    };
    let metadata = file
        .metadata()
        .map_err(|source| io_error("open", path, source))?;
    if !metadata.is_file() {
        return Err(unsuitable("read", path, "it is not a regular file"));
    }
    Ok(Some((file, metadata)))
}

/// Reads all of a file that was [opened](open) with this `metadata`.
pub(super) fn read(
    mut file: &File,
    metadata: &Metadata,
    path: &Path,
) -> Result<Vec<u8>, StoreError> {
    let size = usize::try_from(metadata.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    file.read_to_end(&mut bytes)
        .map_err(|source| io_error("read", path, source))?;
    Ok(bytes)
}

/// A file that would be replaced must not be a link: the rename would replace the link, and the
/// file that it leads to would silently stay behind. And what something is mounted on can't be
/// renamed over.
pub(super) fn check_replaceable(path: &Path) -> Result<(), StoreError> {
    if is_link(path)? {
        return Err(unsuitable("replace", path, "it is a symbolic link"));
    }
    if is_mount_point(path) {
        return Err(unsuitable("replace", path, MOUNT_POINT));
    }
    Ok(())
}

/// Whether there is a link of this name. That it can't be found out is an error, not a no.
fn is_link(path: &Path) -> Result<bool, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(metadata.is_symlink()),
        Err(source) if source.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => Err(io_error("examine", path, source)),
    }
}

/// Why what something is mounted on can't be replaced.
pub(super) const MOUNT_POINT: &str = "it is a mount point";

/// Whether something is mounted on this very file. Where the system doesn't tell, the rename will.
#[cfg(target_os = "linux")]
fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Nothing can be mounted on a file.
#[cfg(target_os = "macos")]
fn is_mount_point(_: &Path) -> bool {
    false
}

/// Files can be made only in a directory that this process may write.
pub(super) fn check_writable(directory: &Path) -> Result<(), StoreError> {
    rustix::fs::access(directory, Access::WRITE_OK)
        .map_err(|errno| io_error("write to", directory, errno.into()))
}

/// Makes a directory and its missing parents, each entry synced before the next is made.
///
/// So whatever moment it is interrupted at, all but the deepest directory are safe already, and
/// the next call makes sure of the deepest.
pub(super) fn make_directory(path: &Path) -> Result<(), StoreError> {
    match fs::create_dir(path) {
        Ok(()) => sync_directory(parent_of(path)),
        Err(error) if error.kind() == ErrorKind::NotFound && parent_of(path) != path => {
            make_directory(parent_of(path))?;
            fs::create_dir(path).or_else(|error| match error.kind() {
                ErrorKind::AlreadyExists if path.is_dir() => Ok(()),
                _ => Err(io_error("make directory", path, error)),
            })?;
            sync_directory(parent_of(path))
        }
        Err(_) if path.is_dir() => sync_parent_if_readable(path),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(unsuitable(
            "make directory",
            path,
            "something else of that name is there",
        )),
        Err(source) => Err(io_error("make directory", path, source)),
    }
}

/// The directory in which `path` is an entry. A bare name is one in the current directory.
pub(super) fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

fn sync_directory(path: &Path) -> Result<(), StoreError> {
    let directory = File::open(path).and_then(|directory| directory.sync_all());
    directory.map_err(|source| io_error("sync", path, source))
}

/// Somebody else made this directory, perhaps a moment ago. Where its parent may not even be
/// opened, it can't have been made by a `start` of this user.
fn sync_parent_if_readable(path: &Path) -> Result<(), StoreError> {
    match File::open(path.join("..")) {
        Ok(parent) => parent
            .sync_all()
            .map_err(|source| io_error("sync the parent of", path, source)),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        Err(source) => Err(io_error("open the parent of", path, source)),
    }
}

pub(super) fn io_error(action: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

pub(super) fn unsuitable(action: &'static str, path: &Path, reason: &'static str) -> StoreError {
    StoreError::Unsuitable {
        action,
        path: path.to_owned(),
        reason,
    }
}
