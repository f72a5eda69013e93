//! Runs the service as a separate process, and sends it HTTP requests.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use serde_json::Value;

/// The timeout for any single wait, generous because tests may run on slow, shared machines.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// A `riftlab serve` process on a free port. It is killed on drop.
pub(crate) struct Served {
    child: Child,
    address: SocketAddr,
    /// Kept open, so that writing to standard output never fails.
    _out: BufReader<ChildStdout>,
}

impl Served {
    /// Starts the service with the games in `data`, and waits until it listens.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_at(data, SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Starts the service at a given address, such as that of an earlier process.
    pub(crate) fn start_at(data: &Path, address: SocketAddr) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_riftlab")), data, address)
    }

    /// Starts the service on a free port, after shell commands such as `ulimit -n 300`.
    pub(crate) fn start_after(commands: &str, data: &Path) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{commands}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_riftlab")]);
        Self::spawn(shell, data, SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    fn spawn(mut command: Command, data: &Path, address: SocketAddr) -> Self {
        let mut child = command
            .args(["serve", "--address", &address.to_string(), "--data"])
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().trim_end_matches('/').rsplit_once("http://").map(|(_, address)| address);
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).parse().unwrap();
        Self { child, address, _out: out }
    }

    /// The address on which it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The memory that the process has allocated and that is resident, in kB, where the system reports it. The pages of its
    /// own program, which are read when they are first needed, do not count.
    pub(crate) fn allocated_kb(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// The URL of a page.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        ask(self.address, "GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        ask(self.address, "POST", path, Some(body))
    }

    /// Starts a game and returns its id.
    pub(crate) fn begin(&self, body: &Value) -> String {
        let game = self.post("/api/games", body).json(201);
        game["id"].as_str().unwrap().to_owned()
    }

    /// The current state of a game.
    pub(crate) fn game(&self, id: &str) -> Value {
        self.get(&format!("/api/games/{id}")).json(200)
    }

    /// Stops the process like Ctrl-C, and waits until it has exited.
    pub(crate) fn interrupt(mut self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success() && self.child.wait().unwrap().success());
    }

    /// Kills the process without warning, like a power failure.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process may already be dead.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An HTTP response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The JSON body of a response that must have this status.
    #[track_caller]
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Sends a request that must get a response.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, body: Option<&Value>) -> Answer {
    try_to_ask(address, method, path, body).unwrap()
}

/// Sends a request on a new connection to any server on this machine.
pub(crate) fn try_to_ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> io::Result<Answer> {
    let body = body.map(ToString::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let length = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok();
    let mut body = Vec::new();
    match head.lines().find_map(length) {
        Some(length) => {
            body.resize(length, 0);
            stream.read_exact(&mut body)?;
        }
        // Lines that are sent one by one, with those of the transfer encoding between them.
        None => {
            stream.read_to_end(&mut body)?;
        }
    }
    let body = String::from_utf8(body).map_err(io::Error::other)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(head.clone()))?;
    Ok(Answer { status, head, body })
}
