//! Playing a record again.

use game::{Faults, Game, Notation, Outcome, Setup};
use ringrift::{Board, Forfeit, Geometry, Move, Position, Reason, Rules, on_board};

use crate::{
    Config, GameRecord, GameResult,
    game_record::{RingRiftConfig, resolved},
};

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
    Board {
        /// Board of the record.
        played: Board,
        /// Board asked for.
        asked: Board,
    },
    /// The record is from later rules.
    #[error("played by revision {0} of the rules, but this program has {ours}: use a newer version", ours = Rules::VERSION)]
    NewerRules(u32),
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

/// Sees every decision of a replay, whatever the board.
///
/// A closure cannot be generic over the board, hence a trait; where the board is known,
/// [`GameRecord::replay_on`] takes a closure.
pub trait Visit {
    /// The move `m` is about to be played in `position`.
    fn ply<B: Geometry>(&mut self, position: &Position<B>, m: Move);
}

/// Looks at nothing: verification only.
impl Visit for () {
    fn ply<B: Geometry>(&mut self, _: &Position<B>, _: Move) {}
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
        let Config::RingRift(config) = &self.config;
        on_board!(config.board, B => {
            let last = self.replay_on::<B>(|position, m| visitor.ply(position, m))?;
            Ok(last.outcome())
        })
    }

    /// [`GameRecord::replay`] on a board known at compile time. Shows every decision to `visit` and returns the
    /// last position.
    ///
    /// ```
    /// use record::GameRecord;
    /// use ringrift::{Board, Phase, Rules, Square8};
    ///
    /// let players = vec!["alice".into(), "bob".into()];
    /// let mut record = GameRecord::new("unfinished", Board::Square8, Rules::new(2), players);
    /// record.moves = vec!["++d4".into(), "d4-d6".into()];
    /// let mut phases = Vec::new();
    /// let last = record.replay_on::<Square8>(|position, _| phases.push(position.phase()))?;
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
    pub fn replay_on<B: Geometry>(
        &self,
        visit: impl FnMut(&Position<B>, Move),
    ) -> Result<Position<B>, ReplayError> {
        let named = |problem| ReplayError { id: self.id.clone(), problem };
        let mut position = self.start_on::<B>()?;
        play(&mut position, &self.moves, visit).map_err(named)?;
        self.declare_forfeit(&mut position);
        self.compare_result(&position).map_err(named)?;
        Ok(position)
    }

    /// The position the game started from.
    ///
    /// # Errors
    /// If the game was played on another board or by later rules, or its start is no position.
    pub fn start_on<B: Geometry>(&self) -> Result<Position<B>, ReplayError> {
        let named = |problem| ReplayError { id: self.id.clone(), problem };
        let Config::RingRift(RingRiftConfig { board, rules, version }) = self.config;
        if board != B::BOARD {
            return Err(named(ReplayProblem::Board { played: board, asked: B::BOARD }));
        }
        if version > Rules::VERSION {
            return Err(named(ReplayProblem::NewerRules(version)));
        }
        let faults = rules.faults();
        if !faults.is_empty() {
            // Only a config put together in code can get here; files are checked when read.
            let fault = |fault| game::Fault::new(0..0, fault);
            return Err(named(ReplayProblem::Start(Faults(faults.into_iter().map(fault).collect()))));
        }
        let Some(text) = &self.start else { return Ok(Position::new(&rules)) };
        let start = Position::<B>::from_text(text).map_err(|faults| named(ReplayProblem::Start(faults)))?;
        if resolved(board, *start.rules()) != resolved(board, rules) {
            return Err(named(ReplayProblem::StartRules { start: text.clone() }));
        }
        Ok(start)
    }

    /// Giving up and running out of time are no moves: the result alone tells of them.
    fn declare_forfeit<B: Geometry>(&self, position: &mut Position<B>) {
        let reason = self.result.as_ref().map(|result| result.reason.as_str());
        for (forfeit, declared) in
            [(Forfeit::Resign, Reason::Resignation), (Forfeit::Timeout, Reason::Timeout)]
        {
            if reason == Some(declared.name()) {
                position.forfeit(forfeit);
            }
        }
    }

    fn compare_result<B: Geometry>(&self, position: &Position<B>) -> Result<(), ReplayProblem> {
        let plies = self.moves.len();
        let replayed = position
            .end()
            .zip(position.outcome())
            .map(|(end, outcome)| GameResult::new(&outcome, end.reason.name(), plies as u32));
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
        write!(f, " with ranks {:?} after {} plies", self.ranking, self.plies)
    }
}
