//! Everything that is wrong or unusual in a directory, found without a lock and without a false
//! alarm while writers run. It changes nothing, and never holds more than one file per thread.

use std::path::PathBuf;

use crate::error::Error;
use crate::in_order::in_order;
use crate::json::{self, Position};
use crate::manifest::{Manifest, ManifestError};
use crate::store::{Entry, EntryKind, Store, StoreError};

mod examine;
mod finding;

use examine::{Examined, Listed, examine, unreadable};
pub use finding::{Finding, FindingKind, Severity};

/// How much was looked at and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Partitions that could be read.
    pub partitions: usize,
    /// Profiles in them that could be told apart.
    pub profiles: usize,
    /// Findings that can lose or hide a profile.
    pub problems: usize,
    /// Other findings.
    pub notes: usize,
}

/// Checks all that is in `store` with all cores, and gives each finding to `report`: about the
/// manifest, then by partition, then about everything else by its path.
///
/// If the manifest is that of another format, nothing else can be judged.
pub fn verify(store: &dyn Store, report: &mut dyn FnMut(&Finding)) -> Result<Summary, Error> {
    let manifest = store.manifest();
    if let Ok(None) = manifest {
        let directory = store.location().to_owned();
        return Err(Error::NotStarted { directory });
    }
    // Where not even this can be had, it isn't about the manifest.
    let found = Found::of(store.survey()?);
    let mut run = Run {
        summary: Summary::default(),
        report,
    };
    let path = found.manifest.unwrap_or(store.location().to_owned());
    if run.manifest(path, manifest)? {
        run.partitions(store, &found.partitions)?;
        for finding in &found.others {
            run.found(finding);
        }
    }
    Ok(run.summary)
}

/// What a survey has found, sorted by what is to be done with it.
#[derive(Default)]
struct Found {
    manifest: Option<PathBuf>,
    partitions: Vec<Listed>,
    others: Vec<Finding>,
}

impl Found {
    fn of(mut entries: Vec<Entry>) -> Self {
        // Three digits: by path is by number.
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let mut found = Self::default();
        for entry in entries {
            found.add(entry);
        }
        found
    }

    fn add(&mut self, Entry { path, kind }: Entry) {
        let kind = match kind {
            EntryKind::Manifest => {
                self.manifest = Some(path);
                return;
            }
            EntryKind::Partition { partition, is_link } => {
                self.partitions.push(Listed {
                    path,
                    partition,
                    is_link,
                });
                return;
            }
            EntryKind::LeftOver => FindingKind::LeftOver,
            EntryKind::Obstacle => FindingKind::Obstacle,
            EntryKind::Unreadable(error) => {
                FindingKind::Unreadable(format!("could not list it: {error}"))
            }
            EntryKind::Stray {
                resembles_partition,
            } => FindingKind::Stray {
                resembles_partition,
            },
        };
        self.others.push(Finding::of_whole(path, kind));
    }
}

/// A verification under way.
struct Run<'r> {
    summary: Summary,
    report: &'r mut dyn FnMut(&Finding),
}

impl Run<'_> {
    fn found(&mut self, finding: &Finding) {
        match finding.kind.severity() {
            Severity::Problem => self.summary.problems += 1,
            Severity::Note => self.summary.notes += 1,
        }
        (self.report)(finding);
    }

    /// Checks the manifest, and says whether the rest can be judged.
    fn manifest(
        &mut self,
        path: PathBuf,
        manifest: Result<Option<Vec<u8>>, StoreError>,
    ) -> Result<bool, Error> {
        let bytes = match manifest {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(error) => {
                self.found(&unreadable(path, error)?);
                return Ok(true);
            }
        };
        let Err(error) = Manifest::parse(&bytes) else {
            return Ok(true);
        };
        self.found(&bad_manifest(path, &error));
        Ok(matches!(error, ManifestError::Corrupt(_)))
    }

    fn partitions(&mut self, store: &dyn Store, listed: &[Listed]) -> Result<(), Error> {
        let work = |listed: &Listed| examine(store, listed);
        in_order(listed, work, |examined: Result<Examined, Error>| {
            let Examined { profiles, findings } = examined?;
            self.summary.partitions += usize::from(profiles.is_some());
            self.summary.profiles += profiles.unwrap_or_default();
            for finding in &findings {
                self.found(finding);
            }
            Ok(())
        })
    }
}

fn bad_manifest(path: PathBuf, error: &ManifestError) -> Finding {
    let kind = |reason| FindingKind::BadManifest(reason);
    match error {
        ManifestError::Corrupt(cause) => Finding {
            path,
            // Before the first character the library counts from 0.
            position: Some(Position {
                line: cause.line().max(1),
                column: cause.column().max(1),
            }),
            kind: kind(format!("{error}: {}", json::message(cause))),
        },
        ManifestError::Unsupported { .. } => {
            let reason = format!("{error}; so nothing else was checked");
            Finding::of_whole(path, kind(reason))
        }
    }
}
