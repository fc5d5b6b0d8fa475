//! The `dex-dir` program: parse, run, print the error, exit.

use std::process::ExitCode;

use dex_dir::cli;

fn main() -> ExitCode {
    let status = cli::parse()
        .and_then(cli::run)
        .unwrap_or_else(|error| cli::report(&error));
    ExitCode::from(u8::from(status))
}
