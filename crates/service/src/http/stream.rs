//! Responses that come in pieces, and end when the client leaves or the service ends.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use search::Stop;
use serde::Serialize;
use tokio::{
    sync::{mpsc, watch},
    time::timeout,
};

use crate::Share;

/// How often a silent stream shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Raises a stop when nobody listens any more.
pub(super) struct Leash(pub(super) Arc<Stop>);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Sends lines of JSON to a client, from a thread that searches.
pub(super) struct Lines {
    sender: mpsc::Sender<Bytes>,
}

impl Lines {
    /// Sends a line if the client keeps up; what it would only hear late is left out.
    pub(super) fn offer(&self, value: &impl Serialize) {
        if let (Ok(line), Ok(permit)) = (line(value), self.sender.try_reserve()) {
            permit.send(line);
        }
    }

    /// Sends a line that must not be lost. Tells whether somebody still listens.
    pub(super) fn send(&self, value: &impl Serialize) -> bool {
        line(value).is_ok_and(|line| self.sender.blocking_send(line).is_ok())
    }
}

fn line(value: &impl Serialize) -> serde_json::Result<Bytes> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line.into())
}

/// A response of lines, and where they come from. `stop` is raised when the client leaves or the service ends.
pub(super) fn lines(stop: Arc<Stop>, ending: watch::Receiver<bool>) -> (Lines, Response) {
    let (sender, receiver) = mpsc::channel(16);
    let state = (receiver, Leash(stop), ending);
    let pieces = stream::unfold(state, |(mut receiver, leash, mut ending)| async move {
        let next = tokio::select! {
            next = receiver.recv() => next,
            _ = ending.wait_for(|&ending| ending) => None,
        };
        next.map(|line| (Ok::<Bytes, std::convert::Infallible>(line), (receiver, leash, ending)))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (Lines { sender }, (kind, Body::from_stream(pieces)).into_response())
}

/// One event of a stream of server-sent events.
pub(super) struct Event {
    /// What sort it is.
    pub(super) name: &'static str,
    /// One line of JSON.
    pub(super) data: Arc<Vec<u8>>,
}

/// Something that events come from.
pub(super) trait Source: Send + 'static {
    /// The next event; `None` when there are no more.
    fn next(&mut self) -> impl Future<Output = Option<Event>> + Send;
}

/// A response of server-sent events; `share` is held until it ends.
pub(super) fn events(source: impl Source, share: Share, ending: watch::Receiver<bool>) -> Response {
    let pieces = stream::unfold((source, share, ending), |(mut source, share, mut ending)| async move {
        let piece = tokio::select! {
            piece = timeout(HEARTBEAT, source.next()) => piece,
            _ = ending.wait_for(|&ending| ending) => return None,
        };
        let text = match piece {
            Ok(Some(Event { name, data })) => {
                [b"event: ", name.as_bytes(), b"\ndata: ", &data, b"\n\n"].concat()
            }
            Ok(None) => return None,
            Err(_) => b": still here\n\n".to_vec(),
        };
        Some((Ok::<Bytes, std::convert::Infallible>(text.into()), (source, share, ending)))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (kind, Body::from_stream(pieces)).into_response()
}
