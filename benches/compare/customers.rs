//! The customers that directories are made of: the same for the same number, on any machine.

use std::io::{self, Write};
use std::path::Path;

use dex_dir::email::CanonicalEmail;
use serde_json::json;

const FIRST: [&str; 10] = [
    "Ada", "Bo", "Dee", "Eli", "Hana", "Ivo", "José", "Łukasz", "Noor", "Søren",
];
const LAST: [&str; 10] = [
    "Abe", "Brandt", "Castro", "Diaz", "Ito", "Li", "Mbeki", "O'Brien", "Rossi", "Tran",
];
const HOSTS: [&str; 4] = ["example.com", "example.org", "mail.example", "corp.example"];
const TIERS: [&str; 4] = ["free", "silver", "gold", "platinum"];

/// From one customer to the next in a file: a prime, so that each comes once, and far, so that rows don't
/// come in the order of their addresses, which would spare a B-tree its work.
const STRIDE: usize = 2_654_435_761;

/// One customer.
pub struct Customer {
    pub email: String,
    pub full_name: String,
    pub company_name: String,
    pub tier: &'static str,
}

impl Customer {
    /// The customer of this number.
    pub fn number(number: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(number as u64);
        let mut pick = |words: &[&'static str]| words[random.usize(..words.len())];
        let (first, last, host, tier) = (pick(&FIRST), pick(&LAST), pick(&HOSTS), pick(&TIERS));
        let local = last.to_ascii_lowercase().replace('\'', "");
        Self {
            email: format!("{local}+{number}@{host}"),
            full_name: format!("{first} {last}"),
            company_name: format!("Company {} Ltd", random.usize(..5_000)),
            tier,
        }
    }

    /// One of the first `count` customers, at random.
    pub fn any(count: usize) -> Self {
        Self::number(fastrand::usize(..count))
    }

    /// The address as a partition is found by it.
    pub fn canonical(&self) -> anyhow::Result<CanonicalEmail> {
        Ok(CanonicalEmail::parse(&self.email)?)
    }

    /// The profile, one line of JSON.
    pub fn to_json(&self) -> String {
        json!({
            "emailAddress": self.email,
            "fullName": self.full_name,
            "companyName": self.company_name,
            "customerTier": self.tier,
        })
        .to_string()
    }

    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let Self {
            email,
            full_name,
            company_name,
            tier,
        } = self;
        writeln!(out, "{email},{full_name},{company_name},{tier}")
    }
}

/// Writes the first `count` customers as JSON Lines, in no order of their addresses.
pub fn write_json_lines(path: &Path, count: usize) -> io::Result<()> {
    write_all(path, count, |customer, out| {
        writeln!(out, "{}", customer.to_json())
    })
}

/// Writes the same as CSV without a header, in the same order.
pub fn write_csv(path: &Path, count: usize) -> io::Result<()> {
    write_all(path, count, Customer::write_csv)
}

type Out = io::BufWriter<std::fs::File>;

fn write_all(
    path: &Path,
    count: usize,
    write: impl Fn(&Customer, &mut Out) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(std::fs::File::create(path)?);
    for row in 0..count {
        write(&Customer::number(row * STRIDE % count), &mut out)?;
    }
    out.flush()
}
