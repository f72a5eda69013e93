//! A test service on a free port, and a client that sends raw bytes to it.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;
use service::{Options, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// The time after which a missing response counts as a hang.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A service in this process, which shuts down when this is dropped.
pub(crate) struct Wired {
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    pub(crate) folder: TempDir,
}

impl Wired {
    pub(crate) fn start(options: impl FnOnce(Options) -> Options) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let options = options(Options { address, ..Options::new(folder.path()) });
        let (sender, receiver) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let server = Server::open(&options).expect("a service");
                sender.send(server.address().expect("an address")).expect("the test waits for it");
                let ended = async {
                    let _ = ended.await;
                };
                server.run(ended).await.expect("a clean shutdown");
            });
        });
        let address = receiver.recv().expect("the service starts");
        Self { address, end: Some(end), thread: Some(thread), folder }
    }

    /// Sends bytes and reads the whole response.
    pub(crate) fn send(&self, request: &[u8]) -> Reply {
        self.send_and(request, false)
    }

    /// Sends bytes and, if `leaves`, closes the sending side, as a client that has disconnected would.
    pub(crate) fn send_and(&self, request: &[u8], leaves: bool) -> Reply {
        self.try_to_send(request, leaves).unwrap_or_else(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => panic!("no answer: {}", shown(request)),
            _ => Reply { status: None, head: String::new(), body: String::new() },
        })
    }

    fn try_to_send(&self, request: &[u8], leaves: bool) -> io::Result<Reply> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        // The service may respond before it has read everything; then its response counts.
        let _ = stream.write_all(request);
        if leaves {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok(Reply { status, head: head.to_owned(), body: body.to_owned() })
    }

    /// Sends a well-formed request with additional header lines.
    pub(crate) fn ask(&self, method: &str, path: &str, lines: &[&str], body: &str) -> Reply {
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let host =
            if lines.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{host}{lines}Content-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        self.send(request.as_bytes())
    }
}

impl Drop for Wired {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A service that panicked has already printed why.
            let _ = thread.join();
        }
    }
}

/// A response; without a status if the connection was closed without one.
pub(crate) struct Reply {
    pub(crate) status: Option<u16>,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.head, self.body))
    }
}

/// The beginning of a request, for messages.
pub(crate) fn shown(request: &[u8]) -> String {
    let start = &request[..request.len().min(400)];
    format!("{} … ({} bytes)", start.escape_ascii(), request.len())
}
