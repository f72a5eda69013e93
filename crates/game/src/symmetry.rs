use crate::Game;

/// Symmetries of the board: maps under which the rules do not change.
///
/// Apart from [`Game`] because a position is playable without them, and because not every rule of every game
/// respects every geometric symmetry of its board; an implementation lists only the ones that hold.
pub trait Symmetry: Game {
    /// How many symmetries hold for this position's rules; number 0 is the identity.
    fn symmetries(&self) -> usize;

    /// This position seen through symmetry `index`.
    #[must_use]
    fn transformed(&self, index: usize) -> Self;

    /// A move legal in this position, as it reads in [`Symmetry::transformed`].
    fn transformed_move(&self, m: Self::Move, index: usize) -> Self::Move;
}
