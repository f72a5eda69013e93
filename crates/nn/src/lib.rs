//! Neural networks on plain CPUs: layers with exact gradients, an optimiser, model files. Training and play use the same
//! operations.
//!
//! ```
//! use nn::{Activation, AdamW, AdamWOptions, Nnue, NnueShape, Sample, Workspace};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//!
//! // Two seats, two features: the seat with feature 1 wins.
//! let shape = NnueShape {
//!     features: 2,
//!     hidden: 16,
//!     activation: Activation::SquaredClippedRelu,
//!     layers: Vec::new(),
//!     buckets: 1,
//!     scalars: 0,
//! };
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
//! let mut net = Nnue::<f32>::random(&shape, 1, &mut rng);
//! let mut workspace = Workspace::new(&shape);
//! let mut optimiser = AdamW::new(AdamWOptions::default(), net.parameters().iter().map(|group| group.1.len()));
//! let sample =
//!     Sample { perspectives: &[&[1], &[0]], scalars: &[], heads: &[0, 0], target: &[1.0, 0.0], weight: 1.0 };
//! for _ in 0..100 {
//!     let mut gradient = Nnue::zeros(&shape);
//!     net.accumulate(&sample, &mut gradient, &mut workspace);
//!     let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.1).collect();
//!     optimiser.step(&mut net.parameters_mut(), &slopes, 0.01);
//! }
//! let logits = net.logits(&[&[1], &[0]], &[], &[0, 0], &mut workspace);
//! assert!(logits[0] > logits[1] + 1.0);
//! ```
//!
//! What is deliberately absent: games, files (bytes are handed in and out), ambient randomness, and automatic
//! differentiation: there are few operations, and each has its own exact backward pass. Threads appear only where several
//! share a batch, in [`PvShards`].
//!
//! Where to go next: [`Nnue`] for the network of the alpha-beta search, [`PvNet`] for that of tree searches, with
//! [`PvKernels`] to play and [`PvShards`] to learn, [`GmoNet`] and [`EbmoNet`] for moves as points that gradients move,
//! [`PlaneNet`] for plain convolutions on boards of any size, and [`ModelFile`] for what is on disk.

mod activation;
mod adamw;
mod conv;
mod dense;
mod dot;
mod dropout;
mod ebmo;
mod gmo;
mod grid;
mod init;
mod linear;
mod loss;
mod matrix;
mod model_file;
mod nnue;
mod nnue_file;
mod onnx;
mod plane;
mod pool;
mod pv;
mod quantised;
mod scalar;
mod schedule;
mod sparse;
#[cfg(test)]
mod tests;
mod wide;
mod winograd;

pub use activation::Activation;
pub use adamw::{AdamW, AdamWOptions};
pub use conv::Conv;
pub use dot::Block;
pub use dropout::dropout;
pub use ebmo::{
    EbmoGradient, EbmoKernels, EbmoLabels, EbmoLosses, EbmoNet, EbmoPreset, EbmoShape, EbmoWeights,
    EbmoWorkspace,
};
pub use gmo::{
    CellGraph, DropoutMasks, GmoGradient, GmoInput, GmoKernels, GmoLabels, GmoLossWeights, GmoLosses, GmoNet,
    GmoPoints, GmoShape, GmoWorkspace, GraphShape, MoveGroup, ranking_cross_entropy,
};
pub use grid::Grid;
pub use linear::Linear;
pub use loss::{softmax, softmax_cross_entropy};
pub use model_file::{Header, ModelError, ModelFile, Precision};
pub use nnue::{MAX_PERSPECTIVES, Nnue, NnueShape, Sample, Workspace};
pub use plane::{
    PlaneActivation, PlaneGradient, PlaneHead, PlaneKernels, PlaneLoss, PlaneNet, PlanePreset, PlaneShape,
    PlaneWorkspace, UnknownPlanePreset,
};
pub use pv::{
    OWNERS, PvBlock, PvInput, PvKernels, PvLayout, PvLosses, PvNet, PvOutput, PvPreset, PvShape, PvShards,
    PvTarget, PvWeights, PvWorkspace, UnknownPreset,
};
pub use quantised::{QuantiseError, QuantisedNnue};
pub use scalar::Scalar;
pub use schedule::Schedule;
pub use sparse::SparseLinear;
