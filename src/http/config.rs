//! What can be set about a server.

use std::time::Duration;

use super::{Authority, Origins, Tokens};

/// What can be set about a server. The defaults are what `dex-dir serve` uses.
#[derive(Clone, Debug)]
pub struct Config {
    /// Names under which a server on a loopback address answers, besides the loopback names.
    /// One without a port stands for all ports.
    pub allowed_hosts: Vec<Authority>,
    /// Whoever sends one of these may use the server; if there are none, everybody may.
    pub tokens: Tokens,
    /// Which foreign web pages may use the server.
    pub origins: Origins,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// How long a client can have the server try again on a lock conflict, at most: 10 s.
    pub max_wait: Duration,
    /// How long the head of a request may take, and a connection may be idle: 10 s.
    pub head_time: Duration,
    /// How long the body of a request may take: 30 s.
    pub body_time: Duration,
    /// How long the rest of a body that nobody wants is read all the same, so that the answer
    /// isn't lost with it: 5 s.
    pub drain_time: Duration,
    /// How long what is under way may take once the server stops: 10 s.
    pub stop_time: Duration,
    /// The most bytes of a body as it is sent: 512 KiB. The limit on a profile, which is
    /// measured without escapes and white space, is another.
    pub max_body_bytes: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            allowed_hosts: Vec::new(),
            tokens: Tokens::default(),
            origins: Origins::default(),
            read_only: false,
            max_wait: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            drain_time: Duration::from_secs(5),
            stop_time: Duration::from_secs(10),
            max_body_bytes: 512 * 1024,
        }
    }
}
