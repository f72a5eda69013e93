//! External programs that speak the protocol, as child processes.
//!
//! A thread reads the output, so that every wait has a time limit. A misbehaving program cannot block its caller
//! forever, use unbounded memory, or outlive its [`Program`]: dropping that ends the process.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use search::Stop;

use super::words::{CommandLineError, words};
use crate::{
    lines::{Line, Lines},
    reply::Reply,
};

/// The number of bytes kept from the end of a program's error stream.
const MAX_STDERR: usize = 2_000;
/// The maximum length of a reply.
const MAX_REPLY: usize = 1 << 20;
/// The time a program has to quit before it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// The polling interval of waits.
const TICK: Duration = Duration::from_millis(20);
/// Debian's folders for games, which the search path of services and of root lacks.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Why a command to a program failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// The command line is invalid.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// The process cannot be started.
    #[error("{program:?} cannot be started: {reason}")]
    Start {
        /// The first word of the command line.
        program: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The program does not speak the protocol.
    #[error("the program does not speak version 2 of the Go Text Protocol: it answers {0:?}")]
    Protocol(String),
    /// The program has ended.
    #[error("the program ended ({status}){}", stderr_suffix(stderr))]
    Ended {
        /// The exit status.
        status: String,
        /// The end of its error stream.
        stderr: String,
    },
    /// The program did not answer in time.
    #[error("no answer to {command:?} within {} seconds{}", limit.as_secs_f64(), stderr_suffix(stderr))]
    Timeout {
        /// The command.
        command: String,
        /// The time limit.
        limit: Duration,
        /// The end of its error stream.
        stderr: String,
    },
    /// The program refused the command.
    #[error("{command:?} was refused: {words}")]
    Refused {
        /// The command.
        command: String,
        /// The reason it gave.
        words: String,
    },
    /// The answer is not a valid reply to the command.
    #[error("the answer to {command:?} is not a valid reply: {words}")]
    InvalidReply {
        /// The command.
        command: String,
        /// The problem.
        words: String,
    },
    /// The caller raised its stop flag.
    #[error("stopped")]
    Stopped,
}

fn stderr_suffix(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; it wrote: {stderr}") }
}

/// A running program.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<Result<Reply, String>>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    /// The number of the last command.
    number: u32,
    name: String,
}

