//! One finding: what it is about, how grave it is, and what it says.

use std::fmt;
use std::path::PathBuf;

use crate::document::RemarkKind;
use crate::json::Position;

/// Something that a person responsible for a directory should know. It may name customers, so it is
/// not for logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file or directory that it is about.
    pub path: PathBuf,
    /// Where in the file, if it is about one place.
    pub position: Option<Position>,
    /// What was found.
    pub kind: FindingKind,
}

impl Finding {
    /// A finding that is about no one place in the file.
    pub(super) fn of_whole(path: PathBuf, kind: FindingKind) -> Self {
        Self {
            path,
            position: None,
            kind,
        }
    }
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It can lose or hide a profile.
    Problem,
    /// It can't.
    Note,
}

/// What can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// The manifest can't be used: the reason.
    BadManifest(String),
    /// A file can't be read, or isn't one: the reason.
    Unreadable(String),
    /// Something else is in the place of what saving needs.
    Obstacle,
    /// Something about the content of a partition file.
    Content(RemarkKind),
    /// A partition file is a symbolic link.
    Link,
    /// A temporary file of a writer that was killed.
    LeftOver,
    /// Nothing of the directory's.
    Stray {
        /// Whether a person might take it for a partition.
        resembles_partition: bool,
    },
}

impl FindingKind {
    /// How grave it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::Content(remark) if remark.is_problem() => Severity::Problem,
            Self::Content(_) | Self::Link | Self::LeftOver | Self::Stray { .. } => Severity::Note,
            Self::BadManifest(_) | Self::Unreadable(_) | Self::Obstacle => Severity::Problem,
        }
    }

    /// A name for programs, which stays the same whatever the text says.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadManifest(_) => "BadManifest",
            Self::Unreadable(_) => "Unreadable",
            Self::Obstacle => "Obstacle",
            Self::Content(RemarkKind::Corrupt { .. }) => "Corrupt",
            Self::Content(RemarkKind::KeyNotCanonical { .. }) => "KeyNotCanonical",
            Self::Content(RemarkKind::Misplaced { .. }) => "Misplaced",
            Self::Content(RemarkKind::BadField { .. }) => "BadField",
            Self::Content(RemarkKind::UnknownMembers { .. }) => "UnknownMembers",
            Self::Content(RemarkKind::OtherLayout) => "OtherLayout",
            Self::Link => "Link",
            Self::LeftOver => "LeftOver",
            Self::Stray { .. } => "Stray",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Content(remark) => return remark.fmt(f),
            Self::BadManifest(reason) | Self::Unreadable(reason) => reason,
            Self::Obstacle => "of another kind than what saving needs in this place",
            Self::Link => "it is a symbolic link: it is read, but nothing can be saved to it",
            Self::LeftOver => {
                "left behind by a writer that was killed; the next save to its partition removes it"
            }
            Self::Stray {
                resembles_partition: true,
            } => {
                "not read: the names of partitions are exactly partition-000.json to partition-999.json"
            }
            Self::Stray {
                resembles_partition: false,
            } => "not read: it is no part of the directory",
        })
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Problem => "problem",
            Self::Note => "note",
        })
    }
}
