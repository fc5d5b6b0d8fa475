//! Who holds a lock, and whether anybody does. Linux tells in `/proc/locks`; where nobody
//! tells, messages do without.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt;

/// `process 1234, flock`, say, for whoever has locked this file.
pub(super) fn describe(file: &File) -> Option<String> {
    let inode = file.metadata().ok()?.ino();
    let pid = holder_of(&fs::read_to_string("/proc/locks").ok()?, inode)?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok();
    Some(match name {
        Some(name) => format!("process {pid}, {}", name.trim_end()),
        None => format!("process {pid}"),
    })
}

/// Whether somebody is known to hold the lock on a file; `None` where nobody tells.
pub(super) fn is_known(metadata: &Metadata) -> Option<bool> {
    let table = fs::read_to_string("/proc/locks").ok()?;
    Some(holder_of(&table, metadata.ino()).is_some())
}

/// The process that holds a `flock` on the file with this inode number. The device isn't compared:
/// the kernel shows another one than `stat` on some file systems.
fn holder_of(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF
        let fields: Vec<_> = line.split_ascii_whitespace().collect();
        let [_, "FLOCK", _, _, pid, file, ..] = fields[..] else {
            return None;
        };
        let same = file.rsplit(':').next()?.parse() == Ok(inode);
        same.then(|| pid.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_holder_is_read_from_the_kernels_table() {
        let table = "1: POSIX  ADVISORY  WRITE 1 fe:00:7 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 42 fe:00:7 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 43 fe:00:7 0 EOF\n";
        assert_eq!(super::holder_of(table, 7), Some(42));
        assert_eq!(super::holder_of(table, 8), None);
    }
}
