//! SIGKILL at random moments while four writers save: into partitions of their own, and into one
//! that they share.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Finished, Sandbox, colliding_addresses};
use crate::scene::save_of;
use crate::tally::{Tally, short_or_long, survives};

mod address;
mod by_http;
mod import;

use address::Address;

const WRITERS: usize = 4;

/// The address of its own of each writer, and that in the shared partition.
fn addresses() -> Vec<[Address; 2]> {
    let shared = colliding_addresses(WRITERS).into_iter();
    let own = (0..).map(|i| format!("writer-{i}@example.com"));
    own.zip(shared)
        .map(|(own, shared)| [Address::new(own), Address::new(shared)])
        .collect()
}

/// Ends a save at some moment within its usual time.
fn save_and_kill(sandbox: &Sandbox, address: &mut Address, usual: Duration) -> Finished {
    let name = address.next();
    let mut command = sandbox.command();
    let command = command.args(save_of(&address.email, &name));
    run_and_kill(command.args(["--wait", "60s"]), usual)
}

/// Runs the program and ends it at some moment within this time.
fn run_and_kill(command: &mut Command, usual: Duration) -> Finished {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program runs");
    thread::sleep(usual.mul_f64(fastrand::f64()));
    process.kill().expect("a process");
    Finished(process.wait_with_output().expect("it ended"))
}

/// The next save of the same partition, undisturbed: it cleans up.
fn save_again(sandbox: &Sandbox, address: &mut Address, is_shared: bool) {
    let name = address.next();
    let saved = sandbox.upsert(&address.email, &name, &["--wait", "60s"]);
    assert_eq!(saved.status(), 0, "{}", saved.stderr());
    address.reported(saved.stdout().trim_end());
    // In the shared partition it may be another writer's, who is at work.
    if !is_shared {
        let temporary = address.temporary();
        assert!(!sandbox.path(&temporary).exists(), "{temporary}");
    }
}

/// How long a save takes that isn't disturbed.
fn usual(sandbox: &Sandbox) -> Duration {
    let begun = Instant::now();
    for _ in 0..10 {
        sandbox.upsert("first@example.com", "First", &[]);
    }
    begun.elapsed() / 10
}

/// Saves and is killed, looks, and saves again, until there were faults enough.
fn work(sandbox: &Sandbox, addresses: &mut [Address; 2], usual: Duration, tally: &Mutex<Tally>) {
    for turn in 0.. {
        if !tally.lock().expect("a tally").lacks_faults() {
            return;
        }
        let is_shared = turn % 4 > 0;
        let address = &mut addresses[usize::from(is_shared)];
        let ended = save_and_kill(sandbox, address, usual);
        if !ended.0.stdout.is_empty() {
            address.reported(ended.stdout().trim_end());
        }
        let survived = survives(|| {
            address.look_up(sandbox);
            save_again(sandbox, address, is_shared);
        });
        // Else it had ended already, which is no fault to count, and no reason to have lost anything.
        if ended.0.status.signal() == Some(9) || !survived {
            tally
                .lock()
                .expect("a tally")
                .count(&address.email, survived);
        }
    }
}

#[test]
fn whichever_of_four_writers_is_killed_at_whatever_moment_nothing_reported_is_lost() {
    let sandbox = Sandbox::started();
    let usual = usual(&sandbox) * 2;
    let listed = short_or_long(60, 2000);
    let tally = Mutex::new(Tally::new("kill at random moments under load", listed));
    let mut addresses = addresses();
    thread::scope(|scope| {
        for addresses in &mut addresses {
            scope.spawn(|| work(&sandbox, addresses, usual, &tally));
        }
    });
    for address in addresses.as_flattened_mut() {
        address.look_up(&sandbox);
    }
    sandbox.assert_no_temporary_files();
    sandbox.ok(&["verify"]);
    tally.into_inner().expect("a tally").finish();
}
