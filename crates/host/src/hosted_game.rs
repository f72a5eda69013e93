//! [`HostedGame`]: the interface of a game in progress, independent of its position type.

use game::{ForfeitKind, Seat};
use ladder::{Player, Venue};
use record::{Config, GameRecord, GameResult};
use search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    Agreement, GoGame, Marks, Occupant, Painter, PlayError, Ply, SeatError, Thinker,
    view::{MoveView, ReportView, ResultView, ScoreView, ThreatsView, TurningPointView, View},
};

/// The status of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Moves are being played.
    Playing,
    /// All moves are played, and the players agree on dead stones.
    Scoring,
    /// The game is over.
    Over,
}

/// A game in progress: a position with its history, the occupants of the seats, and the result.
///
/// Legal moves are generated at most once per position, on first use. Wherever a method takes or returns the index of a move,
/// it is an index into that list.
pub trait HostedGame: Send + Sync {
    // What is played.

    /// The options of the game.
    fn config(&self) -> Config;

    /// The game and its board, which levels and ratings belong to.
    fn venue(&self) -> Venue;

    /// The number of seats.
    fn seats(&self) -> usize;

    /// A title of the game with its main options: `RingRift on square8, with the swap rule`.
    fn title(&self) -> String;

    /// An explanation of drawings of the board.
    fn legend(&self) -> &'static str;

    /// An explanation of the notation of moves.
    fn notation_help(&self) -> &'static str;

    /// The name of a seat within a sentence: `seat 2`, `White`.
    fn seat_name(&self, seat: Seat) -> String;

    // State.

    /// The status of the game.
    fn status(&self) -> Status;

    /// The seat to move, while moves are being played.
    fn to_move(&self) -> Option<Seat>;

    /// The moves played so far.
    fn plies(&self) -> &[Ply];

    /// A number that changes whenever the position does. The report of an agent is valid only for the revision it is about.
    fn revision(&self) -> u64;

    /// The position as text.
    fn text(&self) -> String;

    /// The number of turns taken; a game score has one line per turn.
    fn turns_taken(&self) -> u32;

    /// A number of moves that games of this kind usually reach, for sampling positions.
    fn usual_plies(&self) -> usize;

    /// Facts about the position, as a JSON object.
    fn facts(&self) -> Value;

    /// The view of the position, with its legal moves.
    fn view(&self) -> View {
        View { moves: self.legal_moves().to_vec(), ..self.view_without_moves() }
    }

    /// The view of the position without legal moves, for clients that need not choose.
    fn view_without_moves(&self) -> View;

    /// The last move since the game was opened or undone that was not forced, with its clicks.
    fn last_chosen(&self) -> Option<&MoveView>;

    /// The result, once the game is over.
    fn result(&self) -> Option<GameResult>;

    /// The result or, while the game is being scored, the result by the present agreement.
    fn provisional_result(&self) -> Option<GameResult>;

    /// The view of a result of this game.
    fn result_view(&self, result: &GameResult) -> ResultView;

    // Legal moves.

    /// The legal moves with their clicks; empty unless moves are being played.
    fn legal_moves(&self) -> &[MoveView];

    /// The legal moves that start with `prefix`, in lower case; all of them if it is empty.
    fn matching(&self, prefix: &str) -> Vec<usize>;

    /// The destination cells of a legal move.
    fn targets(&self, index: usize) -> Vec<String>;

    /// Lists legal moves as lines of text.
    fn move_lines(&self, indices: &[usize]) -> Vec<String>;

    /// The index of the only legal move, if there is exactly one.
    fn forced_move(&self) -> Option<usize>;

    /// Whether a legal move is bookkeeping, which only records that there was nothing to choose.
    fn is_bookkeeping(&self, index: usize) -> bool;

    /// The text of the only legal move, if that is bookkeeping.
    fn bookkeeping_move(&self) -> Option<String> {
        let index = self.forced_move().filter(|&index| self.is_bookkeeping(index))?;
        Some(self.legal_moves()[index].text.clone())
    }

