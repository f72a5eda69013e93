//! Everything that can be done with a game, whatever game it is.

use game::{ForfeitKind, Seat};
use ladder::{Player, Venue};
use record::{Config, GameRecord, GameResult};
use search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    Agreement, GoGame, Marks, Occupant, Painter, PlayError, Ply, SeatError, Thinker,
    view::{MoveView, ReportView, ResultView, ScoreView, View},
};

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Moves are being played.
    Playing,
    /// All moves are played; which stones are dead has to be agreed on.
    Scoring,
    /// The game is over.
    Over,
}

/// A game that is being played: a position and the way to it, who sits where, and how it ended.
///
/// Legal moves are generated at most once per position, when somebody first needs them, and kept until the next move.
/// Wherever a method takes or returns an index of a move, it is an index into that list.
pub trait HostedGame: Send + Sync {
    // What is played.

    /// The options of the game.
    fn config(&self) -> Config;

    /// The game and its board, which levels and ratings belong to.
    fn venue(&self) -> Venue;

    /// How many seats there are.
    fn seats(&self) -> usize;

    /// What is played, as a title: `RingRift on square8, with the swap rule`.
    fn title(&self) -> String;

    /// How to read a drawing of the board.
    fn legend(&self) -> &'static str;

    /// How to write moves, for a help text.
    fn notation_help(&self) -> &'static str;

    /// What a seat is called within a sentence: `seat 2`, `White`.
    fn seat_name(&self, seat: Seat) -> String;

    // How it stands.

    /// How far the game is.
    fn status(&self) -> Status;

    /// The seat to move, while moves are being played.
    fn to_move(&self) -> Option<Seat>;

    /// The moves played so far.
    fn plies(&self) -> &[Ply];

    /// A number that changes whenever the position does. What an agent found counts only for the revision it thought
    /// about.
    fn revision(&self) -> u64;

    /// The position as text.
    fn text(&self) -> String;

    /// Turns taken so far; a turn is what a line of a game score holds.
    fn turns_taken(&self) -> u32;

    /// A number of moves that a game of this kind easily has, to take samples from.
    fn usual_plies(&self) -> usize;

    /// The facts about the position, as the fields of a JSON object.
    fn facts(&self) -> Value;

    /// Everything that a page shows.
    fn view(&self) -> View {
        View { moves: self.legal_moves().to_vec(), ..self.view_without_moves() }
    }

    /// The same without the legal moves, for somebody who has nothing to choose.
    fn view_without_moves(&self) -> View;

    /// The last move that somebody chose since the game was opened or taken back, as it was made by clicks.
    fn last_chosen(&self) -> Option<&MoveView>;

    /// How it ended, once it is over.
    fn result(&self) -> Option<GameResult>;

    /// The result as it stands: how it ended, or how it ends if everybody accepts the present agreement.
    fn provisional_result(&self) -> Option<GameResult>;

    /// A result of this game in words.
    fn result_view(&self, result: &GameResult) -> ResultView;

    // Legal moves.

    /// The legal moves, each with how it is made by clicks; empty unless moves are being played.
    fn legal_moves(&self) -> &[MoveView];

    /// The legal moves that `prefix`, in small letters, is the beginning of; all of them if it is empty.
    fn matching(&self, prefix: &str) -> Vec<usize>;

    /// The cells that a legal move ends on.
    fn targets(&self, index: usize) -> Vec<String>;

    /// A list of legal moves as lines of text.
    fn move_lines(&self, indices: &[usize]) -> Vec<String>;

    /// The index of the only legal move, if there is just one.
    fn forced_move(&self) -> Option<usize>;

    /// Whether a legal move only notes that there is nothing to choose.
    fn is_bookkeeping(&self, index: usize) -> bool;

    /// The text of the only legal move, if that is bookkeeping.
    fn bookkeeping_move(&self) -> Option<String> {
        let index = self.forced_move().filter(|&index| self.is_bookkeeping(index))?;
        Some(self.legal_moves()[index].text.clone())
    }

    /// The index of the legal move that `text` means.
    ///
    /// # Errors
    /// If the game is over, the text is no move, or the rules forbid it.
    fn find_move(&self, text: &str) -> Result<usize, PlayError>;

    /// How often legal moves have been generated since the game was opened.
    fn generations(&self) -> u64;

    // Playing.

    /// Plays the move that `text` means for the seat to move.
    ///
    /// # Errors
    /// If the game is over, the text is no move, or the rules forbid it. The game is as it was.
    fn play(&mut self, text: &str) -> Result<&Ply, PlayError>;

    /// Plays a legal move for the seat to move.
    ///
    /// # Errors
    /// If there is no such index.
    fn play_index(&mut self, index: usize) -> Result<&Ply, PlayError>;

    /// Plays what an agent found, and keeps its values.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn play_report(&mut self, report: &ReportView) -> Result<&Ply, PlayError>;

    /// Plays the only legal move as one that nobody chose. `None` if there is a choice.
    fn play_forced(&mut self) -> Option<&Ply>;

    /// Plays bookkeeping moves until somebody has a choice; tells how many there were.
    fn play_bookkeeping(&mut self) -> usize {
        let before = self.plies().len();
        while self.forced_move().is_some_and(|index| self.is_bookkeeping(index)) {
            if self.play_forced().is_none() {
                break;
            }
        }
        self.plies().len() - before
    }

    /// Plays moves as they were kept, with everything that is known about them.
    ///
    /// # Errors
    /// The first move that is not legal; those before it are played.
    fn restore(&mut self, plies: Vec<Ply>) -> Result<(), PlayError>;

