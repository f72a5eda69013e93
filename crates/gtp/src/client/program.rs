//! A program that speaks the protocol, at work in a process of its own.
//!
//! Its output is read on a thread, so that every wait has an end. Nothing it does can make us wait for ever, remember
//! more than a fixed amount, or leave it behind: whoever drops a [`Program`] ends it.

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

use super::words::{BadCommandLine, words};
use crate::{
    lines::{Line, Lines},
    reply::Reply,
};

/// The end of what a program wrote to its error stream.
const COMPLAINTS: usize = 2_000;
/// The longest reply that is read.
const LONGEST_REPLY: usize = 1 << 20;
/// How long a program may take to quit before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// How often a wait looks around.
const TICK: Duration = Duration::from_millis(20);
/// Where Debian puts games, which the path of services and of the superuser lacks.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Why a program did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// The command line makes no sense.
    #[error(transparent)]
    CommandLine(#[from] BadCommandLine),
    /// There is no such process.
    #[error("{program:?} cannot be started: {reason}")]
    Start {
        /// The first word of the command line.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It is not a program that speaks the protocol.
    #[error("the program does not speak version 2 of the Go Text Protocol: it says {0:?}")]
    Protocol(String),
    /// It has ended.
    #[error("the program ended ({status}){}", said(complaints))]
    Ended {
        /// How.
        status: String,
        /// The end of what it wrote to its error stream.
        complaints: String,
    },
    /// It did not answer.
    #[error("no answer to {command:?} within {} seconds{}", limit.as_secs_f64(), said(complaints))]
    Timeout {
        /// What it was asked.
        command: String,
        /// How long it had.
        limit: Duration,
        /// The end of what it wrote to its error stream.
        complaints: String,
    },
    /// It says no.
    #[error("{command:?} was refused: {words}")]
    Refused {
        /// What it was asked.
        command: String,
        /// Why it says no.
        words: String,
    },
    /// What it says is no reply to what it was asked.
    #[error("{command:?} was answered by what is no reply: {words}")]
    Garbled {
        /// What it was asked.
        command: String,
        /// What is wrong.
        words: String,
    },
    /// Nobody wants the answer any more.
    #[error("stopped")]
    Stopped,
}

fn said(complaints: &str) -> String {
    if complaints.is_empty() { String::new() } else { format!("; it wrote: {complaints}") }
}

/// A running program.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<Result<Reply, String>>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    /// The number of the last command.
    number: u32,
    name: String,
}

impl Program {
    /// Starts the program of a command line, split like a [shell's](words), and waits until it speaks.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak the protocol within `limit`.
    pub fn start(command_line: &str, limit: Duration) -> Result<Self, ProgramError> {
        let words = words(command_line)?;
        let fault = |error: std::io::Error| ProgramError::Start {
            program: words[0].clone(),
            reason: error.to_string(),
        };
        let mut command = Command::new(located(&words[0]));
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An interrupt at the terminal is for us to hear: games under way may want to end properly.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(fault)?;
        let (sender, replies) = sync_channel(4);
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let input = child.stdin.take();
        // The threads end with the streams they read. Nobody waits for them: a grandchild may hold the streams open.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_replies(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || keep_complaints(errors, &complaints));
        }
        let mut program = Self { child, input, replies, complaints, number: 0, name: String::new() };
        let version = program.ask("protocol_version", limit, &Stop::default())?;
        if version != "2" {
            return Err(ProgramError::Protocol(version));
        }
        let name = program.ask("name", limit, &Stop::default())?;
        let version = program.ask("version", limit, &Stop::default()).unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut program.name);
        Ok(program)
    }

    /// What it calls itself, with its version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and waits for the reply, at most `limit`.
    ///
    /// # Errors
    /// If the program says no, has ended, says what is no reply, or takes too long. Only after a refusal does it make
    /// sense to ask again.
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
                    return Err(ProgramError::Garbled { command: command(), words });
                }
                Ok(Ok(Reply { fails: true, text, .. })) => {
                    return Err(ProgramError::Refused { command: command(), words: text });
                }
                Ok(Ok(Reply { text, .. })) => return Ok(text),
                Ok(Err(words)) => return Err(ProgramError::Garbled { command: command(), words }),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if stop.is_raised() => return Err(ProgramError::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let complaints = self.complaints();
                    return Err(ProgramError::Timeout { command: command(), limit, complaints });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How it ended, once it speaks no more.
    fn ended(&mut self) -> ProgramError {
        let status = match self.wait(Duration::from_millis(500)) {
            Some(status) => status,
            None => "its output is closed".to_owned(),
        };
        // What it said last is on its way through another thread.
        thread::sleep(TICK);
        ProgramError::Ended { status, complaints: self.complaints() }
    }

    /// Waits for the end of the process, at most `limit`.
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

    /// Ends it at once, with the processes it has started itself.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            let group = format!("kill -s KILL -- -{}", self.child.id());
            let _ = Command::new("sh").args(["-c", &group]).stderr(Stdio::null()).status();
        }
        // Errors mean that there is no process any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn complaints(&self) -> String {
        let bytes = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Drop for Program {
    /// Asks it to quit, and kills it if it does not.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            // It may be gone already, which is what is wanted. The stream is closed behind the word.
            let _ = input.write_all(b"quit\n");
        }
        if self.wait(GRACE).is_none() {
            self.kill();
        }
    }
}

/// Where a program is: as the path says, or among the games.
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

/// Hands over every reply until the stream or its reader ends.
fn read_replies(output: impl Read, sender: &SyncSender<Result<Reply, String>>) {
    let mut lines = Lines::new(output, LONGEST_REPLY);
    let mut reply: Option<(Reply, usize)> = None;
    loop {
        let line = match lines.next() {
            Line::Text(line) => line,
            Line::TooLong => {
                let _ = sender.send(Err(format!("a line of more than {LONGEST_REPLY} bytes")));
                return;
            }
            Line::End => return,
        };
        let line = line.trim_end();
        match &mut reply {
            // Whatever is said between replies is none.
            None => reply = Reply::parse(line).map(|reply| (reply, line.len())),
            Some(_) if line.is_empty() => {
                let whole = reply.take().map(|(reply, _)| Ok(reply));
                if whole.is_some_and(|reply| sender.send(reply).is_err()) {
                    return;
                }
            }
            Some((reply, length)) => {
                *length += line.len() + 1;
                if *length > LONGEST_REPLY {
                    let _ = sender.send(Err(format!("a reply of more than {LONGEST_REPLY} bytes")));
                    return;
                }
                reply.text.push('\n');
                reply.text.push_str(line);
            }
        }
    }
}

/// Remembers the end of what a program writes to its error stream.
fn keep_complaints(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..count]);
        let excess = kept.len().saturating_sub(COMPLAINTS);
        kept.drain(..excess);
    }
}
