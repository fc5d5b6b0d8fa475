//! The body of a request, as it comes from the client: it must come in time, and when nobody wants
//! the rest of it, the rest is read all the same. A connection that is closed with unread bytes
//! is reset, and a reset can destroy the answer before the client has read it.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum_core::BoxError;
use axum_core::body::Body;
use axum_core::extract::Request;
use http::header;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep_until, timeout};

use super::Config;

/// The body took longer than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body did not come in time")]
pub(super) struct Late;

/// A body that is guarded in this way.
struct RequestBody {
    inner: Body,
    config: Arc<Config>,
    deadline: Instant,
    alarm: Option<Pin<Box<Sleep>>>,
    /// Whether the client sends the rest without being asked for it.
    is_coming: bool,
}

/// Puts the guard around the body of a request, if it has one.
pub(super) fn guard(request: http::Request<Incoming>, config: &Arc<Config>) -> Request {
    // Such a client waits for the word, which is sent when the body is first read.
    let is_coming = !request.headers().contains_key(header::EXPECT);
    request.map(|inner| {
        if inner.is_end_stream() {
            return Body::empty();
        }
        Body::new(RequestBody {
            inner: Body::new(inner),
            deadline: Instant::now() + config.body_time,
            alarm: None,
            config: Arc::clone(config),
            is_coming,
        })
    })
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.is_coming = true;
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) {
            self.is_coming = matches!(frame, Some(Ok(_)));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self.deadline;
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(alarm.as_mut().poll(cx));
        // Whoever is late already is not waited for again.
        self.is_coming = false;
        Poll::Ready(Some(Err(Late.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.is_coming || self.inner.is_end_stream() {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let rest = mem::take(&mut self.inner);
            drop(runtime.spawn(timeout(self.config.drain_time, drain(rest))));
        }
    }
}

async fn drain(mut rest: Body) {
    while let Some(Ok(_)) = rest.frame().await {}
}
