//! `directory.json`, the manifest of a directory: who it is, and how its addresses are spread.
//! What it says is checked on every opening, so that nothing is ever rehashed behind a user's back.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::partition::Partition;

const FLOW_ID: &str = "customer-directory";
const FORMAT_VERSION: u32 = 1;
const HASH: &str = "fnv1a-32";

/// A manifest that this program can work with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    #[serde(rename = "flowID")]
    flow_id: String,
    #[serde(rename = "runID")]
    run_id: String,
    format_version: u32,
    partition_count: u32,
    hash: String,
    started_at: String,
}

/// Why a manifest can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It isn't a JSON object with the six members.
    #[error("the manifest is corrupt")]
    Corrupt(#[source] serde_json::Error),
    /// It belongs to something else, or to a version that this program doesn't know.
    #[error("the manifest says {member} {found}, and this program supports {supported}")]
    Unsupported {
        /// The member that differs.
        member: &'static str,
        /// What the file says.
        found: String,
        /// What this program supports.
        supported: String,
    },
}

impl Manifest {
    /// The manifest of a directory that is started now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            flow_id: FLOW_ID.to_owned(),
            run_id: uuid::Uuid::new_v4().to_string(),
            format_version: FORMAT_VERSION,
            partition_count: Partition::COUNT.into(),
            hash: HASH.to_owned(),
            started_at: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        }
    }

    /// Reads a manifest, and refuses one that isn't of this program's kind.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let version: Version = serde_json::from_slice(bytes).map_err(ManifestError::Corrupt)?;
        // First, because a later version may well have other members.
        supports("formatVersion", &version.format_version, &FORMAT_VERSION)?;
        let manifest: Self = serde_json::from_slice(bytes).map_err(ManifestError::Corrupt)?;
        supports("flowID", &*manifest.flow_id, FLOW_ID)?;
        supports(
            "partitionCount",
            &manifest.partition_count,
            &Partition::COUNT.into(),
        )?;
        supports("hash", &*manifest.hash, HASH)?;
        Ok(manifest)
    }

    /// The text of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n").into_bytes()
    }

    /// What `start` answers: the two identifiers, as one line of JSON.
    #[must_use]
    pub fn identity(&self) -> String {
        serde_json::json!({ "flowID": self.flow_id, "runID": self.run_id }).to_string()
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    format_version: u32,
}

fn supports<T>(member: &'static str, found: &T, supported: &T) -> Result<(), ManifestError>
where
    T: PartialEq + serde::Serialize + ?Sized,
{
    if found == supported {
        return Ok(());
    }
    let text = |value: &T| serde_json::to_string(value).unwrap_or_default();
    Err(ManifestError::Unsupported {
        member,
        found: text(found),
        supported: text(supported),
    })
}
