//! `dex-dir get`.

use std::path::PathBuf;

use super::exit::ExitStatus;
use super::output::{Output, OutputError};
use super::report::{complain, report};
use super::{arguments, open};
use crate::directory::Directory;
use crate::email::CanonicalEmail;
use crate::partition::Partition;
use crate::profile::{Field, StoredProfile};

mod many;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  name=$(dex-dir get --email alice@example.com --field full-name)\n  dex-dir get --from addresses.txt > profiles.jsonl"
)]
pub(super) struct Get {
    /// The customer's address; give it again for more customers, answered in the order asked
    #[arg(long = "email", value_name = "ADDRESS", value_parser = arguments::email)]
    #[arg(required_unless_present = "from")]
    emails: Vec<CanonicalEmail>,
    /// Look up all addresses in this file (-: standard input), one a line
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["emails", "field"])]
    from: Option<PathBuf>,
    /// Print one field's bare text instead of the whole profile
    #[arg(long, value_name = "FIELD")]
    field: Option<Field>,
}

impl Get {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        if self.field.is_some() && self.emails.len() > 1 {
            let message = "--field takes a single --email";
            return Err(arguments::usage_error("get", message).into());
        }
        let directory = open(dir)?;
        if let Some(from) = &self.from {
            return many::run(&directory, from);
        }
        let mut output = Output::new();
        let mut status = ExitStatus::Done;
        for email in &self.emails {
            status = status.or_worse(self.answer(&directory, email, &mut output)?);
        }
        output.finish()?;
        Ok(status)
    }

    /// One address's answer. Only what would fail for all others too is an error.
    fn answer(
        &self,
        directory: &Directory,
        email: &CanonicalEmail,
        output: &mut Output,
    ) -> Result<ExitStatus, OutputError> {
        match directory.get(email) {
            Ok(Some(profile)) => {
                output.line(&self.shown(&profile))?;
                Ok(ExitStatus::Done)
            }
            Ok(None) => Ok(missing(directory, email)),
            Err(error) => Ok(report(&error.into())),
        }
    }

    fn shown(&self, profile: &StoredProfile) -> String {
        match self.field {
            Some(field) => profile.field(field),
            None => profile.as_json().to_owned(),
        }
    }
}

/// Tells of an address that has no profile.
fn missing(directory: &Directory, email: &CanonicalEmail) -> ExitStatus {
    let path = directory.path_of(Partition::of(email));
    complain(&format!(
        "no profile of {email} in {}; save one with `dex-dir upsert`",
        path.display()
    ));
    ExitStatus::NotFound
}
