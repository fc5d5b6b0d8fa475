//! Connections: accepted, served until the server stops, and then brought to their end in time.

use std::convert::Infallible;
use std::io;
use std::net;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::router;
use super::service::Service;
use super::{Config, host, request_body};
use crate::store::Store;

/// After a failure to accept, such as no descriptor left: long enough not to spin, short enough
/// to go unnoticed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How many connections may wait to be accepted, if the system allows so many.
const BACKLOG: i32 = 4096;

/// Serves the directory in `store` to whoever connects to `listener`, until `stop` is ready.
///
/// Then nothing more is accepted, and what is under way gets [`Config::stop_time`] to end:
/// requests are answered, and work on the store is finished even if nobody waits for it.
///
/// It must be called within a tokio runtime with time and I/O. The error is that of taking over
/// the listener: once that is done, no failure ends the server.
pub async fn serve(
    listener: net::TcpListener,
    store: Arc<dyn Store>,
    config: Config,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    // The standard library asks for 128: a crowd that comes at once would have to knock again.
    rustix::net::listen(&listener, BACKLOG)?;
    let on_loopback = host::is_loopback(listener.local_addr()?.ip());
    let service = Arc::new(Service::new(store, config, on_loopback));
    let mut connections = Connections::new(&service);
    let listener = TcpListener::from_std(listener)?;
    tokio::select! {
        never = connections.accept_all(&listener) => match never {},
        () = stop => {}
    }
    drop(listener);
    let ended = async {
        connections.graceful.shutdown().await;
        service.work.finished().await;
    };
    if timeout(service.config.stop_time, ended).await.is_err() {
        tracing::warn!("stopped with requests under way: they took too long");
    }
    Ok(())
}

/// The connections of one server. Dropping them cuts them off.
struct Connections {
    service: Arc<Service>,
    protocol: http1::Builder,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
}

impl Connections {
    fn new(service: &Arc<Service>) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            .timer(TokioTimer::new())
            .header_read_timeout(service.config.head_time);
        Self {
            service: Arc::clone(service),
            protocol,
            graceful: GracefulShutdown::new(),
            tasks: JoinSet::new(),
        }
    }

    async fn accept_all(&mut self, listener: &TcpListener) -> Infallible {
        loop {
            let stream = accept(listener).await;
            self.begin(stream);
            // Ended ones would be kept for ever.
            while self.tasks.try_join_next().is_some() {}
        }
    }

    fn begin(&mut self, stream: TcpStream) {
        // Without it an answer in two parts can wait for the client's acknowledgement; with it
        // failing, it is only slower.
        let _slower = stream.set_nodelay(true);
        let service = Arc::clone(&self.service);
        let answer = service_fn(move |request| {
            let request = request_body::guard(request, &service.config);
            router::answer(Arc::clone(&service), request).map(Ok::<_, Infallible>)
        });
        let connection = self.protocol.serve_connection(TokioIo::new(stream), answer);
        let connection = self.graceful.watch(connection);
        let open = self.service.metrics.open_connection();
        self.tasks.spawn(async move {
            // The client's failures to speak HTTP or to stay are the client's.
            let _ended = connection.await;
            drop(open);
        });
    }
}

/// Waits for the next connection, whatever happens.
async fn accept(listener: &TcpListener) -> TcpStream {
    let mut is_known = false;
    loop {
        match listener.accept().await {
            Ok((stream, _peer)) => return stream,
            Err(error) if !is_known => tracing::error!(%error, "could not accept"),
            Err(_) => {}
        }
        is_known = true;
        sleep(ACCEPT_PAUSE).await;
    }
}
