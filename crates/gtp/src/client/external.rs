//! External programs as agents.

use std::time::{Duration, Instant};

use game::{Forfeit, ForfeitKind, Game};
use go::{Move, Point, Points, Position};
use search::{Agent, Candidate, Limits, Report, Stop};

use super::{
    history::GameHistory,
    program::{Program, ProgramError},
};

/// Time limits of an external program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalOptions {
    /// The time until its first reply.
    pub startup: Duration,
    /// The time for every further reply, including moves.
    pub timeout: Duration,
}

impl Default for ExternalOptions {
    fn default() -> Self {
        Self { startup: Duration::from_secs(30), timeout: Duration::from_mins(1) }
    }
}

/// An agent that runs an external program over GTP.
///
/// The process starts with the first decision and ends with the agent. For every decision it receives the moves since
/// the last one, or the whole game if it is a different game. Its moves are checked. If it resigns, plays an illegal
/// move, exceeds a time limit or ends, the report is a [forfeit](Report::forfeit), and the next decision starts a new
/// process.
///
/// A time cap is sent to the program as whole seconds per move. Budgets in nodes are ignored. The protocol cannot
/// interrupt a move, so a raised [`Stop`] ends the program, and the report is a pass.
pub struct External {
    command_line: String,
    options: ExternalOptions,
    session: Option<Session>,
}

/// A running program and its current position.
struct Session {
    program: Program,
    history: Option<GameHistory>,
    /// The time per move that was sent to it.
    time_per_move: Option<Duration>,
}

impl External {
    /// The engine name in reports.
    pub const ENGINE: &str = "gtp";

    /// Creates an agent. The program of this command line starts with the first decision.
    pub fn new(command_line: impl Into<String>, options: ExternalOptions) -> Self {
        Self { command_line: command_line.into(), options, session: None }
    }

    /// Starts the program, sets it up for a game from this position within these limits, and ends it. Returns the name
    /// that it reports.
    ///
    /// # Errors
    /// If the program cannot be started, or does not support this game.
    pub fn probe<P: Points>(
        &mut self,
        position: &Position<P>,
        limits: &Limits,
    ) -> Result<String, ProgramError> {
        let ready = self.prepare(&GameHistory::of(position), limits, &Stop::default());
        let session = self.session.take();
        ready.map(|()| session.map_or_else(String::new, |session| session.program.name().to_owned()))
    }

    /// Brings the program to the current position, starting it if necessary.
    fn prepare(&mut self, history: &GameHistory, limits: &Limits, stop: &Stop) -> Result<(), ProgramError> {
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session {
                program: Program::start(&self.command_line, self.options.startup)?,
                history: None,
                time_per_move: None,
            }),
        };
        session.synchronize(history, self.options.timeout, stop)?;
        session.send_time_per_move(limits.time, self.options.timeout, stop)
    }

    /// The program's move, or its forfeit.
    fn choose<P: Points>(
        &mut self,
        position: &Position<P>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Move, Forfeit> {
        let failed = |error: ProgramError| {
            let timeout = matches!(error, ProgramError::Timeout { .. });
            let kind = if timeout { ForfeitKind::Timeout } else { ForfeitKind::Failure };
            Forfeit::new(kind, error.to_string())
        };
        let mut history = GameHistory::of(position);
        self.prepare(&history, limits, stop).map_err(failed)?;
        let Some(session) = &mut self.session else { return Ok(Move::PASS) };
        let colour = position.turn();
        let answer = session.program.ask(&format!("genmove {}", colour.letter()), self.options.timeout, stop);
        let answer = answer.map_err(failed)?;
        let answer = answer.trim();
        let m = if answer.eq_ignore_ascii_case("pass") {
            Move::PASS
        } else if answer.eq_ignore_ascii_case("resign") {
            return Err(Forfeit::new(
                ForfeitKind::Resignation,
                format!("{} resigned", session.program.name()),
            ));
        } else if let Some(point) = Point::parse(answer) {
            Move::at(point)
        } else {
            return Err(Forfeit::new(ForfeitKind::Failure, format!("{answer:?} is not a move")));
        };
        if let Err(reason) = position.check(m) {
            return Err(Forfeit::new(ForfeitKind::IllegalMove, format!("{colour} played {m}, but {reason}")));
        }
        // After a pass that was only assumed, the moves do not alternate, so the next position is sent from scratch.
        let alternating = history.moves.len() == position.moves_played() as usize;
        history.moves.push(m);
        session.history = alternating.then_some(history);
        Ok(m)
    }
}

impl Session {
    fn synchronize(
        &mut self,
        history: &GameHistory,
        limit: Duration,
        stop: &Stop,
    ) -> Result<(), ProgramError> {
        let steps = self.history.take().and_then(|earlier| history.commands_after(&earlier));
        if let Some(steps) = steps {
            match self.all(&steps, limit, stop) {
                // Not every program supports undo.
                Err(ProgramError::Refused { .. }) => {}
                done => {
                    self.history = done.is_ok().then(|| history.clone());
                    return done;
                }
            }
        }
        self.all(&history.commands(), limit, stop)?;
        self.history = Some(history.clone());
        Ok(())
    }

    fn all(&mut self, commands: &[String], limit: Duration, stop: &Stop) -> Result<(), ProgramError> {
        commands.iter().try_for_each(|command| self.program.ask(command, limit, stop).map(drop))
    }

    /// Sends the time per move, if it has changed.
    fn send_time_per_move(
        &mut self,
        time_per_move: Option<Duration>,
        limit: Duration,
        stop: &Stop,
    ) -> Result<(), ProgramError> {
        if let Some(time) = time_per_move.filter(|_| time_per_move != self.time_per_move) {
            let seconds = time.as_secs().max(1);
            self.program.ask(&format!("time_settings 0 {seconds} 1"), limit, stop)?;
            self.time_per_move = time_per_move;
        }
        Ok(())
    }
}

impl<P: Points> Agent<Position<P>> for External {
    fn think_with_progress(
        &mut self,
        root: &Position<P>,
        limits: &Limits,
        stop: &Stop,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        let choice = self.choose(root, limits, stop);
        if let Err(forfeit) = &choice
            && let Some(mut session) = self.session.take()
            && (forfeit.kind == ForfeitKind::Timeout || stop.is_raised())
        {
            // A program that is searching does not read commands.
            session.program.kill();
        }
        let best = *choice.as_ref().unwrap_or(&Move::PASS);
        moves.sort_by_key(|&m| m != best);
        let forfeit = choice.err().filter(|_| !stop.is_raised());
        let candidates = moves.into_iter().map(Candidate::new).collect();
        Report { time: start.elapsed(), forfeit, ..Report::new(Self::ENGINE, candidates) }
    }
}
