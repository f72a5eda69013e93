//! Networks for tree searches: a policy over the legal moves, a value for every seat, and outputs that help learning.

mod backward;
mod file;
mod input;
mod kernels;
mod net;
mod onnx;

mod shape;
mod shards;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use backward::PvGradient;
pub use input::{PvInput, PvOutput};
pub use kernels::{PvKernels, PvWorkspace};
pub use net::{Block as PvBlock, PvNet};
pub use shape::{OWNERS, PvLayout, PvPreset, PvShape, UnknownPreset};
pub use shards::PvShards;
pub use target::{PvLosses, PvTarget, PvWeights};

/// The most seats of a position.
pub(crate) const SEATS: usize = 4;
