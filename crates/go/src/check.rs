//! Checking a single move, with the rule that forbids it.

use game::Game;

use crate::{Move, Point, Points, Position};

/// The rule that forbids a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The point is not on the board.
    #[error("{0} is not on a {1}×{1} board")]
    OffBoard(Point, usize),
    /// There is a stone on the point.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The stone would have no liberty, and suicide is forbidden.
    #[error("a stone on {0} would have no liberty, and these rules forbid suicide")]
    Suicide(Point),
    /// The simple ko rule forbids the move.
    #[error("the ko on {0} may not be retaken at once")]
    Ko(Point),
    /// A superko rule forbids the move, or the simple ko rule's clause against cycles with passes does.
    #[error("a stone on {point} would recreate the board {}", moment(*.earlier))]
    Superko {
        /// The point of the stone.
        point: Point,
        /// The number of the move after which the board was the same, 0 for the start.
        earlier: u32,
    },
}

fn moment(number: u32) -> String {
    if number == 0 { "at the start".to_owned() } else { format!("after move {number}") }
}

impl<P: Points> Position<P> {
    /// The rule that forbids `m`, if one does.
    pub(crate) fn refusal(&self, m: Move) -> Option<Illegal> {
        if self.is_over() {
            return Some(Illegal::Over);
        }
        let point = m.point()?;
        let (board, colour) = (self.board(), self.turn());
        if !board.points().has(point) {
            return Some(Illegal::OffBoard(point, board.size()));
        }
        if !board.empty().has(point) {
            return Some(Illegal::Occupied(point));
        }
        let captured = board.captures(point, colour);
        let is_suicide = captured.is_empty() && board.has_no_liberty_at(point, colour);
        if is_suicide && !self.rules().suicide {
            return Some(Illegal::Suicide(point));
        }
        if self.ko_point() == Some(point) {
            return Some(Illegal::Ko(point));
        }
        let earlier = self.forbidden_repetition(point, captured);
        earlier.map(|earlier| Illegal::Superko { point, earlier })
    }
}
