//! `dex-dir partition`.

use std::path::PathBuf;

use serde_json::json;

use super::arguments;
use super::exit::ExitStatus;
use super::output::Output;
use crate::email::CanonicalEmail;
use crate::escape;
use crate::partition::{self, Partition as Number};
use crate::store::Store;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  dex-dir partition --email alice@example.com")]
pub(super) struct Partition {
    /// The customer's address; give it again for more
    #[arg(long = "email", value_name = "ADDRESS", required = true, value_parser = arguments::email)]
    emails: Vec<CanonicalEmail>,
    /// Print one JSON object a line instead
    #[arg(long)]
    json: bool,
}

impl Partition {
    pub(super) fn run(self, dir: PathBuf) -> anyhow::Result<ExitStatus> {
        let store = super::store(dir);
        let mut output = Output::new();
        for email in &self.emails {
            output.line(&self.shown(email, &*store))?;
        }
        output.finish()?;
        Ok(ExitStatus::Done)
    }

    fn shown(&self, email: &CanonicalEmail, store: &dyn Store) -> String {
        let (hash, partition) = (
            partition::fnv1a_32(email.as_str().as_bytes()),
            Number::of(email),
        );
        let file = store.path_of(partition);
        if self.json {
            return json!({
                "canonicalEmail": email.as_str(),
                "hash": hash,
                "partition": partition.to_string(),
                "file": file.to_string_lossy(),
            })
            .to_string();
        }
        let columns = [email.to_string(), hash.to_string(), partition.to_string()];
        let escaped = columns.map(|column| escape::text(&column));
        format!("{}\t{}", escaped.join("\t"), escape::path(&file))
    }
}
