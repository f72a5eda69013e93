//! The trait that a position type implements to be hosted.

use game::Seat;
use ladder::Playable;
use record::{GameResult, Recorded};
use search::Stop;
use serde_json::Value;

use crate::{
    Agreement, GoGame, Marks, Painter,
    typed::Typed,
    view::{CellView, GoalsView, MoveView, PlayerView, ScoreView, ThreatsView},
    words::listed,
};

/// A position type that can be hosted: provides texts, drawings and a few facts in addition to rules and agents.
pub(crate) trait Hostable: Playable<Change: Send + Sync> + Recorded {
    /// An explanation of drawings.
    const LEGEND: &'static str;
    /// An explanation of the notation of moves.
    const HELP: &'static str;

    fn title(&self) -> String;
    fn heading(&self, over: bool) -> String;
    fn seat_name(seat: Seat) -> String;

    /// The cells that are not empty.
    fn cells(&self) -> Vec<CellView>;
    fn players(&self) -> Vec<PlayerView>;
    /// The numbers that win the game, if there are any.
    fn goals(&self) -> Option<GoalsView>;
    /// The phase of the turn.
    fn phase(&self) -> &'static str;
    fn facts(&self) -> Value;
    fn turns_taken(&self) -> u32;
    /// The number of the present turn, from 1.
    fn turn_number(&self) -> u32;
    fn usual_plies(&self) -> usize;

    /// The choice that `moves` offer, as a sentence; `typed` adds the notation.
    fn prompt(&self, moves: &[Self::Move], typed: bool) -> String;
    /// A legal move with its clicks.
    fn offer(&self, m: Self::Move) -> MoveView;
    /// A description of a legal move, to follow the name of a seat.
    fn describe_move(&self, m: Self::Move) -> String;
    /// A description of a turn that is played from here, to follow the name of a seat.
    fn describe_turn(&self, turn: &[Self::Move]) -> String {
        let mut position = self.clone();
        let mut parts = Vec::new();
        for &m in turn {
            if !Self::is_bookkeeping(m) {
                parts.push(position.describe_move(m));
            }
            position.play_unchecked(m, &mut ());
        }
        listed(&parts)
    }
    /// Why a move is illegal, and what to do instead.
    fn advice(&self, illegal: &Self::Illegal, moves: &[Self::Move]) -> String;
    fn is_bookkeeping(m: Self::Move) -> bool;
    /// The name of the cell that a change affects.
    fn changed_cell(change: Self::Change) -> String;
    /// Whether `prefix` abbreviates the move.
    fn matches(&self, m: Self::Move, prefix: &str) -> bool;
    /// The destination cells of a move.
    fn targets(&self, m: Self::Move) -> Vec<String>;
    fn move_lines(&self, moves: &[Self::Move]) -> Vec<String>;
    /// A description of the result of a game that ended in this position.
    fn ending(&self, result: &GameResult) -> String;

    /// What the last turn of the game changed and why that ended it, for a player who does not know the rules well. `before` is
    /// the position before that turn.
    fn explanation(&self, before: &Self) -> String {
        let _ = before;
        String::new()
    }

    /// What the other seats can do in their next turns, and which moves allow it.
    fn threats(&self, stop: &Stop) -> ThreatsView {
        let _ = stop;
        ThreatsView::default()
    }

    /// What `seat` could achieve if it were its turn now, to follow "could"; `None` if that is not worth mentioning.
    fn chance(&self, seat: Seat, stop: &Stop) -> Option<String> {
        let _ = (seat, stop);
        None
    }

    /// Another turn of the seat to move after which `winner` cannot win at once, as it can after the turn `played`;
    /// `preferred` if that is such a turn. `None` if no such turn is found.
    fn rescue(
        &self,
        winner: Seat,
        played: &[Self::Move],
        preferred: &[Self::Move],
        stop: &Stop,
    ) -> Option<Vec<Self::Move>> {
        let _ = (winner, played, preferred, stop);
        None
    }

    /// The movement among the moves of a turn, to be drawn as an arrow.
    fn movement(&self, turn: &[Self::Move]) -> Option<MoveView> {
        let _ = turn;
        None
    }

    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String;
    fn standing(&self, to_move: Option<Seat>, names: &[String], painter: Option<&Painter<'_>>) -> String;

    /// Plays a legal move of `seat`. Only in Go may it differ from the seat to move.
    fn advance(&mut self, seat: Seat, m: Self::Move, changes: &mut Vec<Self::Change>) {
        let _ = seat;
        self.play_unchecked(m, changes);
    }

    /// Whether the result depends on an agreement on dead stones.
    fn has_agreement(&self) -> bool {
        false
    }

    /// The agreement to propose to the players.
    fn proposal(&self) -> Agreement {
        Agreement::default()
    }

    /// The chain of the stone at `at`.
    fn chain(&self, at: &str) -> Result<Vec<String>, String> {
        let _ = at;
        Err("this game has no dead stones to agree on".to_owned())
    }

    /// The score by an agreement, and the resulting game result after `plies` moves.
    fn counted(&self, agreement: &Agreement, plies: u32) -> Option<(ScoreView, GameResult)> {
        let _ = (agreement, plies);
        None
    }

    /// The score if the game ended here, as a sentence.
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
