//! Game-independent agents: searches that choose a move in a position of any [`Game`](game::Game).
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
//! Values are absolute, one per seat, and every node maximises the value of its mover. Nothing here assumes that seats
//! alternate or that games are zero-sum.
//!
//! Deliberately absent: any knowledge of a concrete game, ambient randomness (generators are passed in), files and
//! printing. The clock is read only for the time cap and the report.
//!
//! [`Agent`] is the common interface. [`PolicyOnly`] plays by a policy without search, [`Greedy`] is a one-ply search,
//! [`AlphaBeta`] a depth-first search by turns, [`Descent`] a best-first minimax search, and [`Mcts`] and [`Gumbel`] are
//! Monte Carlo tree searches. They send [`game::Request`]s to a [`game::Evaluator`]. [`Gmo`] and [`Ebmo`] follow the
//! gradients of a [`game::MoveField`]. [`Search`] is a search that leaves evaluation to its caller, [`drive`] runs many of
//! them with common batches, and [`QueuedEvaluator`] shares one evaluator between threads.

mod agent;
mod alphabeta;
mod batch;
mod descent;
mod evaluators;
mod gradient;
mod greedy;
mod gumbel;
mod mcts;
mod noise;
mod policy;
mod queue;
mod random;
mod stepwise;
#[cfg(test)]
mod tests;
mod tree;
mod widening;

pub use agent::{Agent, Candidate, Limits, Path, Report, Restriction, Stop};
pub use alphabeta::{AlphaBeta, AlphaBetaOptions, Rule};
pub use batch::{BatchCounts, drive};
pub use descent::{Descent, DescentChoice, DescentMode, DescentOptions, DescentSearch, Target};
pub use evaluators::{
    AfterTurn, FieldPolicy, HeuristicPrior, ParallelEvaluator, PolicyFrom, Rollout, SearchedValues,
    ShortRollout, UniformPolicy,
};
pub use gradient::{
    Ascent, Bonus, Ebmo, EbmoMode, EbmoOptions, Gmo, GmoChoice, GmoOptions, Projection, nearest_by_angle,
};
pub use greedy::Greedy;
pub use gumbel::{Completion, Gumbel, GumbelOptions, GumbelSearch, Interior, Scale};
pub use mcts::{Mcts, MctsOptions, MctsSearch, RootNoise, Selection};
pub use policy::PolicyOnly;
pub use queue::QueuedEvaluator;
pub use random::Random;
pub use stepwise::{Search, Step};
pub use tree::TreeSearch;
pub use widening::Widening;
