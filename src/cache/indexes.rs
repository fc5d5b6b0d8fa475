//! The indexes of all partitions, each of one state, and which states deserve one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::Index;
use crate::partition::Partition;
use crate::store::{Snapshot, StoreError, Version};

/// How many bytes all indexes may take together: enough for three million profiles. What comes later
/// is looked up without.
const MAX_BYTES: usize = 24 * 1024 * 1024;

/// What is known of each partition.
#[derive(Debug)]
pub(super) struct Indexes {
    states: Vec<Mutex<Option<State>>>,
    bytes: AtomicUsize,
}

/// The last state of a partition that was seen.
#[derive(Debug)]
struct State {
    version: Version,
    known: Known,
}

/// What is known of one state of a partition.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Where its lines begin.
    Index(Arc<Index>),
    /// No more than it says itself.
    Nothing,
    /// No more, but it has been asked for again: an index would pay.
    Wanted,
}

impl Indexes {
    pub(super) fn new() -> Self {
        Self {
            states: (0..Partition::COUNT).map(|_| Mutex::default()).collect(),
            bytes: AtomicUsize::new(0),
        }
    }

    /// What is known of a partition as it is in `snapshot`.
    pub(super) fn of(&self, partition: Partition, snapshot: &dyn Snapshot) -> Known {
        // What can't be told from the next state isn't worth knowing.
        if !snapshot.is_settled() {
            return Known::Nothing;
        }
        let version = snapshot.version();
        let mut state = self.state(partition);
        if let Some(state) = &*state
            && state.version == version
        {
            return state.known.clone();
        }
        // Asked for once is no reason yet: it may be the only time.
        let known = Known::Wanted;
        self.replace(&mut state, State { version, known });
        Known::Nothing
    }

    /// Reads the whole partition and makes an index of it, if that can be.
    pub(super) fn learn(
        &self,
        partition: Partition,
        snapshot: &dyn Snapshot,
    ) -> Result<(), StoreError> {
        let index = Index::of(&snapshot.read()?).map(Arc::new);
        let fits = |index: &Arc<Index>| {
            self.bytes
                .load(Ordering::Relaxed)
                .saturating_add(index.size())
                <= MAX_BYTES
        };
        let state = State {
            version: snapshot.version(),
            known: index.filter(fits).map_or(Known::Nothing, Known::Index),
        };
        self.replace(&mut self.state(partition), state);
        Ok(())
    }

    fn replace(&self, old: &mut Option<State>, new: State) {
        self.bytes.fetch_add(new.size(), Ordering::Relaxed);
        let old = old.replace(new);
        self.bytes
            .fetch_sub(old.map_or(0, |old| old.size()), Ordering::Relaxed);
    }

    fn state(&self, partition: Partition) -> MutexGuard<'_, Option<State>> {
        let state = &self.states[usize::from(partition.number())];
        state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn size(&self) -> usize {
        match &self.known {
            Known::Index(index) => index.size(),
            Known::Nothing | Known::Wanted => 0,
        }
    }
}
