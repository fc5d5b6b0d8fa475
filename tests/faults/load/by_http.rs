//! SIGKILL of a server at random moments while four clients save through it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::address::Address;
use super::{addresses, save_again};
use crate::client::Client;
use crate::harness::{Sandbox, profile_json};
use crate::server::Server;
use crate::tally::{Tally, short_or_long};

/// Saves until the server is gone, and notes what was answered.
fn save_until_it_is_gone(server: Client, addresses: &mut [Address; 2]) {
    for turn in 0.. {
        let address = &mut addresses[turn % 2];
        let name = address.next();
        let profile = profile_json(&address.email, &name);
        match put(server, &profile) {
            None => return,
            Some(answer) if answer.ends_with(&profile) => address.reported(&profile),
            Some(answer) => assert!(answer.contains("RPCLockConflict"), "{answer}"),
        }
    }
}

/// The answer to a PUT, whole; `None` if the server went before.
fn put(server: Client, profile: &str) -> Option<String> {
    let mut stream = TcpStream::connect(server.address).ok()?;
    let head = server.put_head(profile.len(), "Connection: close\r\n");
    stream.write_all((head + profile).as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.ends_with('}').then_some(answer)
}

#[test]
fn a_server_may_be_killed_at_any_moment_and_nothing_answered_is_lost() {
    let sandbox = Sandbox::started();
    let mut addresses = addresses();
    let listed = short_or_long(10, 200);
    let mut tally = Tally::new("kill of a server under load", listed);
    while tally.lacks_faults() {
        let mut server = Server::start(&sandbox);
        let client = *server;
        thread::scope(|scope| {
            for addresses in &mut addresses {
                scope.spawn(move || save_until_it_is_gone(client, addresses));
            }
            thread::sleep(Duration::from_millis(30).mul_f64(fastrand::f64()));
            server.signal("KILL");
        });
        assert!(server.ended().code().is_none());
        tally.fault("the server", || {
            for address in addresses.as_flattened_mut() {
                address.look_up(&sandbox);
                save_again(&sandbox, address, false);
            }
        });
    }
    sandbox.ok(&["verify"]);
    tally.finish();
}
