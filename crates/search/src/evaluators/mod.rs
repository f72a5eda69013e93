//! Evaluators built on other evaluators, and rollouts.

mod after_turn;
mod children;
mod prior;
mod rollout;

pub use after_turn::AfterTurn;
pub use prior::HeuristicPrior;
pub use rollout::{Rollout, ShortRollout};
