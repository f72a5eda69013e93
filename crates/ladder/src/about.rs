//! Short descriptions of agent kinds, for menus and help.

use crate::{Kind, keys::KEYS};

impl Kind {
    /// A short description.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "a random legal move",
            Self::Heuristic => "the best move by static evaluation",
            Self::Policy => "the best move by the policy of a net, without search",
            Self::Omega => "Go by a pair of networks, without search",
            Self::Minimax => "alpha-beta search; all opponents play against it",
            Self::MaxN => "max-n search; every seat plays for itself",
            Self::Brs => "best-reply search; only the strongest reply counts",
            Self::Descent => "best-first minimax search",
            Self::Mcts => "Monte Carlo tree search",
            Self::Gumbel => "Gumbel tree search, with a planned budget",
            Self::Gmo => "the best move near points that follow a net's gradient uphill",
            Self::IgGmo => "the same, exploring by information gain among legal points",
            Self::Ebmo => "the move of the lowest energy",
            Self::Gtp => "an external program that speaks GTP",
        }
    }

    /// The names of its settings.
    pub fn settings(self) -> Vec<&'static str> {
        KEYS.iter().filter(|key| key.kinds.contains(&self)).map(|key| key.name).collect()
    }
}
