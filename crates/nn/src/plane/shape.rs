//! The sizes of a plane network.

use std::{fmt, str::FromStr};

/// What a neuron of a convolution makes of its sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaneActivation {
    /// Negative sums become zero.
    Relu,
    /// Negative sums become `eˣ − 1`.
    Elu,
}

/// What a network says about a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaneHead {
    /// One value in (−1, 1).
    Value,
    /// One logit per cell, and one for the whole board.
    Map,
}

/// The sizes that describe a [`PlaneNet`](super::PlaneNet).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaneShape {
    /// Numbers per cell that go in.
    pub planes: usize,
    /// Convolutions.
    pub layers: usize,
    /// Channels of every convolution.
    pub channels: usize,
    /// Whether every two convolutions after the first add to their input instead of replacing it.
    pub residual: bool,
    /// The activation of convolutions.
    pub activation: PlaneActivation,
    /// What comes out.
    pub head: PlaneHead,
}

impl PlaneShape {
    /// How many numbers come out for a board of `cells` cells.
    pub fn outputs(&self, cells: usize) -> usize {
        match self.head {
            PlaneHead::Value => 1,
            PlaneHead::Map => cells + 1,
        }
    }

    /// The number of weights.
    pub fn weights(&self) -> usize {
        let first = (9 * self.planes + 1) * self.channels;
        let others = (self.layers - 1) * (9 * self.channels + 1) * self.channels;
        let pooled = crate::pool::POOLS * self.channels;
        let head = match self.head {
            PlaneHead::Value => (pooled + 1) * self.channels + self.channels + 1,
            PlaneHead::Map => self.channels + 1 + pooled + 1,
        };
        first + others + head
    }
}

/// Layers and channels by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanePreset {
    /// 4 layers of 20 channels with ELU: the first network that learned by this method.
    Seed,
    /// 5 layers of 16 channels in 2 residual blocks: a few microseconds per board.
    Light,
    /// 5 layers of 32 channels in 2 residual blocks.
    Residual,
    /// 9 layers of 48 channels in 4 residual blocks.
    Tall,
    /// 13 layers of 192 channels, without residual connections: the size that the first one was compared with.
    Deep,
}

impl PlanePreset {
    /// All presets, smallest first.
    pub const ALL: [Self; 5] = [Self::Light, Self::Seed, Self::Residual, Self::Tall, Self::Deep];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Light => "light",
            Self::Residual => "residual",
            Self::Tall => "tall",
            Self::Deep => "deep",
        }
    }

    /// The shape of a network for this many planes.
    pub fn shape(self, planes: usize, head: PlaneHead) -> PlaneShape {
        let (layers, channels, residual, activation) = match self {
            Self::Seed => (4, 20, false, PlaneActivation::Elu),
            Self::Light => (5, 16, true, PlaneActivation::Relu),
            Self::Residual => (5, 32, true, PlaneActivation::Relu),
            Self::Tall => (9, 48, true, PlaneActivation::Relu),
            Self::Deep => (13, 192, false, PlaneActivation::Relu),
        };
        PlaneShape { planes, layers, channels, residual, activation, head }
    }
}

impl fmt::Display for PlanePreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for text that names no preset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a preset of plane networks: expected seed, light, residual, tall or deep")]
pub struct UnknownPlanePreset(String);

impl FromStr for PlanePreset {
    type Err = UnknownPlanePreset;

    fn from_str(text: &str) -> Result<Self, UnknownPlanePreset> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == text);
        found.ok_or_else(|| UnknownPlanePreset(text.to_owned()))
    }
}
