//! Observers, which receive the changes of the board while moves are played.

use crate::Game;

/// Receives the changes of the board while a move is played.
///
/// This is the hook for incremental evaluation: the rules report every change and do not depend on the observer. `()`
/// ignores all changes at no cost.
pub trait Observer<G: Game> {
    /// Called for every elementary change, when it happens.
    fn changed(&mut self, change: G::Change);
}

impl<G: Game> Observer<G> for () {
    #[inline]
    fn changed(&mut self, _: G::Change) {}
}

/// Collects all changes, in order.
impl<G: Game> Observer<G> for Vec<G::Change> {
    fn changed(&mut self, change: G::Change) {
        self.push(change);
    }
}
