//! System calls that fail, one at a time, each with every error that it can give: before a file has
//! its new name the save is refused and nothing is changed; after it the error says that it was saved.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};

use crate::calls::{Call, Fault, can_trace, record, record_with};
use crate::harness::{ALICE, Finished, Sandbox, has, profile_json};
use crate::mounts::is_root;
use crate::scene::{PARTITION, copy, directory, save, save_as, work};
use crate::tally::Tally;
use crate::tree::Tree;

mod errors;

use errors::{Cause, errors_of, is_interruptible, may_be_ignored};

/// An operation whose calls fail.
struct Operation<'a> {
    before: &'a Tree,
    args: &'a [&'a str],
    calls: Vec<Call>,
    /// What it prints and leaves if nothing fails.
    printed: String,
    after: Tree,
}

impl<'a> Operation<'a> {
    fn new(before: &'a Tree, args: &'a [&'a str]) -> Self {
        let sandbox = copy(before);
        let (finished, calls) = record(&sandbox, args);
        assert_eq!(finished.status(), 0, "{}", finished.stderr());
        Self {
            before,
            args,
            calls: work(&calls, &sandbox),
            printed: finished.stdout(),
            after: Tree::of(sandbox.root()),
        }
    }

    fn interruptible(&self) -> Vec<usize> {
        let calls = self.calls.iter().enumerate();
        let calls = calls.filter(|(_, call)| is_interruptible(call));
        calls.map(|(i, _)| i).collect()
    }

    /// Every call with every error that it can give.
    fn faults(&self) -> Vec<(usize, Cause)> {
        let calls = self.calls.iter().enumerate();
        calls
            .flat_map(|(i, call)| errors_of(call).into_iter().map(move |cause| (i, cause)))
            .collect()
    }

    fn run(&self, sandbox: &Sandbox, call: usize, error: &str) -> Finished {
        let Call { name, nth, .. } = &self.calls[call];
        let fault = Fault {
            call: name,
            nth: *nth,
            what: format!("error={error}"),
        };
        record_with(sandbox, self.args, &fault).0
    }

    /// Makes each call fail in each way, and lets `check` look at what came of it.
    fn fail_at_every_call(&self, part: &'static str, check: impl Fn(&Sandbox, &Failed<'_>)) {
        let faults = self.faults();
        let mut tally = Tally::new(part, faults.len());
        for (i, cause) in faults {
            let sandbox = copy(self.before);
            let failed = Failed {
                call: &self.calls[i],
                cause,
                earlier: &self.calls[..i],
                finished: self.run(&sandbox, i, cause.0),
            };
            tally.fault(&format!("{cause:?} of {}", failed.call.text()), || {
                check(&sandbox, &failed);
            });
        }
        tally.finish();
    }
}

/// What came of a call that failed.
struct Failed<'a> {
    call: &'a Call,
    cause: Cause,
    earlier: &'a [Call],
    finished: Finished,
}

impl Failed<'_> {
    /// Whether it was as if nothing had failed, which few failures may be.
    fn was_ignored(&self, printed: &str) -> bool {
        let ignored = self.finished.0.status.success();
        if ignored {
            assert!(may_be_ignored(self.call, self.cause), "it was ignored");
            assert_eq!(self.finished.stdout(), printed);
        }
        ignored
    }

    /// Fails unless the program said in one line why it failed, and these parts besides.
    fn assert_told(&self, parts: &[&str]) {
        let mut finished = Finished(self.finished.0.clone());
        if self.call.has(&["write(1<"]) {
            // It may have been written at a second try.
            finished.0.stdout.clear();
        }
        finished.assert_refused(74, &[parts, &[&self.cause.text()]].concat());
    }

    fn is_after(&self, name: &str) -> bool {
        self.earlier.iter().any(|call| call.name == name)
    }
}

/// Either all is as it was, and the error says what couldn't be done to which file; or all is as if
/// nothing had failed, and the error, if there is one, says that it was saved.
fn fail_a_save(part: &'static str, prepare: impl Fn(&Sandbox)) {
    if !can_trace() {
        return;
    }
    let (before, args) = (directory(prepare), save("New"));
    let save = Operation::new(&before, &args);
    save.fail_at_every_call(part, |sandbox, failed| {
        let now = Tree::of(sandbox.root());
        if failed.was_ignored(&save.printed) {
            assert_eq!(now, save.after);
        } else if failed.is_after("renameat") {
            failed.assert_told(&["saved"]);
            assert_eq!(now, save.after);
        } else {
            failed.assert_told(&["could not", "customers"]);
            assert_eq!(now.without_locks(), before.without_locks());
        }
    });
}

#[test]
fn each_call_of_a_save_may_fail() {
    fail_a_save("failing calls of a save", save_as("Old"));
}

