//! A queue of input lines, filled while the engine searches.

use std::{
    io::Read,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

use gtp::{Line, Lines};

use super::interrupt::Interrupts;

/// The comment with which `GoGui` interrupts a command.
const INTERRUPT: &str = "# interrupt";
/// The capacity of the queue; the reader blocks when it is full.
const CAPACITY: usize = 16;

/// Reads lines on a separate thread.
pub(super) struct Inbox {
    lines: Receiver<Line>,
    /// A line that was received but not yet taken.
    seen: Option<Line>,
    /// The number of lines taken.
    taken: u64,
}

impl Inbox {
    /// Reads from `input`. Lines that interrupt the command before them are not queued, but take effect at once.
    pub(super) fn new(input: impl Read + Send + 'static, limit: usize, interrupts: &Arc<Interrupts>) -> Self {
        let (sender, lines) = sync_channel(CAPACITY);
        let interrupts = Arc::clone(interrupts);
        // This thread is not joined, since it may block in a read forever after the last command.
        thread::spawn(move || {
            let mut input = Lines::new(input, limit);
            let mut sent = 0;
            loop {
                let line = input.next_line();
                if matches!(&line, Line::Text(text) if text.trim() == INTERRUPT) {
                    interrupts.interrupt(sent);
                    continue;
                }
                sent += 1;
                let last = line == Line::End;
                if sender.send(line).is_err() || last {
                    return;
                }
            }
        });
        Self { lines, seen: None, taken: 0 }
    }

    /// The number of lines that were taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Line {
        self.taken += 1;
        self.seen.take().unwrap_or_else(|| self.lines.recv().unwrap_or(Line::End))
    }

    /// Waits at most `time` for a line and returns whether one is available. The end of the input counts as a line.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        if self.seen.is_none() {
            self.seen = match self.lines.recv_timeout(time) {
                Ok(line) => Some(line),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Line::End),
            };
        }
        self.seen.is_some()
    }
}