impl Program {
    /// Starts the program of a command line, which is [split like a shell's](words), and waits for its first reply.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer in the protocol within `limit`.
    pub fn start(command_line: &str, limit: Duration) -> Result<Self, ProgramError> {
        let words = words(command_line)?;
        let fault = |error: std::io::Error| ProgramError::Start {
            program: words[0].clone(),
            reason: error.to_string(),
        };
        let mut command = Command::new(located(&words[0]));
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An interrupt at the terminal must not reach the program, so that current games can end properly.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(fault)?;
        let (sender, replies) = sync_channel(4);
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let input = child.stdin.take();
        // The threads end with the streams they read. They are not joined, since a grandchild may keep the streams
        // open.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_replies(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let stderr = Arc::clone(&stderr);
            thread::spawn(move || collect_stderr(errors, &stderr));
        }
        let mut program = Self { child, input, replies, stderr, number: 0, name: String::new() };
        let version = program.ask("protocol_version", limit, &Stop::default())?;
        if version != "2" {
            return Err(ProgramError::Protocol(version));
        }
        let name = program.ask("name", limit, &Stop::default())?;
        let version = program.ask("version", limit, &Stop::default()).unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut program.name);
        Ok(program)
    }

    /// The name and version that the program reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The process id.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and waits for the reply, at most `limit`.
    ///
    /// # Errors
    /// If the program refuses, has ended, gives an invalid reply, or takes too long. Only after a refusal can it be
    /// sent further commands.
    pub fn ask(&mut self, command: &str, limit: Duration, stop: &Stop) -> Result<String, ProgramError> {
        self.number = self.number.wrapping_add(1) & i32::MAX as u32;
        let line = format!("{} {command}\n", self.number);
        let written = match &mut self.input {
            Some(input) => input.write_all(line.as_bytes()).and_then(|()| input.flush()),
            None => Err(ErrorKind::BrokenPipe.into()),
        };
        if written.is_err() {
            return Err(self.ended());
        }
        let start = Instant::now();
        let command = || command.to_owned();
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.replies.recv_timeout(left.min(TICK)) {
                Ok(Ok(Reply { id, .. })) if id.is_some_and(|id| id != self.number) => {
                    let words = "it carries the number of another command".to_owned();
                    return Err(ProgramError::InvalidReply { command: command(), words });
                }
                Ok(Ok(Reply { fails: true, text, .. })) => {
                    return Err(ProgramError::Refused { command: command(), words: text });
                }
                Ok(Ok(Reply { text, .. })) => return Ok(text),
                Ok(Err(words)) => return Err(ProgramError::InvalidReply { command: command(), words }),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if stop.is_raised() => return Err(ProgramError::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let stderr = self.stderr();
                    return Err(ProgramError::Timeout { command: command(), limit, stderr });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The error for a program whose output has ended.
    fn ended(&mut self) -> ProgramError {
        let status = match self.wait(Duration::from_millis(500)) {
            Some(status) => status,
            None => "its output is closed".to_owned(),
        };
        // Another thread may still be reading the error stream.
        thread::sleep(TICK);
        ProgramError::Ended { status, stderr: self.stderr() }
    }

    /// Waits at most `limit` for the process to end.
    fn wait(&mut self, limit: Duration) -> Option<String> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Kills the process and its child processes.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            let group = format!("kill -s KILL -- -{}", self.child.id());
            let _ = Command::new("sh").args(["-c", &group]).stderr(Stdio::null()).status();
        }
        // Errors mean that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn stderr(&self) -> String {
        let bytes = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Drop for Program {
    /// Sends `quit`, and kills the process if it does not end.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            // An error means that the process has already ended. The stream is closed after the command.
            let _ = input.write_all(b"quit\n");
        }
        if self.wait(QUIT_TIMEOUT).is_none() {
            self.kill();
        }
    }
}

/// Finds a program on the search path or in the folders for games.
fn located(program: &str) -> PathBuf {
    let named = PathBuf::from(program);
    if program.contains('/') {
        return named;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |folder: &Path| folder.join(program).is_file();
    if std::env::split_paths(&path).any(|folder| is_there(&folder)) {
        return named;
    }
    GAMES
        .map(Path::new)
        .into_iter()
        .find(|folder| is_there(folder))
        .map_or(named, |folder| folder.join(program))
}

/// Sends every reply to `sender` until the stream or the receiver ends.
fn read_replies(output: impl Read, sender: &SyncSender<Result<Reply, String>>) {
    let mut lines = Lines::new(output, MAX_REPLY);
    let mut reply: Option<(Reply, usize)> = None;
    loop {
        let line = match lines.next_line() {
            Line::Text(line) => line,
            Line::TooLong => {
                let _ = sender.send(Err(format!("a line of more than {MAX_REPLY} bytes")));
                return;
            }
            Line::End => return,
        };
        let line = line.trim_end();
        match &mut reply {
            // Output between replies is ignored.
            None => reply = Reply::parse(line).map(|reply| (reply, line.len())),
            Some(_) if line.is_empty() => {
                let whole = reply.take().map(|(reply, _)| Ok(reply));
                if whole.is_some_and(|reply| sender.send(reply).is_err()) {
                    return;
                }
            }
            Some((reply, length)) => {
                *length += line.len() + 1;
                if *length > MAX_REPLY {
                    let _ = sender.send(Err(format!("a reply of more than {MAX_REPLY} bytes")));
                    return;
                }
                reply.text.push('\n');
                reply.text.push_str(line);
            }
        }
    }
}

/// Keeps the end of a program's error stream.
fn collect_stderr(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..count]);
        let excess = kept.len().saturating_sub(MAX_STDERR);
        kept.drain(..excess);
    }
}
