//! Playing a record again.

use game::{Faults, Notation, Outcome};

use crate::{GameRecord, GameResult, Recorded, on_game};

/// A record that does not replay.
#[derive(Debug, thiserror::Error)]
#[error("game {id:?}: {problem}")]
pub struct ReplayError {
    /// Name of the game.
    pub id: String,
    /// What is wrong with it.
    pub problem: ReplayProblem,
}

/// What is wrong with a record that does not replay. Plies count from 0.
#[derive(Debug, thiserror::Error)]
pub enum ReplayProblem {
    /// Asked to replay on another board.
    #[error("played on {played}, not on {asked}")]
    Elsewhere {
        /// Board of the record.
        played: String,
        /// Board asked for.
        asked: String,
    },
    /// The record is from later rules.
    #[error("played by revision {played} of the rules, but this program has {ours}: use a newer version")]
    NewerRules {
        /// Revision of the record.
        played: u32,
        /// Revision of this program.
        ours: u32,
    },
    /// The start is no position.
    #[error("start position: {0}")]
    Start(Faults),
    /// The start disagrees with the config.
    #[error("the start position has other rules than the config: {start:?}")]
    StartRules {
        /// The start as recorded.
        start: String,
    },
    /// A move that cannot be read.
    #[error("ply {ply}: cannot read the move {text:?}: {fault}")]
    Unreadable {
        /// Which move.
        ply: usize,
        /// The move as recorded.
        text: String,
        /// What cannot be understood.
        fault: game::Fault,
    },
    /// A move that is not legal.
    #[error("ply {ply}: the move {text:?} is not legal: {reason}")]
    Illegal {
        /// Which move.
        ply: usize,
        /// The move as recorded.
        text: String,
        /// The rule that forbids it.
        reason: String,
    },
    /// The players cannot have agreed on this.
    #[error("the agreed result: {0}")]
    Agreement(String),
    /// The result is not the one the moves lead to.
    #[error("ply {ply}: the recorded result is {recorded}, but the moves lead to {replayed}")]
    Result {
        /// How many moves were played.
        ply: usize,
        /// The result as recorded.
        recorded: String,
        /// The result of the replay.
        replayed: String,
    },
}

/// Sees every decision of a replay, whatever the game.
///
/// A closure cannot be generic over the kind of position, hence a trait; where that is known,
/// [`GameRecord::replay_as`] takes a closure.
pub trait Visit {
    /// The move `m` is about to be played in `position`.
    fn ply<P: Recorded>(&mut self, position: &P, m: P::Move);
}

/// Looks at nothing: verification only.
impl Visit for () {
    fn ply<P: Recorded>(&mut self, _: &P, _: P::Move) {}
}

impl GameRecord {
    /// Replays the game and verifies it: every move is legal, and the recorded result is the one they lead to.
    /// Returns the outcome, or `None` for a game that is not over.
    ///
    /// # Errors
    /// The first thing that does not fit, with the game's name, the ply and the move.
    pub fn replay(&self) -> Result<Option<Outcome>, ReplayError> {
        self.replay_with(&mut ())
    }

    /// [`GameRecord::replay`] that shows every decision to `visitor`.
    ///
    /// # Errors
    /// The first thing that does not fit. The plies before it have been shown.
    pub fn replay_with(&self, visitor: &mut impl Visit) -> Result<Option<Outcome>, ReplayError> {
        on_game!(self.config, P => {
            self.replay_as::<P>(|position, m| visitor.ply(position, m))?;
        });
        Ok(self.result.as_ref().map(|result| Outcome::from_ranks(&result.ranking)))
    }

