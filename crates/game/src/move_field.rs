//! Moves as points of a space in which their worth is a smooth function.

use crate::Game;

/// Embeds the moves of a position in a space of real numbers, and says what any point of that space would be worth as a
/// move, with the slope of what it said.
///
/// Worth is seen from the seat to move. A field can look at a point several times with parts of itself left out, so that
/// its answers spread where it knows little.
pub trait MoveField<G: Game>: Send {
    /// The number of coordinates of a point.
    fn dimension(&self) -> usize;

    /// Turns to a position that is not over and writes the points of `moves`, one after the other.
    fn begin(&mut self, position: &G, moves: &[G::Move], points: &mut Vec<f32>);

    /// Whether a move leaves the position nearly as it is, although its mover could act.
    fn is_skip(&self, m: G::Move) -> bool;

    /// Chooses what the next looks leave out: `passes` times something at random, or nothing at all if `passes` is 0 or
    /// the field has another way to tell how little it knows. `random` gives random words.
    fn draw(&mut self, passes: usize, random: &mut dyn FnMut() -> u64);

    /// Looks at points, one after the other in `points`.
    fn look(&mut self, points: &[f32], view: &mut FieldView);

    /// Writes the slopes at the points of the last look, given slopes with respect to everything in its view.
    fn slopes(&mut self, slopes: &FieldView, point_slopes: &mut Vec<f32>);

    /// Writes a logit for every legal move, whose points are `moves`, of being what `point` stands for. Returns whether the
    /// field has learnt to do so.
    fn project(&mut self, point: &[f32], moves: &[f32], logits: &mut Vec<f32>) -> bool {
        let _ = (point, moves, logits);
        false
    }
}

/// What a [`MoveField`] says about points, or slopes with respect to that.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FieldView {
    /// The worth of each point, by sample and point.
    pub samples: Vec<f32>,
    /// The variance of results that better knowledge would not remove, by point; empty if it is unknown.
    pub noise: Vec<f32>,
    /// The variance for want of knowledge, by point; empty if the spread of the samples is its estimate.
    pub spread: Vec<f32>,
    /// The probability that a point is the point of a legal move; empty if it is not judged.
    pub legality: Vec<f32>,
}
