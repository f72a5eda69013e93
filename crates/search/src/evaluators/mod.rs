//! Evaluators built on other evaluators, and rollouts.

mod after_turn;
mod children;
mod field_policy;
mod parallel;
mod policy_from;
mod prior;
mod rollout;
mod searched;
mod uniform;

pub use after_turn::AfterTurn;
pub use field_policy::FieldPolicy;
pub use parallel::ParallelEvaluator;
pub(crate) use parallel::parallel;
pub use policy_from::PolicyFrom;
pub use prior::HeuristicPrior;
pub use rollout::{Rollout, ShortRollout};
pub use searched::SearchedValues;
pub use uniform::UniformPolicy;
