//! Work that blocks, on threads of its own. Once begun it goes on to its end, whether or not
//! anybody still waits for the answer: a lock that is taken in it is also given back in it.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::code::Code;
use super::failure::Failure;

/// How many saves are under way at once. More are in each other's way: they wait for one disk, and
/// all of them for the directory that each makes and renames a file in.
const SAVES: usize = 8;

/// The work of one server.
#[derive(Debug)]
pub(super) struct Work {
    /// Each piece of work that isn't finished holds a receiver.
    under_way: watch::Sender<()>,
    saves: Arc<Semaphore>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            under_way: watch::Sender::new(()),
            saves: Arc::new(Semaphore::new(SAVES)),
        }
    }

    /// Does `operation` on a thread that may block, and answers what it does. If it panics, that
    /// is a failure of this one piece of work.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let guard = self.under_way.subscribe();
        let work = tokio::task::spawn_blocking(move || {
            let _until_the_end = guard;
            operation()
        });
        work.await.map_err(|error| {
            if error.is_panic() {
                Failure::internal("the work on the store panicked")
            } else {
                Failure::new(Code::Unavailable, "the server is shutting down")
            }
        })
    }

    /// Does the same once there is room for another save.
    pub(super) async fn save<T: Send + 'static>(
        &self,
        operation: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        // It is never closed.
        let room = Arc::clone(&self.saves).acquire_owned().await.ok();
        let saved = self.run(move || {
            let _until_the_end = room;
            operation()
        });
        saved.await
    }

    /// Waits until all work is finished that was begun.
    pub(super) async fn finished(&self) {
        self.under_way.closed().await;
    }
}
