use crate::Game;

/// Listens to the changes of the board while a move is played.
///
/// Incremental evaluation hangs here: rules announce what changed and never know who listens. `()` is the
/// observer that hears nothing and costs nothing.
pub trait Observer<G: Game> {
    /// One elementary change, reported when it happens.
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
