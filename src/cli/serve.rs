//! `dex-dir serve`.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::exit::ExitStatus;
use super::report::complain;
use super::signals::Signals;
use super::{arguments, store};
use crate::directory::Directory;
use crate::error::ErrorKind;
use crate::http::{self, Authority, Config};
use crate::store::Store;

/// Serve the HTTP API until SIGTERM or SIGINT
///
/// The directory need not have been started: POST /patterns/hash-partitioned-attribute-map/start
/// does that. The address is printed on standard error once connections are accepted, then one
/// line for each request.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  dex-dir serve --listen 127.0.0.1:8080 &\n  curl 'http://127.0.0.1:8080/patterns/hash-partitioned-attribute-map/customer-profile?emailAddress=alice@example.com'"
)]
pub(super) struct Serve {
    /// Where to listen: IP:PORT or localhost:PORT; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// Also answer requests for this host, with or without a port; give it again for more
    #[arg(long = "allow-host", value_name = "HOST")]
    allowed_hosts: Vec<Authority>,
    /// Listen where other machines can reach it, and let everybody there read and write
    #[arg(long)]
    allow_anonymous: bool,
}

impl Serve {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        self.check_openness()?;
        let store = store(dir);
        check(&store)?;
        let listener = TcpListener::bind(self.listen).with_context(|| {
            format!(
                "could not listen on {}; choose another address with --listen",
                self.listen
            )
        })?;
        let runtime = tokio::runtime::Runtime::new().context("could not start the server")?;
        runtime
            .block_on(self.serve(listener, store))
            .context("could not start the server")?;
        // What is still under way has had its time.
        runtime.shutdown_background();
        Ok(ExitStatus::Done)
    }

    /// Whoever can reach the server can read and write all profiles.
    fn check_openness(&self) -> anyhow::Result<()> {
        if self.allow_anonymous || http::is_loopback(self.listen.ip()) {
            return Ok(());
        }
        let message = format!(
            "other machines can reach {}, and everybody there could read and write all profiles; listen on a loopback address such as 127.0.0.1:8080, or allow it with --allow-anonymous",
            self.listen
        );
        Err(arguments::usage_error("serve", &message).into())
    }

    async fn serve(self, listener: TcpListener, store: Arc<dyn Store>) -> std::io::Result<()> {
        http::without_panic_texts();
        // Before the address is known to anybody who might send one.
        let signals = Signals::catch()?;
        complain(&format!("listening on http://{}", listener.local_addr()?));
        let config = Config {
            allowed_hosts: self.allowed_hosts,
            ..Config::default()
        };
        http::serve(listener, store, config, signals.first()).await
    }
}

/// A directory that hasn't been started is fine, one that can't be used is not.
fn check(store: &Arc<dyn Store>) -> anyhow::Result<()> {
    match Directory::open(Arc::clone(store)) {
        Err(error) if error.kind() != ErrorKind::NotStarted => Err(error.into()),
        _ => Ok(()),
    }
}

fn address(argument: &str) -> Result<SocketAddr, &'static str> {
    let localhost = |port: &str| Some((Ipv4Addr::LOCALHOST, port.parse().ok()?).into());
    argument
        .strip_prefix("localhost:")
        .map_or_else(|| argument.parse().ok(), localhost)
        .ok_or("expected IP:PORT or localhost:PORT, such as 127.0.0.1:8080")
}