    /// [`GameRecord::replay`] with a kind of position known at compile time. Shows every decision to `visit` and
    /// returns the position after the last move: whether the game was given up there only the result knows.
    ///
    /// ```
    /// use record::{Config, GameRecord};
    /// use ringrift::{Board, Phase, Position, Rules, Square8};
    ///
    /// let players = vec!["alice".into(), "bob".into()];
    /// let mut record = GameRecord::new("unfinished", Config::ringrift(Board::Square8, Rules::new(2)), players);
    /// record.moves = vec!["++d4".into(), "d4-d6".into()];
    /// let mut phases = Vec::new();
    /// let last = record.replay_as::<Position<Square8>>(|position, _| phases.push(position.phase()))?;
    /// assert_eq!(phases, [Phase::RingPlacement, Phase::Movement]);
    /// assert_eq!(last.phase(), Phase::LineProcessing);
    ///
    /// record.moves.push("d6-d8".into());
    /// let error = record.replay().unwrap_err().to_string();
    /// assert!(error.starts_with("game \"unfinished\": ply 2: the move \"d6-d8\" is not legal"));
    /// # Ok::<(), record::ReplayError>(())
    /// ```
    ///
    /// # Errors
    /// If the game was played on another board, or the first thing that does not fit.
    pub fn replay_as<P: Recorded>(&self, visit: impl FnMut(&P, P::Move)) -> Result<P, ReplayError> {
        let mut position = self.start_as::<P>()?;
        let replayed = play(&mut position, &self.moves, visit).and_then(|()| self.compare_result(&position));
        replayed.map_err(|problem| self.named(problem))?;
        Ok(position)
    }

    /// The position the game started from.
    ///
    /// # Errors
    /// If the game was played on another board or by later rules, or its start is no position.
    pub fn start_as<P: Recorded>(&self) -> Result<P, ReplayError> {
        self.start().map_err(|problem| self.named(problem))
    }

    fn start<P: Recorded>(&self) -> Result<P, ReplayProblem> {
        let options = P::options(&self.config)?;
        let Some(text) = &self.start else { return Ok(P::new(&options)) };
        let start = P::from_text(text).map_err(ReplayProblem::Start)?;
        // Two ways to say the same are written the same.
        if P::written(&start.config()) != P::written(&options) {
            return Err(ReplayProblem::StartRules { start: text.clone() });
        }
        Ok(start)
    }

    fn named(&self, problem: ReplayProblem) -> ReplayError {
        ReplayError { id: self.id.clone(), problem }
    }

    fn compare_result<P: Recorded>(&self, position: &P) -> Result<(), ReplayProblem> {
        let plies = self.moves.len();
        let replayed = match &self.result {
            Some(told) => position.confirmed(told, plies as u32)?,
            None => position.result(plies as u32),
        };
        if self.result == replayed {
            return Ok(());
        }
        let text = |result: &Option<GameResult>| {
            result.as_ref().map_or_else(|| "none (the game goes on)".to_owned(), GameResult::to_string)
        };
        Err(ReplayProblem::Result { ply: plies, recorded: text(&self.result), replayed: text(&replayed) })
    }
}

/// Plays `moves`, written in the notation of the game.
fn play<G: Notation>(
    position: &mut G,
    moves: &[String],
    mut visit: impl FnMut(&G, G::Move),
) -> Result<(), ReplayProblem> {
    for (ply, text) in moves.iter().enumerate() {
        let m = position.parse_move(text).map_err(|fault| ReplayProblem::Unreadable {
            ply,
            text: text.clone(),
            fault,
        })?;
        position.check(m).map_err(|illegal| ReplayProblem::Illegal {
            ply,
            text: text.clone(),
            reason: illegal.to_string(),
        })?;
        visit(position, m);
        position.play_unchecked(m, &mut ());
    }
    Ok(())
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.winner {
            Some(seat) => write!(f, "seat {seat} wins by {}", self.reason)?,
            None => write!(f, "nobody wins ({})", self.reason)?,
        }
        if let Some(score) = &self.score {
            write!(f, " of {score}")?;
        }
        write!(f, " with ranks {:?} after {} plies", self.ranking, self.plies)
    }
}
