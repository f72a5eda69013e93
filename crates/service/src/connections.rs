//! Serves connections. Their number is bounded below the number of files that the system allows, and so are the time
//! that an idle connection stays open and the memory of a client that does not read.
//!
//! A few connections beyond the limit are still accepted, for monitoring only. If they are used up, the oldest of them is
//! closed, so clients that send nothing cannot keep them.

use std::{
    collections::VecDeque,
    io::{self, IoSlice},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
    task::JoinHandle,
    time::{Sleep, sleep},
};

use crate::{Client, Quota, QuotaPermit, http::MonitoringOnly};

/// The number of connections beyond the limit, for monitoring.
const RESERVE: usize = 16;

/// The maximum time to wait for a request on a connection beyond the limit.
const RESERVE_TIMEOUT: Duration = Duration::from_secs(5);

/// The size of the buffer for the head of a request, and of the buffer for responses before the client has read them.
const BUFFER_BYTES: usize = 16 << 10;

/// The time after which a client that reads nothing of a response is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_mins(1);

/// The pause before the next attempt if a connection cannot be accepted because the system has no more resources.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The bounds of connections.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    quota: Arc<Quota>,
    idle_timeout: Duration,
}

impl Bounds {
    /// Bounds of at most `max` connections, and few enough for the `descriptors` that are left for them.
    pub(crate) fn new(max: usize, descriptors: Option<usize>, idle_timeout: Duration) -> Self {
        let possible = descriptors.map_or(max, |descriptors| descriptors.saturating_sub(RESERVE));
        Self { quota: Quota::new("connections are open", max.min(possible).max(2)), idle_timeout }
    }
}

/// Serves connections until the service shuts down, and then until all of them have ended.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    mut shutting_down: watch::Receiver<bool>,
) {
    let mut reserve: VecDeque<JoinHandle<()>> = VecDeque::with_capacity(RESERVE);
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ended(&mut shutting_down) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // A client that has left again is its own problem; otherwise files or memory are used up.
                if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
                {
                    sleep(ACCEPT_PAUSE).await;
                }
                continue;
            }
        };
        // Messages are short and complete: send them without waiting for more data.
        let _ = stream.set_nodelay(true);
        let permit = bounds.quota.acquire(Client::from(peer.ip()));
        let connection = Connection {
            peer,
            refusal: permit.as_ref().err().cloned().map(MonitoringOnly),
            timeout: if permit.is_ok() {
                bounds.idle_timeout
            } else {
                bounds.idle_timeout.min(RESERVE_TIMEOUT)
            },
            permit: permit.ok(),
            shutting_down: shutting_down.clone(),
            open: open.clone(),
        };
        let beyond_limit = connection.permit.is_none();
        let task = tokio::spawn(connection.serve(stream, router.clone()));
        if beyond_limit {
            reserve.retain(|task| !task.is_finished());
            if reserve.len() == RESERVE
                && let Some(oldest) = reserve.pop_front()
            {
                oldest.abort();
            }
            reserve.push_back(task);
        }
    }
    drop((listener, open));
    let _ = all_closed.recv().await;
}

/// Waits until the service shuts down.
async fn ended(shutting_down: &mut watch::Receiver<bool>) {
    let _ = shutting_down.wait_for(|&shutting_down| shutting_down).await;
}

/// A connection to be served.
struct Connection {
    peer: SocketAddr,
    /// Why the connection may only be used for monitoring, if so.
    refusal: Option<MonitoringOnly>,
    /// The time after which the connection is closed if no complete request has arrived.
    timeout: Duration,
    permit: Option<QuotaPermit>,
    shutting_down: watch::Receiver<bool>,
    /// Dropped when the connection has ended.
    open: mpsc::Sender<()>,
}

impl Connection {
    async fn serve(self, stream: TcpStream, router: Router) {
        let Self { peer, refusal, timeout, permit, mut shutting_down, open } = self;
        let keep_alive = refusal.is_none();
        let routes = TowerToHyperService::new(router);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            if let Some(refusal) = &refusal {
                request.extensions_mut().insert(refusal.clone());
            }
            routes.call(request)
        });
        let mut http = http1::Builder::new();
        // The time runs from the end of the last response, so it also bounds how long an idle connection is kept.
        http.timer(TokioTimer::new()).header_read_timeout(timeout);
        http.keep_alive(keep_alive).max_buf_size(BUFFER_BYTES);
        let served = http.serve_connection(TokioIo::new(Patient { stream, stalled: None }), service);
        let mut served = pin!(served);
        // Errors concern the client, which has disconnected or does not speak HTTP.
        tokio::select! {
            _ = served.as_mut() => {}
            () = ended(&mut shutting_down) => {
                served.as_mut().graceful_shutdown();
                let _ = served.await;
            }
        }
        drop((permit, open));
    }
}

/// A stream on which a write fails if the client has read nothing for [`WRITE_TIMEOUT`].
struct Patient {
    stream: TcpStream,
    /// Ends when the present write has taken too long.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn poll_with(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), cx) {
            self.stalled = None;
            return Poll::Ready(written);
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_with(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_with(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
