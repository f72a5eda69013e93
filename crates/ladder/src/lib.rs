//! Which agent plays at which level, and agents written as values.
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
//! A [`Spec`] is what people write, an [`AgentConfig`] every setting of one agent, a [`Tier`] a row of the ladder, a
//! [`Player`] who really plays, [`Models`] the nets there are. This is the only room that knows both searches and
//! evaluators. Constructors start nothing: an external program starts with its first decision, or when
//! [`Player::probe`] asks whether it can play.
//!
//! What is deliberately absent: playing games (that is `arena`), people, and printing.

mod about;
mod build;
mod config;
mod epsilon_random;
mod go_rollout;
mod go_tiers;
mod keys;
mod leaves;
mod models;
mod player;
mod spec;
#[cfg(test)]
mod tests;
mod tier;
mod venue;

pub use config::{AgentConfig, BadSetting, Kind};
pub use go_rollout::GoRollout;
pub use leaves::Leaves;
pub use models::{Model, ModelError, Models};
pub use player::{NoPlayer, Player, WithoutNet};
pub use spec::{BadSpec, Spec, split};
pub use tier::{Level, Tier};
pub use venue::{Playable, Venue};
