//! Agents on the toy game, whose values are known.

mod greedy;
mod guides;
mod gumbel;
mod mcts;
mod random;
mod toy;
mod trees;
