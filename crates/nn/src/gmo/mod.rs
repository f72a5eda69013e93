//! Networks for gradient move optimisation: the value of a move as a smooth function of the move's embedding.
//!
//! A position and each of its moves are embedded apart. A value network of two hidden layers with dropout reads both and
//! says what the move is worth, with the logarithm of the variance of that estimate, its expected squared error, and the
//! answers of an ensemble of further value heads. Because the embedding of a move is an input of the value network, the
//! value has an exact gradient with respect to it, which play follows. A projection network can lead back from any
//! embedding to a legal move, and a legality network says whether an embedding is one of a legal move.
//!
//! Positions are embedded by a table of features or by graph attention over the cells of the board. A move is embedded by its
//! words, and if [`GmoShape::after`] says so, by the sums of features after it, which are those before it and a few changes.
//!
//! All moves and all dropout passes of a position are one product of matrices per layer.

mod backward;
mod file;
mod graph;
mod input;
mod kernels;
mod net;
mod shape;
#[cfg(test)]
mod tests;

pub use backward::{GmoGradient, GmoLabels, GmoLossWeights, GmoLosses, ranking_cross_entropy};
pub use input::{DropoutMasks, GmoInput};
pub use kernels::{GmoKernels, GmoPoints, GmoWorkspace};
pub use net::GmoNet;
pub use shape::{CellGraph, GmoShape, GraphShape, MoveGroup};

/// Places of the numbers that the value network says about a move. Those of the ensemble follow.
pub(crate) const VALUE: usize = 0;
pub(crate) const LOG_VARIANCE: usize = 1;
pub(crate) const ERROR: usize = 2;
pub(crate) const ENSEMBLE: usize = 3;