    /// Takes the last move back; `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Takes back everything since the last decision of a person, that one included: a move, or giving up. `false` if
    /// no person has decided anything.
    fn undo_decision(&mut self) -> bool;

    /// Whether [`HostedGame::undo_decision`] has something to take back.
    fn can_undo_decision(&self) -> bool;

    /// Ends the game: the seat to move gives up or loses by default. Does nothing once the game is over.
    fn forfeit(&mut self, kind: ForfeitKind);

    // Agreement on dead stones.

    /// Whether the result depends on an agreement: in Go, after two passes.
    fn has_agreement(&self) -> bool;

    /// What is agreed on, or proposed.
    fn agreement(&self) -> &Agreement;

    /// Sets what is agreed on, and whether it is accepted, as it was kept.
    fn set_agreement(&mut self, agreement: Agreement, accepted: bool);

    /// Calls the chain on `at` dead if it lived, and alive if it was dead.
    ///
    /// # Errors
    /// If nothing can be agreed on now, or there is no stone.
    fn toggle_dead(&mut self, at: &str) -> Result<(), PlayError>;

    /// Ends the game by the present agreement.
    ///
    /// # Errors
    /// If nothing can be agreed on now.
    fn accept(&mut self) -> Result<(), PlayError>;

    /// The count by the present agreement, in a game that has one.
    fn score(&self) -> Option<ScoreView>;

    /// What the count would be if the game ended here, in words, in a game that is counted.
    fn count(&self) -> Option<String>;

    // Words and drawings.

    /// What the seat to move has to choose. `typed` adds how to write it.
    fn prompt(&self, typed: bool) -> String;

    /// Where the game stands: `square8, 2 seats, turn 5`.
    fn heading(&self) -> String;

    /// What a legal move does, to follow the name of a seat: `moves d4 to d6`.
    fn describe_move(&self, index: usize) -> String;

    /// The board, each line indented. Without a painter, signs replace colours.
    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String;

    /// How every seat stands, as a table. `names` are shown behind the seats, as many as there are.
    fn standing(&self, names: &[String], painter: Option<&Painter<'_>>) -> String;

    /// The cells that the moves from `ply` on have changed.
    fn changed_since(&self, ply: usize) -> Vec<String>;

    // Seats and agents.

    /// Seats everybody as before the first move. Agents draw their random numbers from `seed`; whoever sat here before
    /// leaves with everything they remember.
    ///
    /// # Errors
    /// If there are too few or too many.
    fn take_seats(&mut self, occupants: Vec<Occupant>, seed: u64) -> Result<(), SeatError>;

    /// Who sits in a seat now, which a pie rule may have changed; `None` if nobody has taken seats.
    fn occupant(&self, seat: Seat) -> Option<&Occupant>;

    /// Everybody, by the seat taken before the first move.
    fn participants(&self) -> &[Occupant];

    /// Which of the participants sits in a seat now.
    fn participant(&self, seat: Seat) -> Seat;

    /// The agent to move, with a copy of the position, to think on any thread; `None` if no agent is to move.
    fn thinker(&self) -> Option<Box<dyn Thinker>>;

    /// Drops all agents of the game with what they remember. They are built again when they are next needed.
    fn drop_agents(&mut self);

    /// Lets an agent that has no seat look at the position: a fresh one, drawing from `seed`. Tells of at most `top`
    /// candidates, and of what it finds on the way. `None` if the game is over.
    fn analyse(
        &self,
        player: &Player,
        limits: &Limits,
        seed: u64,
        top: usize,
        stop: &Stop,
        tell: &mut dyn FnMut(ReportView),
    ) -> Option<ReportView>;

    /// The number of sequences of `depth` moves from here, to compare rules with each other.
    fn perft(&self, depth: u32) -> u64;

    /// The same for every first move.
    fn perft_split(&self, depth: u32) -> Vec<(String, u64)>;

    // Copies and records.

    /// A copy without occupants and agents.
    fn fork(&self) -> Box<dyn HostedGame>;

    /// A copy, without occupants and agents, of the game after its first `ply` moves; `None` if it is shorter.
    fn at(&self, ply: usize) -> Option<Box<dyn HostedGame>>;

    /// The record of the game as it stands.
    fn record(&self, id: &str, players: Vec<String>) -> GameRecord;

    /// What only Go has; `None` for any other game.
    fn as_go(&self) -> Option<&dyn GoGame> {
        None
    }

    /// What only Go has, to change it; `None` for any other game.
    fn as_go_mut(&mut self) -> Option<&mut dyn GoGame> {
        None
    }
}

impl dyn HostedGame + '_ {
    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.status() == Status::Over
    }

    /// The agent whose move it is, if it is an agent's.
    pub fn agent_to_move(&self) -> Option<&Player> {
        self.occupant(self.to_move()?)?.player()
    }

    /// The seats of people, in turn order.
    pub fn people(&self) -> Vec<Seat> {
        let is_human = |seat: &Seat| self.occupant(*seat).is_some_and(Occupant::is_human);
        Seat::all(self.seats()).filter(is_human).collect()
    }

    /// A legal move in notation and in words: `d4-d6 (moves d4 to d6)`.
    pub fn spelled(&self, index: usize) -> String {
        format!("{} ({})", self.legal_moves()[index].text, self.describe_move(index))
    }

    /// How the game ended, in words, once it is over.
    pub fn ending(&self) -> Option<ResultView> {
        self.result().map(|result| self.result_view(&result))
    }
}