    /// The index of the legal move with the notation `text`.
    ///
    /// # Errors
    /// Returns an error if the game is over, the text is not a move, or the move is illegal.
    fn find_move(&self, text: &str) -> Result<usize, PlayError>;

    /// The number of times that legal moves have been generated since the game was opened.
    fn generations(&self) -> u64;

    // Playing.

    /// Plays the move with the notation `text`.
    ///
    /// # Errors
    /// Returns an error, and leaves the game unchanged, if the game is over, the text is not a move, or the move is illegal.
    fn play(&mut self, text: &str) -> Result<&Ply, PlayError>;

    /// Plays the legal move with this index.
    ///
    /// # Errors
    /// Returns an error if there is no such move.
    fn play_index(&mut self, index: usize) -> Result<&Ply, PlayError>;

    /// Plays the best move of a report, and stores the values of the report.
    ///
    /// # Errors
    /// Returns an error if the move is illegal.
    fn play_report(&mut self, report: &ReportView) -> Result<&Ply, PlayError>;

    /// Plays the only legal move, as a forced move. Returns `None` if there is a choice.
    fn play_forced(&mut self) -> Option<&Ply>;

    /// Plays bookkeeping moves until there is a choice, and returns their number.
    fn play_bookkeeping(&mut self) -> usize {
        let before = self.plies().len();
        while self.forced_move().is_some_and(|index| self.is_bookkeeping(index)) {
            if self.play_forced().is_none() {
                break;
            }
        }
        self.plies().len() - before
    }

    /// Plays stored moves, with their statistics.
    ///
    /// # Errors
    /// Returns an error at the first illegal move; the moves before it are played.
    fn restore(&mut self, plies: Vec<Ply>) -> Result<(), PlayError>;

    /// Takes back the last move. Returns `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Takes back the last decision of a person, a move or a resignation, and everything after it. Returns `false` if there
    /// is none.
    fn undo_decision(&mut self) -> bool;

    /// Whether [`HostedGame::undo_decision`] would take something back.
    fn can_undo_decision(&self) -> bool;

    /// Ends the game by a forfeit of the seat to move. Does nothing once the game is over.
    fn forfeit(&mut self, kind: ForfeitKind);

    // Agreement on dead stones.

    /// Whether the result depends on an agreement: in Go, after two passes.
    fn has_agreement(&self) -> bool;

    /// The agreement, or its proposal.
    fn agreement(&self) -> &Agreement;

    /// Restores a stored agreement, and whether it is accepted.
    fn set_agreement(&mut self, agreement: Agreement, accepted: bool);

    /// Toggles whether the chain at `at` is dead.
    ///
    /// # Errors
    /// Returns an error if the game has no agreement now, or there is no stone.
    fn toggle_dead(&mut self, at: &str) -> Result<(), PlayError>;

    /// Accepts the present agreement, which ends the game.
    ///
    /// # Errors
    /// Returns an error if the game has no agreement now.
    fn accept(&mut self) -> Result<(), PlayError>;

    /// The score by the present agreement, if the game has one.
    fn score(&self) -> Option<ScoreView>;

    /// The score if the game ended here, as a sentence, in games with a score.
    fn count(&self) -> Option<String>;

    // Texts and drawings.

    /// A prompt for the seat to move. `typed` adds the notation of moves.
    fn prompt(&self, typed: bool) -> String;

    /// A heading with the stage of the game: `square8, 2 seats, turn 5`.
    fn heading(&self) -> String;

    /// A description of a legal move, to follow the name of a seat: `moves d4 to d6`.
    fn describe_move(&self, index: usize) -> String;

    /// A drawing of the board, indented. Without a painter, signs replace colours.
    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String;

