//! What a game has to provide so that it can be hosted.

use game::Seat;
use ladder::Playable;
use record::{GameResult, Recorded};
use serde_json::Value;

use crate::{
    Agreement, GoGame, Marks, Painter,
    typed::Typed,
    view::{CellView, GoalsView, MoveView, PlayerView, ScoreView},
};

/// A kind of position that can be hosted: words, drawings and a few facts. Rules and search are elsewhere.
pub(crate) trait Hostable: Playable<Change: Send + Sync> + Recorded {
    /// How to read a drawing.
    const LEGEND: &'static str;
    /// How to write moves.
    const HELP: &'static str;

    fn title(&self) -> String;
    fn heading(&self, over: bool) -> String;
    fn seat_name(seat: Seat) -> String;

    /// Cells that are not empty.
    fn cells(&self) -> Vec<CellView>;
    fn players(&self) -> Vec<PlayerView>;
    /// What wins, where a number does.
    fn goals(&self) -> Option<GoalsView>;
    /// The part of the turn.
    fn phase(&self) -> &'static str;
    fn facts(&self) -> Value;
    fn turns_taken(&self) -> u32;
    fn usual_plies(&self) -> usize;

    /// What has to be chosen among `moves`; `typed` adds how to write it.
    fn prompt(&self, moves: &[Self::Move], typed: bool) -> String;
    /// A legal move, and how it is made by clicks.
    fn offer(&self, m: Self::Move) -> MoveView;
    /// What a legal move does, to follow the name of a seat.
    fn describe_move(&self, m: Self::Move) -> String;
    /// Why a move cannot be played, and what can.
    fn advice(&self, illegal: &Self::Illegal, moves: &[Self::Move]) -> String;
    fn is_bookkeeping(m: Self::Move) -> bool;
    /// The name of the cell that a change is about.
    fn changed_cell(change: Self::Change) -> String;
    /// The moves that the beginning of a text means.
    fn matches(&self, m: Self::Move, prefix: &str) -> bool;
    /// The cells that a move ends on.
    fn targets(&self, m: Self::Move) -> Vec<String>;
    fn move_lines(&self, moves: &[Self::Move]) -> Vec<String>;
    /// How a game that came to this position ended.
    fn ending(&self, result: &GameResult) -> String;

    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String;
    fn standing(&self, to_move: Option<Seat>, names: &[String], painter: Option<&Painter<'_>>) -> String;

    /// Plays a move that was found legal for `seat`, which only in Go need not be the seat to move.
    fn advance(&mut self, seat: Seat, m: Self::Move, changes: &mut Vec<Self::Change>) {
        let _ = seat;
        self.play_unchecked(m, changes);
    }

    /// Whether the result depends on an agreement.
    fn has_agreement(&self) -> bool {
        false
    }

    /// What the players might agree on.
    fn proposal(&self) -> Agreement {
        Agreement::default()
    }

    /// The stones that are dead or alive together with the one on `at`.
    fn chain(&self, at: &str) -> Result<Vec<String>, String> {
        let _ = at;
        Err("nothing is agreed on at the end of this game".to_owned())
    }

    /// The count by an agreement, and the result that it makes after `plies` moves.
    fn counted(&self, agreement: &Agreement, plies: u32) -> Option<(ScoreView, GameResult)> {
        let _ = (agreement, plies);
        None
    }

    /// What the count would be if the game ended here.
    fn count(&self) -> Option<String> {
        None
    }

    fn as_go(hosted: &Typed<Self>) -> Option<&dyn GoGame> {
        let _ = hosted;
        None
    }

    fn as_go_mut(hosted: &mut Typed<Self>) -> Option<&mut dyn GoGame> {
        let _ = hosted;
        None
    }
}
