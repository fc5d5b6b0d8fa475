//! A customer directory: everything together, as the command line and the HTTP API both call it.
//! It keeps no state that its store doesn't hold.

use std::io::IoSlice;
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::{Corrupt, Document, Outcome};
use crate::email::CanonicalEmail;
use crate::error::Error;
use crate::lookup;
use crate::manifest::{Manifest, ManifestError};
use crate::partition::Partition;
use crate::profile::{CustomerProfile, ProfileRef, StoredProfile};
use crate::store::{Begun, Change, Snapshot, Store, StoreError};

/// A directory that has been started.
#[derive(Clone, Debug)]
pub struct Directory {
    store: Arc<dyn Store>,
}

/// A profile that has been saved, and is safe from a power cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The whole profile, as it is stored now.
    pub profile: StoredProfile,
    /// What saving it changed.
    pub outcome: Outcome,
}

/// What came of replacing all that a partition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It was replaced, and is safe from a power cut.
    Done,
    /// It was changed after it had been opened, so nothing was done.
    Outdated,
}

impl Directory {
    /// Starts a directory, or opens it if it has been started. However many do so at once, there
    /// is one manifest, and all get it.
    pub fn start(store: Arc<dyn Store>) -> Result<Self, Error> {
        let bytes = store.create_manifest(&Manifest::new().to_bytes())?;
        checked(&*store, &bytes)?;
        Ok(Self { store })
    }

    /// Opens a directory that has been started, by anybody.
    pub fn open(store: Arc<dyn Store>) -> Result<Self, Error> {
        let directory = Self { store };
        directory.manifest()?;
        Ok(directory)
    }