    /// A table of the counts of every seat, followed by those `names` that are given.
    fn standing(&self, names: &[String], painter: Option<&Painter<'_>>) -> String;

    /// The cells changed by the moves from `ply` on.
    fn changed_since(&self, ply: usize) -> Vec<String>;

    // Seats and agents.

    /// Sets the occupants, in the order of the seats before the first move. Agents are seeded from `seed`; previous agents are
    /// dropped.
    ///
    /// # Errors
    /// Returns an error if the number of occupants is wrong.
    fn take_seats(&mut self, occupants: Vec<Occupant>, seed: u64) -> Result<(), SeatError>;

    /// The present occupant of a seat, which the pie rule may have changed; `None` without occupants.
    fn occupant(&self, seat: Seat) -> Option<&Occupant>;

    /// All participants, in the order of their first seats.
    fn participants(&self) -> &[Occupant];

    /// The first seat of the participant who now occupies `seat`.
    fn participant(&self, seat: Seat) -> Seat;

    /// The agent to move with a copy of the position, to think on any thread; `None` if no agent is to move.
    fn thinker(&self) -> Option<Box<dyn Thinker>>;

    /// Drops all agents of the game with their state. They are rebuilt when they are next needed.
    fn drop_agents(&mut self);

    /// Lets a new agent without a seat analyse the position. Returns a report with at most `top` candidates, or `None` if the
    /// game is over. Progress reports are passed to `progress`.
    fn analyse(
        &self,
        player: &Player,
        limits: &Limits,
        seed: u64,
        top: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(ReportView),
    ) -> Option<ReportView>;

    /// What the other seats can do in their next turns, and which of the legal moves allow it, by a bounded search. Empty in
    /// games without such warnings.
    fn threats(&self, stop: &Stop) -> ThreatsView;

    /// The turn that decided the game against `loser`, by a bounded search: the last one if another would have avoided the
    /// loss, otherwise the one that cost most in the judgement of `player`. `None` if the game is not lost, was forfeited, or
    /// no turn stands out.
    fn turning_point(
        &self,
        loser: Seat,
        player: &Player,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<TurningPointView>;

    /// The number of sequences of `depth` legal moves, for comparing implementations of the rules.
    fn perft(&self, depth: u32) -> u64;

    /// [`HostedGame::perft`] for every first move.
    fn perft_split(&self, depth: u32) -> Vec<(String, u64)>;

    // Copies and records.

    /// A copy without occupants and agents.
    fn fork(&self) -> Box<dyn HostedGame>;

    /// A copy of the game after its first `ply` moves, without occupants and agents; `None` if it has fewer moves.
    fn at(&self, ply: usize) -> Option<Box<dyn HostedGame>>;

    /// The record of the game so far.
    fn record(&self, id: &str, players: Vec<String>) -> GameRecord;

    /// The interface specific to Go; `None` for other games.
    fn as_go(&self) -> Option<&dyn GoGame> {
        None
    }

    /// The mutable interface specific to Go; `None` for other games.
    fn as_go_mut(&mut self) -> Option<&mut dyn GoGame> {
        None
    }
}

impl dyn HostedGame + '_ {
    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.status() == Status::Over
    }

    /// The agent to move, if one is.
    pub fn agent_to_move(&self) -> Option<&Player> {
        self.occupant(self.to_move()?)?.player()
    }

    /// The seats of people, in turn order.
    pub fn people(&self) -> Vec<Seat> {
        let is_human = |seat: &Seat| self.occupant(*seat).is_some_and(Occupant::is_human);
        Seat::all(self.seats()).filter(is_human).collect()
    }

    /// A legal move in notation with its description: `d4-d6 (moves d4 to d6)`.
    pub fn spelled(&self, index: usize) -> String {
        crate::words::spelled(&self.legal_moves()[index].text, &self.describe_move(index))
    }

    /// The view of the result, once the game is over.
    pub fn ending(&self) -> Option<ResultView> {
        self.result().map(|result| self.result_view(&result))
    }
}
