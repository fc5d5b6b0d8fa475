//! What every request is answered with: the store, the settings, and a way to work on the store.
//! It knows nothing of earlier requests.

use std::sync::Arc;

use super::Config;
use super::failure::Failure;
use super::metered::Metered;
use super::metrics::Metrics;
use super::work::Work;
use crate::error::Error;
use crate::store::Store;

/// What every request is answered with. Clones are the same service.
#[derive(Clone, Debug)]
pub(super) struct Service {
    pub(super) config: Arc<Config>,
    /// Whether only this machine can reach the server.
    pub(super) on_loopback: bool,
    pub(super) store: Arc<dyn Store>,
    pub(super) work: Work,
    pub(super) metrics: Arc<Metrics>,
}

impl Service {
    /// What answers on an address that only this machine can reach, or on any.
    pub(super) fn new(store: Arc<dyn Store>, config: Config, on_loopback: bool) -> Self {
        let metrics = Arc::new(Metrics::new());
        let metered = Metered {
            store,
            metrics: Arc::clone(&metrics),
        };
        Self {
            config: Arc::new(config),
            on_loopback,
            store: Arc::new(metered),
            work: Work::new(),
            metrics,
        }
    }

    /// Does `operation` on the store, off the asynchronous threads.
    pub(super) async fn on_store<T: Send + 'static>(
        &self,
        operation: impl FnOnce(Arc<dyn Store>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let store = Arc::clone(&self.store);
        Ok(self.work.run(move || operation(store)).await??)
    }
}