#[test]
fn each_call_of_a_partitions_first_save_may_fail() {
    fail_a_save("failing calls of a partition's first save", |_| ());
}

#[test]
fn each_call_of_an_unchanged_save_may_fail() {
    if !can_trace() {
        return;
    }
    let (before, args) = (directory(save_as("New")), save("New"));
    let save = Operation::new(&before, &args);
    save.fail_at_every_call("failing calls of an unchanged save", |sandbox, failed| {
        if !failed.was_ignored(&save.printed) {
            let is_sync = failed.call.name == "fsync" || failed.is_after("fsync");
            failed.assert_told(&[if is_sync { "saved" } else { "could not" }]);
        }
        assert_eq!(Tree::of(sandbox.root()), before);
    });
}

#[test]
fn each_call_of_a_start_may_fail_and_the_next_start_completes_it() {
    if !can_trace() {
        return;
    }
    let before = Tree::default();
    let start = Operation::new(&before, &["start"]);
    start.fail_at_every_call("failing calls of a start", |sandbox, failed| {
        let manifest = Tree::of(sandbox.root());
        let manifest = manifest.file("customers/directory.json");
        if failed.finished.0.status.success() {
            assert!(may_be_ignored(failed.call, failed.cause), "it was ignored");
        } else {
            failed.assert_told(&[]);
            assert_eq!(manifest.is_some(), failed.is_after("renameat"));
        }
        sandbox.ok(&["start"]);
        if let Some(manifest) = manifest {
            assert_eq!(sandbox.read("directory.json"), manifest);
        }
        sandbox.assert_no_temporary_files();
    });
}

#[test]
fn a_lookup_that_fails_is_never_taken_for_not_found() {
    if !can_trace() {
        return;
    }
    let before = directory(save_as("Old"));
    let get = Operation::new(&before, &["get", "--email", ALICE]);
    get.fail_at_every_call("failing calls of a lookup", |_, failed| {
        if !failed.was_ignored(&get.printed) {
            failed.assert_told(&[]);
        }
    });
}

#[test]
fn each_call_of_a_save_may_be_interrupted_and_is_made_again() {
    if !can_trace() {
        return;
    }
    let (before, args) = (directory(save_as("Old")), save("New"));
    let save = Operation::new(&before, &args);
    let calls = save.interruptible();
    let mut tally = Tally::new("interrupted calls of a save", calls.len());
    for i in calls {
        let sandbox = copy(&before);
        let finished = save.run(&sandbox, i, "EINTR");
        tally.fault(&format!("interrupted: {}", save.calls[i].text()), || {
            assert_eq!(finished.status(), 0, "{}", finished.stderr());
            assert_eq!(finished.stdout(), save.printed);
            assert_eq!(Tree::of(sandbox.root()), save.after);
        });
    }
    tally.finish();
}

#[test]
fn a_replaced_file_keeps_its_owner_though_a_signal_interrupts_that() {
    if !can_trace() || !has("the right to give files away", is_root()) {
        return;
    }
    let sandbox = copy(&directory(save_as("Old")));
    chown(sandbox.root().join(PARTITION), Some(65534), Some(65534)).expect("given away");
    let fault = Fault {
        call: "fchown",
        nth: 1,
        what: "error=EINTR".to_owned(),
    };
    let mut tally = Tally::new("an interrupted change of owner", 1);
    tally.fault("fchown", || {
        let finished = record_with(&sandbox, &save("New"), &fault).0;
        assert_eq!(finished.stdout(), profile_json(ALICE, "New") + "\n");
        let metadata = fs::metadata(sandbox.root().join(PARTITION)).expect("a file");
        assert_eq!((metadata.uid(), metadata.gid()), (65534, 65534));
    });
    tally.finish();
}

#[test]
fn only_a_lock_that_would_block_is_a_conflict() {
    if !can_trace() {
        return;
    }
    let before = directory(save_as("Old"));
    let errors = [
        ("EAGAIN", 75),
        ("ENOLCK", 74),
        ("EIO", 74),
        ("EOPNOTSUPP", 74),
        ("ENOSYS", 74),
        ("EPERM", 74),
        ("EACCES", 74),
        ("EBADF", 74),
        ("EDEADLK", 74),
    ];
    let mut tally = Tally::new("failing locks", errors.len());
    for (error, status) in errors {
        let sandbox = copy(&before);
        let fault = Fault {
            call: "flock",
            nth: 1,
            what: format!("error={error}"),
        };
        let finished = record_with(&sandbox, &save("New"), &fault).0;
        tally.fault(error, || {
            finished.assert_refused(status, &["partition-278"]);
            assert_eq!(Tree::of(sandbox.root()), before);
        });
    }
    tally.finish();
}