    /// A directory whose manifest was found good before.
    pub(crate) fn known(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// Who this directory is.
    pub fn manifest(&self) -> Result<Manifest, Error> {
        match self.store.manifest()? {
            Some(bytes) => checked(&*self.store, &bytes),
            None => Err(Error::NotStarted {
                directory: self.store.location().to_owned(),
            }),
        }
    }

    /// Where a partition's bytes are, or would be.
    #[must_use]
    pub fn path_of(&self, partition: Partition) -> PathBuf {
        self.store.path_of(partition)
    }

    /// The profile of `email`; `None` if there is none. Takes no lock.
    pub fn get(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Error> {
        match self.store.open(Partition::of(email))? {
            None => Ok(None),
            Some(snapshot) => self.get_in(&*snapshot, email),
        }
    }

    /// The profile of `email` in its partition as it is in `snapshot`.
    pub(crate) fn get_in(
        &self,
        snapshot: &dyn Snapshot,
        email: &CanonicalEmail,
    ) -> Result<Option<StoredProfile>, Error> {
        if let Some(found) = lookup::find(snapshot, email)? {
            return Ok(Some(found));
        }
        let bytes = snapshot.read()?;
        let document = Document::parse(&bytes).and_then(|document| document.get(email));
        document.map_err(self.corrupt(Partition::of(email)))
    }

    /// The profiles of many addresses of one partition, in their order, from one look at it. An
    /// address whose own profile can't be used keeps no other from being answered.
    pub fn get_all(
        &self,
        partition: Partition,
        emails: &[&CanonicalEmail],
    ) -> Result<Vec<Result<Option<StoredProfile>, Error>>, Error> {
        self.look(partition, emails, |document, emails| {
            let answer =
                |email: &&CanonicalEmail| document.get(email).map_err(self.corrupt(partition));
            emails.iter().map(answer).collect()
        })
    }

    /// Saves `profile`, new or not. If another writer has the partition's lock it fails at once,
    /// with nothing changed.
    ///
    /// Saving what is there already replaces nothing, but is reported only when it, too, is safe.
    pub fn upsert(&self, profile: &CustomerProfile) -> Result<Saved, Error> {
        let partition = Partition::of(profile.email());
        self.change(partition, profile, |document, profile| {
            Continue(saved(document, profile))
        })
    }

    /// Saves `profile` if `condition` allows it over what is stored now, which is decided under the
    /// lock; otherwise nothing is changed, and the answer is why it wasn't allowed.
    pub fn upsert_if<R>(
        &self,
        profile: &CustomerProfile,
        condition: impl FnOnce(Option<&StoredProfile>) -> Result<(), R>,
    ) -> Result<Result<Saved, R>, Error> {
        let partition = Partition::of(profile.email());
        self.change(partition, profile, |document, profile| {
            let current = match document.get(profile.email()) {
                Ok(current) => current,
                Err(corrupt) => return Break(Err(self.corrupt(partition)(corrupt))),
            };
            match condition(current.as_ref()) {
                Ok(()) => Continue(Ok(Ok(saved(document, profile)))),
                Err(refused) => Break(Ok(Err(refused))),
            }
        })?
    }

    /// Saves many profiles of one partition, the later over the earlier, as one change.
    pub fn upsert_all(
        &self,
        partition: Partition,
        profiles: &[ProfileRef<'_>],
    ) -> Result<Vec<Outcome>, Error> {
        self.change(partition, profiles, |document, profiles| {
            Continue(upsert_into(document, profiles))
        })
    }

    /// What [`Directory::upsert_all`] would answer. Takes no lock and changes nothing.
    pub fn preview(
        &self,
        partition: Partition,
        profiles: &[ProfileRef<'_>],
    ) -> Result<Vec<Outcome>, Error> {
        self.look(partition, profiles, |document, profiles| {
            upsert_into(document, profiles)
        })
    }

    /// A look at one partition, without a lock. The document borrows from `input`, too.
    fn look<I: ?Sized, T>(
        &self,
        partition: Partition,
        input: &I,
        look: impl for<'d> FnOnce(&mut Document<'d>, &'d I) -> T,
    ) -> Result<T, Error> {
        let bytes = self.read(partition)?;
        let mut document = self.parse(partition, bytes.as_deref())?;
        Ok(look(&mut document, input))
    }

    /// Makes sure that a partition could be replaced, as far as that shows without doing it.
    pub fn check_replaceable(&self, partition: Partition) -> Result<(), Error> {
        Ok(self.store.check_replaceable(partition)?)
    }

    /// What a partition holds, sound or not, for somebody who will give all of it back changed; `None`
    /// if it hasn't been written. Takes no lock. What could not be replaced is refused now, not when
    /// the work is done.
    pub fn open_to_edit(&self, partition: Partition) -> Result<Option<Vec<u8>>, Error> {
        self.check_replaceable(partition)?;
        Ok(self.read(partition)?)
    }

    /// Puts `document` in the place of what was [opened](Directory::open_to_edit), sound or not, if
    /// the partition still holds just that. If another writer has the partition's lock it fails at
    /// once, with nothing changed.
    pub fn replace(
        &self,
        partition: Partition,
        opened: Option<&[u8]>,
        document: &Document<'_>,
    ) -> Result<Replacement, Error> {
        let Begun { current, change } = self.store.begin(partition)?;
        if current.as_deref() != opened {
            return Ok(Replacement::Outdated);
        }
        commit(change, document)?;
        Ok(Replacement::Done)
    }

    fn read(&self, partition: Partition) -> Result<Option<Vec<u8>>, StoreError> {
        let snapshot = self.store.open(partition)?;
        snapshot.map(|snapshot| snapshot.read()).transpose()
    }

    /// A change of one partition: locks it, reads it, does `edit`, writes the whole to a temporary
    /// file, syncs that, renames it over the partition, syncs the directory, unlocks and reports.
    /// What `edit` left as it was is only synced, and what it broke off is not even that. The document
    /// borrows from `input`, too.
    fn change<I: ?Sized, T>(
        &self,
        partition: Partition,
        input: &I,
        edit: impl for<'d> FnOnce(&mut Document<'d>, &'d I) -> ControlFlow<T, T>,
    ) -> Result<T, Error> {
        let Begun { current, change } = self.store.begin(partition)?;
        let mut document = self.parse(partition, current.as_deref())?;
        let report = match edit(&mut document, input) {
            Continue(report) => report,
            Break(report) => return Ok(report),
        };
        if document.is_changed() {
            commit(change, &document)?;
        } else {
            change.confirm()?;
        }
        Ok(report)
    }

    fn parse<'b>(
        &self,
        partition: Partition,
        bytes: Option<&'b [u8]>,
    ) -> Result<Document<'b>, Error> {
        bytes
            .map_or_else(|| Ok(Document::empty()), Document::parse)
            .map_err(self.corrupt(partition))
    }

    /// Where it is kept.
    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The error that says why a partition is corrupt.
    pub(crate) fn corrupt(&self, partition: Partition) -> impl Fn(Corrupt) -> Error + '_ {
        move |source| Error::Partition {
            path: self.path_of(partition),
            source,
        }
    }
}

fn checked(store: &dyn Store, manifest: &[u8]) -> Result<Manifest, Error> {
    let bad = |source: ManifestError| Error::Manifest {
        directory: store.location().to_owned(),
        source,
    };
    Manifest::parse(manifest).map_err(bad)
}

fn commit(change: Box<dyn Change>, document: &Document) -> Result<(), StoreError> {
    let texts = document.to_parts();
    let mut parts: Vec<_> = texts
        .iter()
        .map(|text| IoSlice::new(text.as_bytes()))
        .collect();
    change.commit(&mut parts)
}

fn saved<'d>(document: &mut Document<'d>, profile: &'d CustomerProfile) -> Saved {
    let upserted = document.upsert(profile);
    Saved {
        profile: upserted.stored(),
        outcome: upserted.outcome,
    }
}

fn upsert_into<'d>(document: &mut Document<'d>, profiles: &[ProfileRef<'d>]) -> Vec<Outcome> {
    let outcomes = profiles
        .iter()
        .map(|&profile| document.upsert(profile).outcome);
    outcomes.collect()
}
