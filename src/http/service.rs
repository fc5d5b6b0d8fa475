//! What every request is answered with: the store, the settings, and a way to work on the store.
//! It knows nothing of earlier requests.

use std::sync::Arc;

use tower_http::cors::CorsLayer;

use super::Config;
use super::failure::Failure;
use super::metered::Metered;
use super::metrics::Metrics;
use super::work::Work;
use crate::cache::Cache;
use crate::directory::Directory;
use crate::error::Error;
use crate::store::Store;

/// What every request is answered with.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) config: Arc<Config>,
    /// Whether only this machine can reach the server.
    pub(super) on_loopback: bool,
    /// What answers browsers that ask for foreign web pages; `None` if none is allowed.
    pub(super) browsers: Option<CorsLayer>,
    pub(super) work: Work,
    pub(super) metrics: Arc<Metrics>,
    pub(super) cache: Arc<Cache>,
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
            browsers: config.origins.layer(),
            config: Arc::new(config),
            on_loopback,
            work: Work::new(),
            metrics,
            cache: Arc::new(Cache::new(Arc::new(metered))),
        }
    }

    /// Does `operation`, with what is remembered, off the asynchronous threads.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Cache) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let cache = Arc::clone(&self.cache);
        Ok(self.work.run(move || operation(&cache)).await??)
    }

    /// Does `operation` on the directory, off the asynchronous threads.
    pub(super) async fn on_directory<T: Send + 'static>(
        &self,
        operation: impl FnOnce(Directory) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        self.run(|cache| operation(cache.open()?)).await
    }

    /// The same for a save, of which only a few are done at once.
    pub(super) async fn save<T: Send + 'static>(
        &self,
        operation: impl FnOnce(Directory) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let cache = Arc::clone(&self.cache);
        let operation = move || operation(cache.open()?);
        Ok(self.work.save(operation).await??)
    }
}
