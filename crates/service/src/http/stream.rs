//! Streaming responses, which end when the client disconnects or the service shuts down: lines of JSON and server-sent
//! events.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use search::Stop;
use serde::Serialize;
use tokio::{
    sync::{mpsc, watch},
    time::timeout,
};

use crate::QuotaPermit;

/// The interval between comments that keep an idle stream alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Stops a search when dropped, that is, when its client disconnects.
pub(super) struct StopOnDrop(pub(super) Arc<Stop>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Sends lines of JSON from a search thread to a client.
pub(super) struct LineSender {
    sender: mpsc::Sender<Bytes>,
}

impl LineSender {
    /// Sends a line unless the buffer is full, so that a slow client skips obsolete lines.
    pub(super) fn try_send(&self, value: &impl Serialize) {
        if let (Ok(line), Ok(permit)) = (line(value), self.sender.try_reserve()) {
            permit.send(line);
        }
    }

    /// Sends a line, waiting for space in the buffer. Returns whether the client is still connected.
    pub(super) fn send(&self, value: &impl Serialize) -> bool {
        line(value).is_ok_and(|line| self.sender.blocking_send(line).is_ok())
    }
}

fn line(value: &impl Serialize) -> serde_json::Result<Bytes> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line.into())
}

/// Creates a response of JSON lines and the sender of its lines. `stop` is raised when the client disconnects or the service
/// shuts down.
pub(super) fn lines(stop: Arc<Stop>, shutting_down: watch::Receiver<bool>) -> (LineSender, Response) {
    let (sender, receiver) = mpsc::channel(16);
    let state = (receiver, StopOnDrop(stop), shutting_down);
    let chunks = stream::unfold(state, |(mut receiver, stop_on_drop, mut shutting_down)| async move {
        let next = tokio::select! {
            next = receiver.recv() => next,
            _ = shutting_down.wait_for(|&shutting_down| shutting_down) => None,
        };
        next.map(|line| {
            (Ok::<Bytes, std::convert::Infallible>(line), (receiver, stop_on_drop, shutting_down))
        })
    });
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (LineSender { sender }, (headers, Body::from_stream(chunks)).into_response())
}

/// A server-sent event.
pub(super) struct Event {
    /// The type of the event.
    pub(super) name: &'static str,
    /// One line of JSON, shared by all clients that receive the event.
    pub(super) data: Bytes,
}

/// A source of events.
pub(super) trait Source: Send + 'static {
    /// Waits for the next event. Returns `None` when there are no more.
    fn next(&mut self) -> impl Future<Output = Option<Event>> + Send;
}

/// Creates a response of server-sent events, which holds `permit` until it ends.
pub(super) fn events(
    source: impl Source,
    permit: QuotaPermit,
    shutting_down: watch::Receiver<bool>,
) -> Response {
    let events = stream::unfold(
        (source, permit, shutting_down),
        |(mut source, permit, mut shutting_down)| async move {
            let event = tokio::select! {
                event = timeout(HEARTBEAT, source.next()) => event,
                _ = shutting_down.wait_for(|&shutting_down| shutting_down) => return None,
            };
            let chunks = match event {
                Ok(Some(Event { name, data })) => {
                    // The data is not copied: thousands of clients may watch the same game.
                    let start = Bytes::from(format!("event: {name}\ndata: "));
                    [start, data, Bytes::from_static(b"\n\n")]
                }
                Ok(None) => return None,
                Err(_) => [Bytes::from_static(b": heartbeat\n\n"), Bytes::new(), Bytes::new()],
            };
            Some((chunks, (source, permit, shutting_down)))
        },
    );
    let chunks = events.flat_map(|chunks| stream::iter(chunks.into_iter().filter(|chunk| !chunk.is_empty())));
    let chunks = chunks.map(Ok::<Bytes, std::convert::Infallible>);
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(chunks)).into_response()
}
