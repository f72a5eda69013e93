//! Kinds of agents in words, for lists that people choose from.

use crate::{Kind, keys::KEYS};

impl Kind {
    /// What it does, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "any legal move",
            Self::Heuristic => "the move that looks best at sight",
            Self::Minimax => "looks ahead; takes all others for enemies",
            Self::MaxN => "looks ahead; every seat looks after itself",
            Self::Brs => "looks ahead; only the strongest reply counts",
            Self::Descent => "follows the best line first",
            Self::Mcts => "tree search by many simulations",
            Self::Gumbel => "tree search that plans its simulations",
            Self::Gtp => "a program of its own, asked over GTP",
        }
    }

    /// The names of its settings.
    pub fn settings(self) -> Vec<&'static str> {
        KEYS.iter().filter(|key| key.kinds.contains(&self)).map(|key| key.name).collect()
    }
}
