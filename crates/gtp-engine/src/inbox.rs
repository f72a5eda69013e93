//! Lines that come in while the engine may be thinking.

use std::{
    io::Read,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use gtp::{Line, Lines};

/// Lines that wait at most; whoever sends more waits himself.
const WAITING: usize = 16;

/// Reads lines on a thread of its own.
pub(super) struct Inbox {
    lines: Receiver<Line>,
    /// A line that was seen but not yet taken.
    seen: Option<Line>,
}

impl Inbox {
    pub(super) fn new(input: impl Read + Send + 'static, limit: usize) -> Self {
        let (sender, lines) = sync_channel(WAITING);
        // Nobody waits for this thread: it may hang in a read for ever after the last command.
        thread::spawn(move || {
            let mut input = Lines::new(input, limit);
            loop {
                let line = input.next();
                let last = line == Line::End;
                if sender.send(line).is_err() || last {
                    return;
                }
            }
        });
        Self { lines, seen: None }
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Line {
        self.seen.take().unwrap_or_else(|| self.lines.recv().unwrap_or(Line::End))
    }

    /// Waits for a line, at most so long, and says whether one is there. The end of the input is one.
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
