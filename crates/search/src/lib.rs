//! Agents: whatever looks at a position of any [`Game`](game::Game) and chooses a move.
//!
//! ```
//! use game::{Game, toy::{Take, TakeMove, TakeRules}};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//! use search::{Agent, Limits, Mcts, MctsOptions, Rollout, Stop};
//!
//! // Six tokens, at most three a turn, and one is already taken: one more leaves four, a lost pile.
//! let mut position = Take::new(&TakeRules { tokens: 6, most: 3, seats: 2 });
//! position.play(TakeMove::One)?;
//! let [guide, rng] = [1, 2].map(Xoshiro256PlusPlus::seed_from_u64);
//! let mut agent = Mcts::new(Rollout::new(guide), rng, MctsOptions::default());
//! let report = agent.think(&position, &Limits::nodes(200), &Stop::default());
//! assert_eq!(report.best, TakeMove::One);
//! # Ok::<(), game::toy::TakeFault>(())
//! ```
//!
//! Values are absolute, one per seat; a node is decided by the seat that moves there. Nothing here assumes that
//! seats alternate or that one seat's gain is another's loss.
//!
//! What is deliberately absent: any knowledge of a concrete game, ambient randomness (generators are passed in),
//! files and printing. A clock is read only for the time cap and the report.
//!
//! Where to go next: [`Agent`] for the contract, [`Greedy`] for one ply with an evaluation, [`AlphaBeta`] for looking a
//! number of turns ahead, [`Descent`] for going where it is best first, [`Mcts`] and [`Gumbel`] for trees, [`Guide`] for
//! what they ask at their leaves.

mod agent;
mod alphabeta;
mod descent;
mod greedy;
mod guide;
mod gumbel;
mod mcts;
mod noise;
mod random;
mod settled;
#[cfg(test)]
mod tests;
mod tree;
mod widening;

pub use agent::{Agent, Candidate, Limits, Report, Stop};
pub use alphabeta::{AlphaBeta, AlphaBetaOptions, Rule};
pub use descent::{Descent, DescentChoice, DescentMode, DescentOptions, Target};
pub use greedy::Greedy;
pub use guide::{Flat, Guide, Leaf, Rollout, ShortRollout, Sighted};
pub use gumbel::{Completion, Gumbel, GumbelOptions, Interior, Scale};
pub use mcts::{Mcts, MctsOptions, RootNoise, Selection};
pub use random::Random;
pub use settled::Settled;
pub use widening::Widening;
