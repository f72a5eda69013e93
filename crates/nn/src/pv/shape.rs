//! The sizes of a policy and value network.

use std::{fmt, str::FromStr};

/// What an encoder says about the inputs and the policy of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PvLayout {
    /// Numbers per cell.
    pub planes: usize,
    /// Numbers per position.
    pub globals: usize,
    /// Scores per cell that logits of moves are made of.
    pub policy_planes: usize,
    /// Scores per position that logits of moves are made of.
    pub policy_pooled: usize,
}

/// The sizes that describe a [`PvNet`](super::PvNet).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PvShape {
    /// The encoder's part.
    pub layout: PvLayout,
    /// Residual blocks, of two convolutions each.
    pub blocks: usize,
    /// Channels of every convolution.
    pub filters: usize,
    /// Numbers of the summary of the whole board that the value is read from.
    pub summary: usize,
    /// Every how many blocks the block's input is pooled and added to its first convolution; 0 for never.
    pub pooling: usize,
    /// Numbers that a block's channels are squeezed to before they excite its output; 0 for no squeezing.
    pub squeeze: usize,
    /// Owners that a cell can have in the end; 0 for no such output.
    pub owners: usize,
}

/// Owners of a cell: four relative seats, or none.
pub const OWNERS: usize = 5;

/// A shape by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PvPreset {
    /// 2 blocks of 16 filters, for tests.
    Tiny,
    /// 4 blocks of 32 filters.
    Small,
    /// 6 blocks of 64 filters.
    Base,
    /// 8 blocks of 256 filters.
    Seed,
}

impl PvPreset {
    /// All presets, smallest first.
    pub const ALL: [Self; 4] = [Self::Tiny, Self::Small, Self::Base, Self::Seed];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Small => "small",
            Self::Base => "base",
            Self::Seed => "seed",
        }
    }

    /// The shape of a network for this encoder.
    pub fn shape(self, layout: PvLayout) -> PvShape {
        let (blocks, filters) = match self {
            Self::Tiny => (2, 16),
            Self::Small => (4, 32),
            Self::Base => (6, 64),
            Self::Seed => (8, 256),
        };
        PvShape { layout, blocks, filters, summary: filters.max(32), pooling: 2, squeeze: 0, owners: OWNERS }
    }
}

impl fmt::Display for PvPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for text that names no preset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found:?} is not a preset of networks: expected {expected}")]
pub struct UnknownPreset {
    found: String,
    expected: &'static str,
}

impl UnknownPreset {
    /// The error for `found` where one of the names in `expected` was.
    pub(crate) fn new(found: &str, expected: &'static str) -> Self {
        Self { found: found.to_owned(), expected }
    }
}

impl FromStr for PvPreset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, UnknownPreset> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name() == text)
            .ok_or_else(|| UnknownPreset::new(text, "tiny, small, base or seed"))
    }
}

/// Places of the numbers that are read from the summary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readout {
    pub(crate) margin: usize,
    pub(crate) error: usize,
    pub(crate) pooled: usize,
    pub(crate) soft_pooled: usize,
    pub(crate) len: usize,
}

impl PvShape {
    /// Whether the block's first convolution gets the pool of its input.
    pub(crate) fn pools(&self, block: usize) -> bool {
        self.pooling > 0 && block % self.pooling == self.pooling - 1
    }

    pub(crate) fn readout(&self) -> Readout {
        let pooled = 2 * super::SEATS + 1;
        let soft_pooled = pooled + self.layout.policy_pooled;
        Readout {
            margin: super::SEATS,
            error: 2 * super::SEATS,
            pooled,
            soft_pooled,
            len: soft_pooled + self.layout.policy_pooled,
        }
    }
}
