//! Plain networks over the planes of a board: convolutions, and either one value or a map of logits.
//!
//! They do not know the size of the board. A value is read from pools that are divided by the board's true area, and a map
//! has one logit per cell and one that is read from the pools, for a pass. So one network plays boards of every size.

mod backward;
mod file;
mod kernels;
mod net;
mod shape;
#[cfg(test)]
mod tests;

pub use backward::{PlaneGradient, PlaneLoss};
pub use kernels::{PlaneKernels, PlaneWorkspace};
pub use net::PlaneNet;
pub use shape::{PlaneActivation, PlaneHead, PlanePreset, PlaneShape, UnknownPlanePreset};
