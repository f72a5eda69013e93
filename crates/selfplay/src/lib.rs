//! Games of agents against themselves, as training data.
//!
//! Self-play stores games, not tensors: the rules replay faster than any loader reads, and a new encoder can use old
//! games. Each decision has the values that the search found, and its candidates by legal index if they are wanted.
//!
//! Games of step-wise searches with a network can be interleaved: a thread plays many at once and evaluates their positions in
//! common batches, which changes nothing in the games.
//!
//! A [`Plan`] has everything that the games depend on; game `i` is a function of the plan and `i`. [`run`] plays games
//! into a [`DataFolder`], in shards that are named by their content. An interrupted run continues where it ended. A
//! [`Relabelling`] gives old games the values of a better agent.
//!
//! Deliberately absent: networks and their features (the crate `train`), printing, and command lines.

mod catalogue;
mod data_folder;
mod error;
mod game;
mod interleaved;
mod leaves;
mod plan;
mod relabel;
mod run;
mod statistics;
pub mod tags;
#[cfg(test)]
mod tests;

pub use catalogue::Shard;
pub use data_folder::DataFolder;
pub use error::SelfPlayError;
pub use game::Played;
pub use plan::{Options, Plan, Seating};
pub use relabel::Relabelling;
pub use run::{Finished, Games, Work, run};
pub use statistics::Statistics;
