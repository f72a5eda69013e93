//! Replays records and verifies their moves and results.

use game::{Faults, Notation, Outcome};

use crate::{GameRecord, GameResult, Recorded, on_game};

/// The error for a record that does not replay.
#[derive(Debug, thiserror::Error)]
#[error("game {id:?}: {problem}")]
pub struct ReplayError {
    /// The id of the game.
    pub id: String,
    /// The reason.
    pub problem: ReplayProblem,
}

/// The reason why a record does not replay. Plies count from 0.
#[derive(Debug, thiserror::Error)]
pub enum ReplayProblem {
    /// The requested position type is for another board.
    #[error("played on {played}, not on {asked}")]
    Elsewhere {
        /// The board of the record.
        played: String,
        /// The board of the position type.
        asked: String,
    },
    /// The record has a later revision of the rules.
    #[error("played by revision {played} of the rules, but this program has {ours}: use a newer version")]
    NewerRules {
        /// The revision of the record.
        played: u32,
        /// The revision of this program.
        ours: u32,
    },
    /// The start is not a valid position.
    #[error("start position: {0}")]
    Start(Faults),
    /// The start position has other options than the config.
    #[error("the start position has other options than the config: {start:?}")]
    StartRules {
        /// The start as recorded.
        start: String,
    },
    /// A move cannot be parsed.
    #[error("ply {ply}: cannot parse the move {text:?}: {fault}")]
    Unreadable {
        /// The ply of the move.
        ply: usize,
        /// The move as recorded.
        text: String,
        /// The fault in the text.
        fault: game::Fault,
    },
    /// A move is illegal.
    #[error("ply {ply}: the move {text:?} is not legal: {reason}")]
    Illegal {
        /// The ply of the move.
        ply: usize,
        /// The move as recorded.
        text: String,
        /// The rule that forbids it.
        reason: String,
    },
    /// The agreement on dead stones is impossible.
    #[error("the agreed result: {0}")]
    Agreement(String),
    /// The recorded result differs from that of the replay.
    #[error("ply {ply}: the recorded result is {recorded}, but the moves lead to {replayed}")]
    Result {
        /// The number of moves.
        ply: usize,
        /// The result as recorded.
        recorded: String,
        /// The result of the replay.
        replayed: String,
    },
}

/// A visitor of every position and move of a replay, generic over the game.
///
/// It is a trait because a closure cannot be generic over the position type. If the type is known,
/// [`GameRecord::replay_as`] takes a closure.
pub trait Visitor {
    /// Called before the move `m` is played in `position`.
    fn ply<P: Recorded>(&mut self, position: &P, m: P::Move);
}

/// Does nothing, for verification only.
impl Visitor for () {
    fn ply<P: Recorded>(&mut self, _: &P, _: P::Move) {}
}

impl GameRecord {
    /// Replays the game and verifies that every move is legal and that the moves lead to the recorded result. Returns
    /// the outcome, or `None` if the game is not over.
    ///
    /// # Errors
    /// The first problem, with the id of the game, the ply and the move.
    pub fn replay(&self) -> Result<Option<Outcome>, ReplayError> {
        self.replay_with(&mut ())
    }

    /// Like [`GameRecord::replay`], but calls `visitor` for every move.
    ///
    /// # Errors
    /// The first problem. The visitor has seen the plies before it.
    pub fn replay_with(&self, visitor: &mut impl Visitor) -> Result<Option<Outcome>, ReplayError> {
        on_game!(self.config, P => {
            self.replay_as::<P>(|position, m| visitor.ply(position, m))?;
        });
        Ok(self.result.as_ref().map(|result| Outcome::from_ranks(&result.ranking)))
    }

    /// Like [`GameRecord::replay`], but with a position type known at compile time. Calls `visit` for every move and returns
    /// the position after the last one. A forfeit does not show in the position, only in the result.
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
    /// If the game was played on another board, or the first problem.
    pub fn replay_as<P: Recorded>(&self, visit: impl FnMut(&P, P::Move)) -> Result<P, ReplayError> {
        let mut position = self.start_as::<P>()?;
        let replayed = play(&mut position, &self.moves, visit).and_then(|()| self.compare_result(&position));
        replayed.map_err(|problem| self.named(problem))?;
        Ok(position)
    }

    /// Returns the start position.
    ///
    /// # Errors
    /// If the game was played on another board or by later rules, or its start is not a valid position.
    pub fn start_as<P: Recorded>(&self) -> Result<P, ReplayError> {
        self.start().map_err(|problem| self.named(problem))
    }

    fn start<P: Recorded>(&self) -> Result<P, ReplayProblem> {
        let options = P::options(&self.config)?;
        let Some(text) = &self.start else { return Ok(P::new(&options)) };
        let start = P::from_text(text).map_err(ReplayProblem::Start)?;
        // Compare as configs, in which equal options have one form.
        if P::to_config(&start.config()) != P::to_config(&options) {
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
            Some(recorded) => position.verified_result(recorded, plies as u32)?,
            None => position.result(plies as u32),
        };
        if self.result == replayed {
            return Ok(());
        }
        let text = |result: &Option<GameResult>| {
            result.as_ref().map_or_else(|| "none (the game is not over)".to_owned(), GameResult::to_string)
        };
        Err(ReplayProblem::Result { ply: plies, recorded: text(&self.result), replayed: text(&replayed) })
    }
}

/// Plays `moves`, given in the notation of the game.
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
            None => write!(f, "no winner ({})", self.reason)?,
        }
        if let Some(score) = &self.score {
            write!(f, " of {score}")?;
        }
        write!(f, " with ranks {:?} after {} plies", self.ranking, self.plies)
    }
}
