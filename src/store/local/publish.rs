//! Putting new bytes in a file's place: all of them or none, whatever happens, and safe from a
//! power cut once reported. Only this file renames or removes anything.
//!
//! The caller holds the lock of what it publishes, which is what makes a fixed name for the
//! temporary file right: no other writer's can be in the way, only a dead one's.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, IoSlice, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Gid, Uid, fchown};
use rustix::io::retry_on_intr;
use tempfile::{Builder, NamedTempFile};

use super::file::{MOUNT_POINT, io_error, parent_of, unsuitable};
use crate::store::StoreError;

/// Replaces `target`, or makes it, by way of `temporary` in the same directory.
///
/// If anything fails up to the rename, the old bytes are untouched and no temporary file is left.
/// After it only the directory's sync can fail, which is [`StoreError::NotDurable`].
pub(super) fn publish(
    target: &Path,
    temporary: &Path,
    parts: &mut [IoSlice<'_>],
) -> Result<(), StoreError> {
    let at_temporary = |source| io_error("write", temporary, source);
    let mut file = create_temporary(temporary, target)?;
    write_all(file.as_file_mut(), parts).map_err(at_temporary)?;
    file.as_file().sync_all().map_err(at_temporary)?;
    let directory = open_directory(directory_of(target))?;
    rename(file, target)?;
    directory
        .sync_all()
        .map_err(|source| not_durable(target, source))
}

/// Makes sure that `target`, which somebody published in `directory`, is safe from a power cut.
pub(super) fn confirm(target: &Path, directory: &Path) -> Result<(), StoreError> {
    let file = File::open(target).map_err(|source| io_error("open", target, source))?;
    let directory = open_directory(directory)?;
    file.sync_all()
        .map_err(|source| not_durable(target, source))?;
    directory
        .sync_all()
        .map_err(|source| not_durable(target, source))
}

/// Removes the temporary file of a writer that was killed.
pub(super) fn remove_left_over(temporary: &Path) -> Result<(), StoreError> {
    match fs::remove_file(temporary) {
        // Where nothing can be removed the system says so before it looks; and nothing can be saved
        // there either, which the next step will say.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            Ok(())
        }
        Err(error) => Err(io_error("remove the left-over", temporary, error)),
        Ok(()) => Ok(()),
    }
}

/// The directory that `target` is an entry of.
pub(super) fn directory_of(target: &Path) -> &Path {
    parent_of(target)
}

/// Makes the temporary file, exclusively, with the owner and mode that `target` shall have.
fn create_temporary(temporary: &Path, target: &Path) -> Result<NamedTempFile, StoreError> {
    let replaced = match fs::symlink_metadata(target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(source) => return Err(io_error("examine", target, source)),
    };
    // Private until it has the right owner and mode; a new file follows the umask.
    let mode = if replaced.is_some() { 0o600 } else { 0o666 };
    let file = match create_exclusively(temporary, mode) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            remove_left_over(temporary)?;
            create_exclusively(temporary, mode)
        }
        created => created,
    };
    let file = file.map_err(|error| io_error("make", temporary, error))?;
    if let Some(replaced) = replaced {
        take_over(file.as_file(), &replaced)
            .map_err(|source| io_error("set the mode of", temporary, source))?;
    }
    Ok(file)
}

fn create_exclusively(temporary: &Path, mode: u32) -> io::Result<NamedTempFile> {
    Builder::new()
        .prefix(temporary.file_name().unwrap_or_default())
        .rand_bytes(0)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(directory_of(temporary))
        .map_err(unwrapped)
}

/// Gives `file` the owner, group and mode of the file that it will replace, as far as this process
/// may. If the group can't be kept, the members of neither group get more than everybody had.
fn take_over(file: &File, replaced: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    let mut mode = replaced.mode() & 0o7777;
    let differs = |a: u32, b: u32| (a != b).then_some(b);
    let owner = differs(own.uid(), replaced.uid());
    let group = differs(own.gid(), replaced.gid());
    let alike = owner.or(group).is_none();
    let kept = alike || give_away(file, owner, group) || give_away(file, None, group);
    if !kept {
        let everybody = (mode >> 3) & mode & 0o007;
        mode = (mode & 0o700) | (everybody << 3) | everybody;
    }
    file.set_permissions(Permissions::from_mode(mode))
}

/// Whether the file has now this owner and group, where they are given.
fn give_away(file: &File, owner: Option<u32>, group: Option<u32>) -> bool {
    let (owner, group) = (owner.map(Uid::from_raw), group.map(Gid::from_raw));
    retry_on_intr(|| fchown(file, owner, group)).is_ok()
}

fn write_all(file: &mut File, mut parts: &mut [IoSlice<'_>]) -> io::Result<()> {
    // Empty parts at the front would look like a write of nothing.
    IoSlice::advance_slices(&mut parts, 0);
    while !parts.is_empty() {
        match file.write_vectored(parts) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut parts, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Opened before the rename, so that nothing but the sync itself can fail after it.
fn open_directory(path: &Path) -> Result<File, StoreError> {
    File::open(path).map_err(|source| io_error("open", path, source))
}

fn rename(file: NamedTempFile, target: &Path) -> Result<(), StoreError> {
    // The library removes the temporary file when a failed rename's error is dropped.
    let renamed = match file.persist(target) {
        Err(failed) if failed.error.kind() == ErrorKind::Interrupted => failed.file.persist(target),
        result => result,
    };
    match renamed.map_err(|failed| failed.error) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::ResourceBusy => {
            Err(unsuitable("replace", target, MOUNT_POINT))
        }
        Err(source) => Err(io_error("replace", target, source)),
    }
}

fn not_durable(target: &Path, source: io::Error) -> StoreError {
    StoreError::NotDurable {
        path: target.to_owned(),
        source,
    }
}

/// The system's error inside the one that the library wraps it in, which would show the path twice.
fn unwrapped(error: io::Error) -> io::Error {
    let code = std::error::Error::source(&error)
        .and_then(|source| source.downcast_ref::<io::Error>())
        .and_then(io::Error::raw_os_error);
    code.map_or(error, io::Error::from_raw_os_error)
}
