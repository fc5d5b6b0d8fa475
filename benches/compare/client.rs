//! One request at a time, where it isn't the load that is measured.

use std::io::{Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, ensure};

use crate::customers::Customer;
use crate::wrk::ROUTE;

/// Looks a customer up, who must be there.
pub fn get(authority: &str, customer: &Customer) -> Result<()> {
    let email = customer.email.replace('+', "%2B");
    ask(authority, &format!("GET {ROUTE}?emailAddress={email}"), "")
}

/// Saves a customer.
pub fn put(authority: &str, customer: &Customer) -> Result<()> {
    ask(authority, &format!("PUT {ROUTE}"), &customer.to_json())
}

fn ask(authority: &str, line: &str, body: &str) -> Result<()> {
    let mut stream = TcpStream::connect(authority)?;
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).context("a status")?;
    ensure!(status == "200", "{line}: {status}");
    Ok(())
}
