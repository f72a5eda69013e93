//! The sizes of a network for gradient move optimisation.

use std::sync::Arc;

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
    /// Whether the embedding of a move also reads the sums of the features of the position after it. Then the words of the
    /// last group are the features that a move adds, and behind them those that it removes.
    pub after: bool,
    /// Graph attention over cells in place of the table of features, for the embedding of positions.
    pub graph: Option<GraphShape>,
}

/// The sizes of graph attention over the cells of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphShape {
    /// Numbers of a node, a multiple of the number of heads.
    pub width: usize,
    /// Heads of a layer.
    pub heads: usize,
    /// Layers.
    pub layers: usize,
    /// The board.
    pub graph: Arc<CellGraph>,
}

/// The cells of a board as a graph, and what features say about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellGraph {
    /// For every feature, its cell and its kind, which is the same for features that say the same of different cells. Those
    /// of the whole position have a cell that does not exist.
    pub places: Vec<(u16, u16)>,
    /// For every cell, itself and its neighbours.
    pub neighbours: Vec<Vec<u16>>,
}

impl CellGraph {
    /// The number of kinds of features.
    pub fn kinds(&self) -> usize {
        self.places.iter().map(|&(_, kind)| usize::from(kind) + 1).max().unwrap_or(0)
    }

    /// The number of pairs of cells and neighbours.
    pub(super) fn edges(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum()
    }
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
