//! Agents on the toy game, whose values are known.

mod greedy;
mod guides;
mod gumbel;
mod mcts;
mod random;
pub(crate) mod toy;
mod trees;
