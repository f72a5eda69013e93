//! What training needs to know about features.

use game::{Game, Seat};
use ringrift::{Geometry, Position};

use super::Features;

/// Features of positions on the board `B`, as seen from a seat.
pub trait FeatureSet<B: Geometry> {
    /// The name of the encoder in model files.
    fn id() -> String;

    /// The number of features of a perspective.
    fn count() -> usize;

    /// The ends of the groups of features of which at most one is active.
    fn groups() -> Vec<usize>;

    /// Where each feature goes under a symmetry of the board.
    fn image(symmetry: usize) -> Vec<u16>;

    /// The kind of each feature, if there are others of its kind in other places. Features of a kind mean much the same,
    /// so training starts them with equal weights and lets them learn from each other. Kinds are numbered from 0.
    fn kinds() -> Vec<Option<u16>>;

    /// Puts the features of `position` seen from `seat` into `active`.
    fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>);

    /// The number of heads of a network that distinguishes `stages` stages of the game.
    fn heads(stages: usize) -> usize;

    /// The head that evaluates `position` for `seat`, of `heads`.
    fn head(position: &Position<B>, seat: Seat, heads: usize) -> usize;

    /// Numbers of a perspective that heads read beside features.
    fn scalars() -> usize {
        0
    }

    /// Puts the scalars of `position` for all seats, one seat after another, into `scalars`.
    fn read_scalars(_position: &Position<B>, scalars: &mut Vec<f32>) {
        scalars.clear();
    }

    /// The weights of scalars that training starts from.
    fn scalar_weights() -> Vec<f32> {
        Vec::new()
    }
}

impl<B: Geometry> FeatureSet<B> for Features<B> {
    fn id() -> String {
        Self::id()
    }

    fn count() -> usize {
        Self::count()
    }

    fn groups() -> Vec<usize> {
        Self::groups()
    }

    fn image(symmetry: usize) -> Vec<u16> {
        Self::image(symmetry)
    }

    fn kinds() -> Vec<Option<u16>> {
        Self::kinds()
    }

    fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        Self::active(position, seat, active);
    }

    fn heads(stages: usize) -> usize {
        Self::heads(stages)
    }

    fn head(position: &Position<B>, seat: Seat, heads: usize) -> usize {
        let (seats, mover) = (position.seats(), position.to_move().index());
        Self::head(position, heads) + (seat.index() + seats - mover) % seats
    }
}
