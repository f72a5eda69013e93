//! Evaluators that stand on others, and those that play random moves.

mod after_turn;
mod children;
mod prior;
mod rollout;

pub use after_turn::AfterTurn;
pub use prior::HeuristicPrior;
pub use rollout::{Rollout, ShortRollout};
