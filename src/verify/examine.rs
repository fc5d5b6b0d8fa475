//! One partition, read and checked.

use std::path::PathBuf;

use super::finding::{Finding, FindingKind};
use crate::document::{Checked, Document};
use crate::error::{Error, ErrorKind};
use crate::partition::Partition;
use crate::store::{Store, StoreError};

/// A partition that a survey has found.
pub(super) struct Listed {
    pub(super) path: PathBuf,
    pub(super) partition: Partition,
    pub(super) is_link: bool,
}

/// What came of looking at a partition.
#[derive(Default)]
pub(super) struct Examined {
    /// How many profiles it holds; `None` if it couldn't be read.
    pub(super) profiles: Option<usize>,
    pub(super) findings: Vec<Finding>,
}

/// Reads and checks a partition. An error is nothing that the partition is to blame for.
pub(super) fn examine(store: &dyn Store, listed: &Listed) -> Result<Examined, Error> {
    let opened = store.open(listed.partition);
    match opened.and_then(|snapshot| snapshot.map(|s| s.read()).transpose()) {
        Ok(Some(bytes)) => Ok(check(listed, &bytes)),
        // Removed since it was listed.
        Ok(None) => Ok(Examined::default()),
        Err(error) => Ok(Examined {
            profiles: None,
            findings: vec![unreadable(listed.path.clone(), error)?],
        }),
    }
}

fn check(listed: &Listed, bytes: &[u8]) -> Examined {
    let Checked { profiles, remarks } = Document::check(bytes, listed.partition);
    let link = listed.is_link.then_some((None, FindingKind::Link));
    let content = remarks
        .into_iter()
        .map(|remark| (Some(remark.position), FindingKind::Content(remark.kind)));
    let findings = link.into_iter().chain(content);
    Examined {
        profiles: Some(profiles),
        findings: findings
            .map(|(position, kind)| Finding {
                path: listed.path.clone(),
                position,
                kind,
            })
            .collect(),
    }
}

/// What is to be said about a file that can't be read, unless this process can't read any.
pub(super) fn unreadable(path: PathBuf, error: StoreError) -> Result<Finding, Error> {
    let reason = match &error {
        StoreError::Io { action, source, .. } => format!("could not {action} it: {source}"),
        StoreError::Unsuitable { action, reason, .. } => format!("could not {action} it: {reason}"),
        StoreError::LockConflict { .. } | StoreError::NotDurable { .. } => error.to_string(),
    };
    match Error::from(error) {
        error if error.kind() == ErrorKind::OutOfDescriptors => Err(error),
        _ => Ok(Finding::of_whole(path, FindingKind::Unreadable(reason))),
    }
}
