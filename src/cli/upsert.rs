//! `dex-dir upsert`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;

use super::exit::ExitStatus;
use super::output::Output;
use super::{arguments, open};
use crate::email::CanonicalEmail;
use crate::profile::CustomerProfile;
use crate::retry;

/// Save one profile, new or not, and print it as it is stored
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  dex-dir upsert --email alice@example.com --full-name 'Alice Smith' \\\n    --company-name Acme --customer-tier gold"
)]
pub(super) struct Upsert {
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
    /// On a lock conflict, try again for so long, such as 500ms or 5s
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[arg(default_value = "0s", hide_default_value = true)]
    wait: Duration,
}

impl Upsert {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let profile = CustomerProfile::new(
            self.email,
            &self.full_name,
            &self.company_name,
            &self.customer_tier,
        )
        .map_err(|error| arguments::usage_error("upsert", &error.to_string()))?;
        let directory = open(dir)?;
        let saved = retry::on_lock_conflict(self.wait, || directory.upsert(&profile))?;
        Output::new()
            .text(&format!("{}\n", saved.profile.as_json()))
            .context("the profile was saved")?;
        Ok(ExitStatus::Done)
    }
}
