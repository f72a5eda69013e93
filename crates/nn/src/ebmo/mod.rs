//! Networks for energy-based move optimisation: the energy of a move as a smooth function of the move's embedding.
//!
//! A residual trunk with squeeze-and-excitation reads the board and sums it up. A small network embeds what is known about
//! an action; it can read the trunk at the cells that the action touches. An energy network reads the summary and the
//! embedding: the lower the energy, the better the move.
//!
//! Positions and actions come as a [`PvInput`](crate::PvInput), whose terms of a move have another meaning here: those whose
//! number is below the number of features are features of the action; the next ones, as many as the grid has cells, name
//! the cell that it leaves; and those behind them the cell that it reaches. Weights of cells do not matter.

mod backward;
mod file;
mod kernels;
mod net;
#[cfg(test)]
mod tests;

pub use backward::{EbmoGradient, EbmoLabels, EbmoLosses, EbmoWeights};
pub use kernels::{EbmoKernels, EbmoWorkspace};
pub use net::{EbmoNet, EbmoPreset, EbmoShape};
