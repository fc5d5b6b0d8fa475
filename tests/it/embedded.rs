//! The server as another program embeds it: with limits and a store of its own choice.

use std::io;
use std::io::IoSlice;
use std::net::TcpListener;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use dex_dir::directory::Directory;
use dex_dir::http::{self, Config};
use dex_dir::partition::Partition;
use dex_dir::store::memory::MemoryStore;
use dex_dir::store::{Begun, Change, Snapshot, Store, StoreError, Version};
use tokio::sync::oneshot;

use crate::client::Client;

/// A server in this process; it is stopped when this is dropped.
pub struct Embedded {
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Embedded {
    pub fn serve(store: Arc<dyn Store>, config: Config) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _either_way = stopped.await;
        };
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            let served = runtime.block_on(http::serve(listener, store, config, stopped));
            served.expect("a server");
        });
        Self {
            client: Client { address },
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Deref for Embedded {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        drop(self.stop.take());
        let served = self.thread.take().map(JoinHandle::join);
        // A second panic would hide the first.
        assert!(thread::panicking() || matches!(served, Some(Ok(()))));
    }
}

/// What happens in a [`Hooked`] store.
type Hook = Box<dyn Fn() -> Result<(), StoreError> + Send + Sync>;

/// A started directory in memory in which something happens before each partition is opened,
/// before it is changed, and once it has been changed.
pub struct Hooked {
    inner: MemoryStore,
    before: Hook,
    after: Arc<Hook>,
}

impl Hooked {
    pub fn before(hook: impl Fn() -> Result<(), StoreError> + Send + Sync + 'static) -> Self {
        Self::new(Box::new(hook), Box::new(|| Ok(())))
    }

    pub fn after(hook: impl Fn() -> Result<(), StoreError> + Send + Sync + 'static) -> Self {
        Self::new(Box::new(|| Ok(())), Box::new(hook))
    }

    fn new(before: Hook, after: Hook) -> Self {
        let inner = MemoryStore::default();
        Directory::start(Arc::new(inner.clone())).expect("started");
        Self {
            inner,
            before,
            after: Arc::new(after),
        }
    }
}

impl std::fmt::Debug for Hooked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl Store for Hooked {
    fn location(&self) -> &Path {
        self.inner.location()
    }

    fn path_of(&self, partition: Partition) -> PathBuf {
        self.inner.path_of(partition)
    }

    fn manifest(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.manifest()
    }

    fn create_manifest(&self, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.inner.create_manifest(bytes)
    }

    fn open(&self, partition: Partition) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        (self.before)()?;
        self.inner.open(partition)
    }

    fn manifest_version(&self) -> Option<Version> {
        Some(Version::new([]))
    }

    fn open_cached(&self, partition: Partition) -> Option<Box<dyn Snapshot>> {
        (self.before)().ok()?;
        self.inner.open_cached(partition)
    }

    fn begin(&self, partition: Partition) -> Result<Begun, StoreError> {
        let begun = self.inner.begin(partition)?;
        (self.before)()?;
        Ok(Begun {
            current: begun.current,
            change: Box::new(HookedChange(begun.change, Arc::clone(&self.after))),
        })
    }

    fn list(&self) -> Result<Vec<Partition>, StoreError> {
        self.inner.list()
    }
}

struct HookedChange(Box<dyn Change>, Arc<Hook>);

impl Change for HookedChange {
    fn commit(self: Box<Self>, parts: &mut [IoSlice<'_>]) -> Result<(), StoreError> {
        self.0.commit(parts)?;
        (self.1)()
    }

    fn confirm(self: Box<Self>) -> Result<(), StoreError> {
        self.0.confirm()?;
        (self.1)()
    }
}

/// What the system says when it refuses with this number.
pub fn refused_by_system(number: i32) -> StoreError {
    StoreError::Io {
        action: "open",
        path: PathBuf::from("/secret/path"),
        source: io::Error::from_raw_os_error(number),
    }
}
