//! What there is to be said about a partition file. Unlike an error, a remark may name customers:
//! it is for the person responsible for the file, and never for a log.

use std::fmt;

use crate::email::{CanonicalEmail, EmailError};
use crate::json::{self, Position};
use crate::partition::Partition;

/// Something to be said about one place of a partition file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub position: Position,
    /// What.
    pub kind: RemarkKind,
}

/// What can be said about a place of a partition file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// The file is not sound here, so nothing can be saved to it.
    Corrupt {
        /// Why.
        reason: String,
        /// The name that is given twice, if that is why.
        name: Option<String>,
    },
    /// Nobody ever finds the profile, because addresses are looked for in their canonical form.
    KeyNotCanonical {
        /// The key.
        key: String,
        /// What is looked for instead, or why the key is no address at all.
        canonical: Result<CanonicalEmail, EmailError>,
        /// Another key of the file with the same canonical form.
        twin: Option<String>,
    },
    /// Nobody ever finds the profile, because it is looked for elsewhere.
    Misplaced {
        /// The key.
        key: String,
        /// Where it is looked for.
        home: Partition,
    },
    /// One of the four fields makes the profile unusable.
    BadField {
        /// The key.
        key: String,
        /// What is wrong with the field.
        reason: String,
    },
    /// Members that this program doesn't know, and keeps.
    UnknownMembers {
        /// The key of the profile that they are in; `None` if they are beside the map.
        key: Option<String>,
        /// Their names.
        names: Vec<String>,
    },
    /// From here on the file is laid out in another way than this program writes it.
    OtherLayout,
}

impl RemarkKind {
    /// Whether it can lose or hide a profile.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        match self {
            Self::Corrupt { .. }
            | Self::KeyNotCanonical { .. }
            | Self::Misplaced { .. }
            | Self::BadField { .. } => true,
            Self::UnknownMembers { .. } | Self::OtherLayout => false,
        }
    }

    /// Whether this problem of a profile is the same as `other`, one of an earlier state of the
    /// file, however the profile's key was spelled then. What makes a whole file unusable is never the
    /// same.
    #[must_use]
    pub fn is_still(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::KeyNotCanonical { key, .. }, Self::KeyNotCanonical { key: then, .. }) => {
                key == then
            }
            (Self::Misplaced { key, .. }, Self::Misplaced { key: then, .. }) => {
                is_same_address(key, then)
            }
            (
                Self::BadField { key, reason },
                Self::BadField {
                    key: then,
                    reason: same,
                },
            ) => reason == same && is_same_address(key, then),
            _ => false,
        }
    }
}

fn is_same_address(a: &str, b: &str) -> bool {
    let canonical = CanonicalEmail::parse(a);
    a == b || (canonical.is_ok() && canonical == CanonicalEmail::parse(b))
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt { reason, name } => match name {
                Some(name) => write!(f, "{reason}: {}", json::quoted(name)),
                None => f.write_str(reason),
            },
            Self::KeyNotCanonical {
                key,
                canonical,
                twin,
            } => not_canonical(f, key, canonical, twin.as_deref()),
            Self::Misplaced { key, home } => {
                write!(
                    f,
                    "{} belongs in {home}, and is only found there",
                    json::quoted(key)
                )
            }
            Self::BadField { key, reason } => write!(f, "{}: {reason}", json::quoted(key)),
            Self::UnknownMembers { key, names } => unknown_members(f, key.as_deref(), names),
            Self::OtherLayout => f.write_str(
                "laid out in another way from here on; the next save to this partition renews that",
            ),
        }
    }
}

fn not_canonical(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    canonical: &Result<CanonicalEmail, EmailError>,
    twin: Option<&str>,
) -> fmt::Result {
    write!(f, "the key {} is not canonical: ", json::quoted(key))?;
    match canonical {
        Ok(email) => write!(f, "only {} is looked for", json::quoted(email.as_str()))?,
        Err(error) => write!(f, "{error}")?,
    }
    let Some(twin) = twin else { return Ok(()) };
    let difference = if twin.eq_ignore_ascii_case(key) {
        "differs only in case"
    } else {
        "is the same address"
    };
    write!(f, "; {}, also here, {difference}", json::quoted(twin))
}

fn unknown_members(f: &mut fmt::Formatter<'_>, key: Option<&str>, names: &[String]) -> fmt::Result {
    if let Some(key) = key {
        write!(f, "{}: ", json::quoted(key))?;
    }
    let names: Vec<_> = names.iter().map(|name| json::quoted(name)).collect();
    let (noun, place) = match (names.len(), key) {
        (1, Some(_)) => ("an unknown member", ""),
        (_, Some(_)) => ("unknown members", ""),
        (1, None) => ("an unknown member", " beside the profiles"),
        (_, None) => ("unknown members", " beside the profiles"),
    };
    write!(f, "{noun}{place}, kept as written: {}", names.join(", "))
}
