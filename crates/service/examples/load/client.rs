//! A minimal HTTP client: sequential requests on one connection, and event streams.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// The time after which a missing response counts as an error.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A persistent connection.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        // The buffer holds an event of a long game.
        Ok(Self { stream: BufReader::with_capacity(1 << 16, stream), address })
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, usize)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            let line = self.line()?;
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().and_then(|status| status.parse().ok()).unwrap_or(0);
            } else if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = rest.trim().parse().map_err(io::Error::other)?;
            } else if line.is_empty() {
                return Ok((status, length));
            }
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line)
    }

    /// Sends a request and returns the body of the response, whose status must be a success.
    pub(crate) fn request(&mut self, method: &str, path: &str, body: &str) -> io::Result<String> {
        let (status, length) = self.send(method, path, body)?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let body = String::from_utf8(body).map_err(io::Error::other)?;
        if (200..300).contains(&status) {
            Ok(body)
        } else {
            Err(io::Error::other(format!("{path}: {status} {body}")))
        }
    }

    /// Requests an event stream until `end`. Its events are read with [`Connection::event`].
    pub(crate) fn subscribe(&mut self, path: &str, end: Instant) -> io::Result<()> {
        let (status, _) = self.send("GET", path, "")?;
        let left = end.saturating_duration_since(Instant::now());
        self.stream.get_ref().set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if status == 200 { Ok(()) } else { Err(io::Error::other(format!("{path}: {status}"))) }
    }

    /// The data of the next event, or `None` if there is none before `end`.
    pub(crate) fn event(&mut self, end: Instant) -> io::Result<Option<String>> {
        loop {
            match self.line() {
                Ok(line) if line.starts_with("data: ") => return Ok(Some(line[6..].to_owned())),
                Ok(_) if Instant::now() < end => {}
                Ok(_) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
}
