//! The sizes of a network for gradient move optimisation.

use super::ENSEMBLE;

/// One property of moves, embedded by a table: the sum of the rows of all words that a move has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveGroup {
    /// How many words there are.
    pub words: usize,
    /// How many numbers a word is embedded in.
    pub width: usize,
}

/// The sizes that describe a [`GmoNet`](super::GmoNet).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GmoShape {
    /// Features of positions, of which some are active.
    pub features: usize,
    /// The properties of moves.
    pub groups: Vec<MoveGroup>,
    /// Numbers of a position's embedding.
    pub state: usize,
    /// Numbers of a move's embedding.
    pub moves: usize,
    /// Neurons of each hidden layer.
    pub hidden: usize,
    /// Further value heads, for an ensemble.
    pub ensemble: usize,
    /// Neurons of the network that projects embeddings onto legal moves; 0 for no such network.
    pub projection: usize,
    /// Neurons of the network that judges whether embeddings are legal; 0 for no such network.
    pub legality: usize,
}

impl GmoShape {
    /// The number of words' embeddings of a move, side by side.
    pub(crate) fn width(&self) -> usize {
        self.groups.iter().map(|group| group.width).sum()
    }

    /// How many numbers the value network says about a move.
    pub(crate) fn heads(&self) -> usize {
        ENSEMBLE + self.ensemble
    }
}
