//! Work that blocks, on threads of its own. Once begun it goes on to its end, whether or not
//! anybody still waits for the answer: a lock that is taken in it is also given back in it.

use std::sync::Arc;

use tokio::sync::watch;

use super::code::Code;
use super::failure::Failure;

/// The work of one server. Clones are the same work.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Each piece of work that isn't finished holds a receiver.
    under_way: Arc<watch::Sender<()>>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            under_way: Arc::new(watch::Sender::new(())),
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

    /// Waits until all work is finished that was begun.
    pub(super) async fn finished(&self) {
        self.under_way.closed().await;
    }
}
