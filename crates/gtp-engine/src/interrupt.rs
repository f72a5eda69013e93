//! Interrupting the search of a command by a later line of input.

use std::sync::{Arc, Mutex, PoisonError};

use search::Stop;

/// Which command runs, and which commands are to be interrupted. Lines of input are counted from 1.
#[derive(Default)]
pub(super) struct Interrupts(Mutex<State>);

#[derive(Default)]
struct State {
    /// The line of the running command, and what ends its search.
    running: u64,
    stop: Arc<Stop>,
    /// The last line that is to be interrupted.
    interrupted: u64,
}

impl Interrupts {
    /// Begins the command of a line and returns what ends its search.
    pub(super) fn begin(&self, line: u64) -> Arc<Stop> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.running, state.stop) = (line, Arc::default());
        if state.interrupted >= line {
            state.stop.raise();
        }
        Arc::clone(&state.stop)
    }

    /// Interrupts all commands up to a line, whether they have begun or not.
    pub(super) fn interrupt(&self, line: u64) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.interrupted = line;
        if state.running <= line {
            state.stop.raise();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_before_the_interruption_are_interrupted() {
        let interrupts = Interrupts::default();
        let first = interrupts.begin(1);
        interrupts.interrupt(2);
        assert!(first.is_raised() && interrupts.begin(2).is_raised());
        let third = interrupts.begin(3);
        assert!(!third.is_raised());
        interrupts.interrupt(3);
        assert!(third.is_raised());
    }
}
