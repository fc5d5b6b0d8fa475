//! `dex-dir upsert`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;

use super::arguments::Wait;
use super::exit::ExitStatus;
use super::import::Import;
use super::output::Output;
use super::{arguments, open};
use crate::directory::Directory;
use crate::email::CanonicalEmail;
use crate::profile::CustomerProfile;
use crate::retry;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  dex-dir upsert --email alice@example.com --full-name 'Alice Smith' \\\n    --company-name Acme --customer-tier gold\n  dex-dir upsert --from customers.csv --rejects rejects.csv"
)]
pub(super) struct Upsert {
    #[command(flatten)]
    profile: Option<Profile>,
    #[command(flatten)]
    import: Option<Import>,
    #[command(flatten)]
    wait: Wait,
}

// The profile to save. Not `///`: it would be told of the command that takes it.
#[derive(Debug, clap::Args)]
#[group(required = false, multiple = true, conflicts_with = "Import")]
struct Profile {
    /// The customer's address; case and surrounding white space don't matter
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::email)]
    email: CanonicalEmail,
    /// The customer's name
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    full_name: String,
    /// The company's name
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    company_name: String,
    /// The tier: any text
    #[arg(long, value_name = "TIER", value_parser = NonEmptyStringValueParser::new())]
    customer_tier: String,
}

impl Upsert {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        match (self.profile, self.import) {
            (Some(profile), None) => profile.save(dir, self.wait.duration),
            (None, Some(import)) => import.run(&open(dir)?, self.wait.duration),
            _ => Err(
                arguments::usage_error("upsert", "give a profile's four fields, or --from").into(),
            ),
        }
    }
}

impl Profile {
    fn save(self, dir: PathBuf, wait: Duration) -> anyhow::Result<ExitStatus> {
        let profile = CustomerProfile::new(
            self.email,
            &self.full_name,
            &self.company_name,
            &self.customer_tier,
        )
        .map_err(|error| arguments::usage_error("upsert", &error.to_string()))?;
        let directory: Directory = open(dir)?;
        let saved = retry::on_lock_conflict(wait, || directory.upsert(&profile))?;
        Output::new()
            .text(&format!("{}\n", saved.profile.as_json()))
            .context("the profile was saved")?;
        Ok(ExitStatus::Done)
    }
}
