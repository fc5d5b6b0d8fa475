//! How the types of the library are given as arguments.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use clap::error::ErrorKind;

use crate::email::{CanonicalEmail, EmailError};
use crate::profile::Field;

// How long a writer waits for others. Not `///`: it would be told of each command that takes it.
#[derive(Debug, clap::Args)]
pub(super) struct Wait {
    /// On a lock conflict, try again for so long, such as 500ms or 5s
    #[arg(id = "wait", long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[arg(default_value = "0s", hide_default_value = true)]
    pub(super) duration: Duration,
}

/// Reads an address that was given with `--email`.
pub(super) fn email(argument: &str) -> Result<CanonicalEmail, EmailError> {
    CanonicalEmail::parse(argument)
}

/// Wrong use that shows only once all arguments are read, in the form of all other wrong use.
pub(super) fn usage_error(command: &str, message: &str) -> clap::Error {
    let mut whole = super::command();
    whole.build();
    match whole.find_subcommand_mut(command) {
        Some(command) => command.error(ErrorKind::ValueValidation, message),
        None => whole.error(ErrorKind::ValueValidation, message),
    }
}

impl ValueEnum for Field {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::EmailAddress => "email-address",
            Self::FullName => "full-name",
            Self::CompanyName => "company-name",
            Self::CustomerTier => "customer-tier",
        }))
    }
}
