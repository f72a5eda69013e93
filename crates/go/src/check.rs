//! Why a move is refused.

use game::Game;

use crate::{Move, Point, Points, Position};

/// The rule that forbids a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The board has no such point.
    #[error("{0} is not a point of a board of {1} lines")]
    OffBoard(Point, usize),
    /// A stone is there.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The stone would take its own last liberty.
    #[error("a stone on {0} would have no liberty, and these rules forbid suicide")]
    Suicide(Point),
    /// The simple ko rule.
    #[error("{0} may not be retaken at once")]
    Ko(Point),
    /// A superko rule, or the simple ko rule's against cycles with passes.
    #[error("a stone on {point} would recreate the board {}", moment(*.earlier))]
    Superko {
        /// Where the stone would go.
        point: Point,
        /// After which move the board was the same, 0 for the start.
        earlier: u32,
    },
}

fn moment(number: u32) -> String {
    if number == 0 { "of the start".to_owned() } else { format!("after move {number}") }
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
        let kills_itself = captured.is_empty() && board.is_smothered(point, colour);
        if kills_itself && !self.rules().suicide {
            return Some(Illegal::Suicide(point));
        }
        if self.ko_point() == Some(point) {
            return Some(Illegal::Ko(point));
        }
        let earlier = self.forbidden_repetition(point, captured);
        earlier.map(|earlier| Illegal::Superko { point, earlier })
    }
}
