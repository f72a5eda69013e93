//! Agents on the toy game, whose values are known.

mod batching;
mod evaluators;
mod greedy;
mod gumbel;
mod mcts;
mod random;
pub(crate) mod toy;
mod trees;
