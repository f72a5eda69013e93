//! Learning Go from nothing by alternating between a value network and a policy network.
//!
//! Stage 0 plays random games, takes one position from each and averages the results of several random continuations. A
//! value network learns these outcomes. A policy network learns, for every position, the softmax of the values of the
//! boards that its moves lead to. Stage after stage, games are then played by the policy, each move in proportion to its
//! probability; value and policy learn again, and the temperature of the softmax falls. Every generation is kept, and plays
//! against all earlier ones.
//!
//! [`run`] does all of this in a folder: a killed run continues where it was, and on one thread ends with the same bytes.
//! [`Config`] has everything that the result depends on, including the variations of the method. What goes on is told to an
//! observer as [`Event`]s.
//!
//! In the source, `rows` are positions with outcomes and their files; `random_play` and `policy_play` make them; `targets`
//! are policies to learn; `fit` trains a network; `matches` compares generations; `stages` puts all of it in order.
//!
//! Deliberately absent: printing, the networks themselves (`nn`, `eval`), agents (`ladder`) and the database.

mod config;
mod error;
mod fit;
mod matches;
mod measure;
mod playing;
mod policy_play;
mod progress;
mod random_play;
mod remembering;
mod report;
mod rows;
mod sheets;
mod stages;
mod targets;
#[cfg(test)]
mod tests;

pub use config::{Config, Preset, UnknownPreset};
pub use error::OmegaRunError;
pub use matches::{Match, RANDOM};
pub use measure::{Rate, rates};
pub use progress::{Event, Observer};
pub use report::Rated;
pub use stages::{Finished, generation_path, run};
