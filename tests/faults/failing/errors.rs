//! Which errors a system call can give, and what the program makes of them.

use std::io;

use rustix::io::Errno;

use crate::calls::Call;

/// An error by the name that strace knows it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause(pub &'static str);

impl Cause {
    /// What the system says of it, without its number.
    pub fn text(self) -> String {
        let error = io::Error::from(self.errno()).to_string();
        let (text, _) = error
            .split_once(" (os error")
            .expect("an error of the system");
        text.to_owned()
    }

    fn errno(self) -> Errno {
        match self.0 {
            "EACCES" => Errno::ACCESS,
            "EDQUOT" => Errno::DQUOT,
            "EIO" => Errno::IO,
            "EMFILE" => Errno::MFILE,
            "ENOLCK" => Errno::NOLCK,
            "ENOSPC" => Errno::NOSPC,
            "EOPNOTSUPP" => Errno::OPNOTSUPP,
            name => panic!("{name}?"),
        }
    }
}

/// The errors that this call can give.
pub fn errors_of(call: &Call) -> Vec<Cause> {
    let errors: &[&'static str] = match &*call.name {
        "openat" if call.has(&["O_CREAT"]) => &["EIO", "EACCES", "EMFILE", "ENOSPC", "EDQUOT"],
        "openat" => &["EIO", "EACCES", "EMFILE"],
        "mkdir" | "renameat" => &["EIO", "EACCES", "ENOSPC", "EDQUOT"],
        "statx" | "unlink" => &["EIO", "EACCES"],
        "flock" => &["ENOLCK", "EIO", "EOPNOTSUPP"],
        "write" | "writev" | "fsync" | "close" => &["EIO", "ENOSPC", "EDQUOT"],
        "read" | "pread64" | "fchmod" => &["EIO"],
        name if NEVER_FAIL.contains(&name) => &[],
        name => panic!("which errors does {name} give?"),
    };
    errors.iter().map(|name| Cause(name)).collect()
}

/// Whether the program may go on as if nothing had happened: it knows another way, or only wanted a
/// hint, or the bytes are safe already.
pub fn may_be_ignored(call: &Call, cause: Cause) -> bool {
    match &*call.name {
        "close" => true,
        // Whoever may not write a lock file can lock it all the same.
        "openat" => cause.0 == "EACCES" && call.has(&["locks/", "O_CREAT"]),
        // How long a file is that is read: asked twice, the second time by the standard library.
        "statx" if call.has(&["AT_EMPTY_PATH"]) => true,
        // Whether the system knows this call: asked by the standard library. And whether something is
        // mounted on a file, which the rename would tell, too.
        "statx" => call.has(&["NULL"]) || call.has(&["AT_SYMLINK_NOFOLLOW, 0,"]),
        _ => false,
    }
}

/// Whether a signal can interrupt it: POSIX says so of all but `flock`, of which Linux says it, and
/// of renaming, which some file systems let be interrupted.
pub fn is_interruptible(call: &Call) -> bool {
    let calls = [
        "openat", "read", "pread64", "write", "writev", "fsync", "close",
    ];
    let others = ["fchmod", "fchown", "flock", "renameat"];
    calls.contains(&&*call.name) || others.contains(&&*call.name)
}

/// They only touch the process itself.
const NEVER_FAIL: [&str; 11] = [
    "brk",
    "exit_group",
    "fcntl",
    "futex",
    "getcwd",
    "lseek",
    "mmap",
    "mprotect",
    "munmap",
    "poll",
    "sigaltstack",
];
