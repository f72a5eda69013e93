//! Symmetries of positions and moves.

use crate::Game;

/// Symmetries of the board: maps under which the rules do not change.
///
/// This is separate from [`Game`] because a position is playable without symmetries, and because not every rule
/// respects every geometric symmetry of the board. An implementation lists only those that hold.
pub trait Symmetry: Game {
    /// The number of symmetries under this position's rules. Index 0 is the identity.
    fn symmetries(&self) -> usize;

    /// The image of this position under symmetry `index`.
    #[must_use]
    fn transformed(&self, index: usize) -> Self;

    /// The image of a legal move of this position, which is legal in [`transformed`](Symmetry::transformed).
    fn transformed_move(&self, m: Self::Move, index: usize) -> Self::Move;
}
