//! Agents on the toy game, whose values are known.

mod greedy;
mod mcts;
mod random;
mod toy;
mod trees;
