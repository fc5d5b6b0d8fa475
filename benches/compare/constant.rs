//! A server that answers a constant: the limit for any HTTP server made with the same library.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::Result;
use axum::Router;
use axum::http::header;

use crate::customers::Customer;
use crate::server::Server;

/// Answers every request with one profile, until killed. Says where on standard error, as
/// `dex-dir serve` does.
pub fn serve() -> Result<()> {
    let answer: &'static str = Customer::number(0).to_json().leak();
    let router = Router::new()
        .fallback(move || async move { ([(header::CONTENT_TYPE, "application/json")], answer) });
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        writeln!(
            std::io::stderr(),
            "listening on http://{}",
            listener.local_addr()?
        )?;
        Ok(axum::serve(listener, router).await?)
    })
}

/// Starts this very program as that server.
pub fn start() -> Result<Server> {
    let mut command = Command::new(std::env::current_exe()?);
    Server::start(command.arg("--constant").stdout(Stdio::null()))
}
