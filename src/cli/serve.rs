//! `dex-dir serve`.

use std::fs::File;
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::exit::ExitStatus;
use super::report::complain;
use super::signals::Signals;
use super::{arguments, store};
use crate::directory::Directory;
use crate::error::ErrorKind;
use crate::escape;
use crate::http::{self, Authority, Config, Origin, OriginError, Origins, Tokens};
use crate::store::Store;

mod log;

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
    /// Answer only who sends one of the tokens in this file, one a line, as `Authorization: Bearer`
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    token_file: Option<PathBuf>,
    /// Listen where other machines can reach it, and let everybody there read and write
    #[arg(long, conflicts_with = "token_file")]
    allow_anonymous: bool,
    #[arg(long = "cors-origin", value_name = "ORIGIN", value_parser = origin)]
    #[arg(
        help = "Let web pages of this origin use the API, such as https://shop.example; give it again for more, or * for all"
    )]
    origins: Vec<Option<Origin>>,
    /// Change nothing: look up only
    #[arg(long)]
    read_only: bool,
    /// How the log is laid out
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: log::Format,
    /// What the log tells
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log_level: log::Level,
    /// How long a request can ask to be tried again on a lock conflict, at most
    #[arg(long, value_name = "DURATION", default_value = "10s")]
    #[arg(value_parser = humantime::parse_duration)]
    max_wait: Duration,
}

impl Serve {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        self.check_openness()?;
        let config = self.config()?;
        let store = store(dir);
        check(&store)?;
        let listener = TcpListener::bind(self.listen).with_context(|| {
            format!(
                "could not listen on {}; choose another address with --listen",
                self.listen
            )
        })?;
        let _until_the_end = log::begin(self.log_format, self.log_level);
        let runtime = tokio::runtime::Runtime::new().context("could not start the server")?;
        runtime
            .block_on(serve(listener, store, config))
            .context("could not start the server")?;
        // What is still under way has had its time.
        runtime.shutdown_background();
        Ok(ExitStatus::Done)
    }

    /// Whoever can reach the server can read and write all profiles.
    fn check_openness(&self) -> anyhow::Result<()> {
        let is_guarded = self.allow_anonymous || self.token_file.is_some();
        if is_guarded || http::is_loopback(self.listen.ip()) {
            return Ok(());
        }
        let message = format!(
            "other machines can reach {}, and everybody there could read and write all profiles; ask for tokens with --token-file, listen on a loopback address such as 127.0.0.1:8080, or allow it with --allow-anonymous",
            self.listen
        );
        Err(arguments::usage_error("serve", &message).into())
    }

    fn config(&self) -> anyhow::Result<Config> {
        let listed: Option<Vec<_>> = self.origins.iter().cloned().collect();
        Ok(Config {
            allowed_hosts: self.allowed_hosts.clone(),
            tokens: self
                .token_file
                .as_deref()
                .map(tokens)
                .transpose()?
                .unwrap_or_default(),
            // A single * is all of them.
            origins: listed.map_or(Origins::Any, Origins::Listed),
            read_only: self.read_only,
            max_wait: self.max_wait,
            ..Config::default()
        })
    }
}

async fn serve(listener: TcpListener, store: Arc<dyn Store>, config: Config) -> io::Result<()> {
    http::without_panic_texts();
    // Before the address is known to anybody who might send one.
    let signals = Signals::catch()?;
    complain(&format!("listening on http://{}", listener.local_addr()?));
    http::serve(listener, store, config, signals.first()).await
}

/// The tokens in a file that nobody else may read.
fn tokens(path: &Path) -> anyhow::Result<Tokens> {
    let shown = escape::path(path);
    let mut file = File::open(path).with_context(|| format!("could not open {shown}"))?;
    let metadata = file
        .metadata()
        .with_context(|| format!("could not examine {shown}"))?;
    // The usual way to hand a service a secret is a file of root's that its group may read.
    let private = if metadata.uid() == 0 { 0o027 } else { 0o077 };
    if metadata.mode() & private != 0 {
        anyhow::bail!(
            "others may read or write {shown}; take that from them with `chmod go= FILE`"
        );
    }
    let mut text = String::new();
    file.read_to_string(&mut text)
        .with_context(|| format!("could not read {shown}"))?;
    text.parse()
        .with_context(|| format!("could not use {shown}"))
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

/// An origin; `None` for all there are.
fn origin(argument: &str) -> Result<Option<Origin>, OriginError> {
    (argument != "*").then(|| argument.parse()).transpose()
}
