//! Agent specs, the table of levels, and the construction of agents.
//!
//! ```
//! use game::Game;
//! use ladder::{Playable, Player, Spec, WithoutNet};
//! use ringrift::{Position, Rules, Square8};
//! use search::Stop;
//!
//! let position = Position::<Square8>::new(&Rules::new(2));
//! let spec: Spec = "mcts(sims=50)".parse()?;
//! let player = Player::new(&spec, position.venue(), WithoutNet::Refuse)?;
//! let report = player.agent(7).think(&position, &player.limits(), &Stop::default());
//! assert!(position.is_legal(report.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Spec`] is an agent as users write it, an [`AgentConfig`] all settings of an agent, a [`Tier`] a row of the table
//! of levels, a [`Player`] a resolved spec with its net, from which agents are built, and [`Models`] the registry of nets. This is
//! the only crate that combines searches with evaluators. Constructors start nothing: an external program starts with
//! its first decision, or when [`Player::probe`] checks whether it can play.
//!
//! Deliberately absent: playing games (the crate `arena`), human players, and printing.

mod about;
mod build;
mod config;
mod epsilon_random;
mod evaluator;
mod go_net;
mod go_rollout;
mod go_tiers;
mod keys;
mod leaves;
mod measured;
mod models;
mod player;
mod spec;
mod stepwise;
#[cfg(test)]
mod tests;
mod tier;
mod venue;

pub use build::Builders;
pub use config::{AgentConfig, Kind, SettingError};
pub use evaluator::{AgentEvaluator, PolicyValueNet, RingRiftNet};
pub use go_net::{GoNet, OmegaNet};
pub use go_rollout::GoRollout;
pub use leaves::Leaves;
pub use measured::{Standing, Step};
pub use models::{Model, ModelError, Models, Quantisation, TensorSummary};
pub use player::{Player, PlayerError, WithoutNet};
pub use spec::{Spec, SpecError, split};
pub use tier::{Level, Tier};
pub use venue::{Playable, Venue};
