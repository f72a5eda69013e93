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
//! let [rollouts, rng] = [1, 2].map(Xoshiro256PlusPlus::seed_from_u64);
//! let mut agent = Mcts::new(Rollout::new(rollouts), rng, MctsOptions::default());
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
//! number of turns ahead, [`Descent`] for best-first minimax, [`Mcts`] and [`Gumbel`] for trees. What they ask is a
//! [`game::Request`], and what answers is a [`game::Evaluator`]. [`Search`] is a tree search that leaves asking to its
//! caller, [`drive`] runs many of them into common batches, and [`QueuedEvaluator`] shares one evaluator between
//! threads.

mod agent;
mod alphabeta;
mod batch;
mod descent;
mod evaluators;
mod greedy;
mod gumbel;
mod mcts;
mod noise;
mod queue;
mod random;
mod stepwise;
#[cfg(test)]
mod tests;
mod tree;
mod widening;

pub use agent::{Agent, Candidate, Limits, Report, Stop};
pub use alphabeta::{AlphaBeta, AlphaBetaOptions, Rule};
pub use batch::{BatchCounts, drive};
pub use descent::{Descent, DescentChoice, DescentMode, DescentOptions, DescentSearch, Target};
pub use evaluators::{AfterTurn, HeuristicPrior, Rollout, ShortRollout};
pub use greedy::Greedy;
pub use gumbel::{Completion, Gumbel, GumbelOptions, GumbelSearch, Interior, Scale};
pub use mcts::{Mcts, MctsOptions, MctsSearch, RootNoise, Selection};
pub use queue::QueuedEvaluator;
pub use random::Random;
pub use stepwise::{Search, Step};
pub use tree::TreeSearch;
pub use widening::Widening;
