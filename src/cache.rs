//! What a process that stays remembers of a directory, so that the next lookup costs less. It is
//! never what a file holds, only which state of it was found good and where its lines begin; and it
//! counts only as long as the file is in that very state.

use std::sync::{Arc, Mutex, PoisonError};

use crate::directory::Directory;
use crate::email::CanonicalEmail;
use crate::error::Error;
use crate::lookup;
use crate::partition::Partition;
use crate::profile::StoredProfile;
use crate::store::{Store, Version};

mod index;
mod indexes;

use indexes::{Indexes, Known};

/// What is remembered of one directory: at most 24 MiB, whatever its size.
#[derive(Debug)]
pub struct Cache {
    store: Arc<dyn Store>,
    /// The state of the manifest that was found good last.
    manifest: Mutex<Option<Version>>,
    indexes: Indexes,
}

/// The answer may have to be waited for, or is a failure: [`Cache::get`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not known without waiting for a disk")]
pub struct NotNow;

impl Cache {
    /// Nothing yet of the directory in `store`.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            manifest: Mutex::default(),
            indexes: Indexes::new(),
        }
    }

    /// The directory's store.
    #[must_use]
    pub fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store)
    }

    /// Opens the directory as [`Directory::open`] does, but reads the manifest only if it isn't known
    /// to be good.
    pub fn open(&self) -> Result<Directory, Error> {
        // Before it is read: should it change meanwhile, the old state is what was found good.
        let version = self.store.manifest_version();
        if !self.is_good(version.as_ref()) {
            Directory::open(self.store())?;
            *self.manifest.lock().unwrap_or_else(PoisonError::into_inner) = version;
        }
        Ok(Directory::known(self.store()))
    }

    fn is_good(&self, version: Option<&Version>) -> bool {
        let known = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        version.is_some() && known.as_ref() == version
    }

    /// Answers as [`Cache::get`] does, if that needn't wait for a disk.
    pub fn get_now(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, NotNow> {
        if !self.is_good(self.store.manifest_version().as_ref()) {
            return Err(NotNow);
        }
        let partition = Partition::of(email);
        let snapshot = self.store.open_cached(partition).ok_or(NotNow)?;
        match self.indexes.of(partition, &*snapshot) {
            Known::Index(index) => index.find(&*snapshot, email),
            Known::Nothing => match lookup::find(&*snapshot, email) {
                Ok(Some(found)) => Ok(Some(found)),
                Ok(None) | Err(_) => Err(NotNow),
            },
            Known::Wanted => Err(NotNow),
        }
    }

    /// Answers as [`Directory::get`] does, and remembers what makes the next lookup in this partition
    /// cheaper.
    pub fn get(&self, email: &CanonicalEmail) -> Result<Option<StoredProfile>, Error> {
        let directory = self.open()?;
        let partition = Partition::of(email);
        let Some(snapshot) = self.store.open(partition)? else {
            return Ok(None);
        };
        if let Known::Wanted = self.indexes.of(partition, &*snapshot) {
            self.indexes.learn(partition, &*snapshot)?;
        }
        directory.get_in(&*snapshot, email)
    }
}
