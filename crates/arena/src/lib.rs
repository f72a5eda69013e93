//! Matches between agents that measure honestly, generic over the game.
//!
//! A match is a row of rounds. A round is one random opening, played from all seats: with two seats a pair of games
//! with sides swapped, with more a rotation of each side alone among copies of the other. So neither a seat nor an
//! opening favours anybody. Game `i` is a function of the configuration, the seed and `i` alone; games run on all
//! cores and are counted in their order, so that the report does not depend on how many cores there were.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use arena::{Arena, Conditions, Contender, Results, Schedule, Side, Tally};
//! use game::{Game, toy::{Take, TakeRules}};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//! use search::{Agent, Limits, Mcts, Random, Rollout, Stop};
//!
//! let a = Contender::new(Limits::nodes(100), |seed| {
//!     let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
//!     Box::new(Mcts::new(Rollout::new(rng.clone()), rng, Default::default())) as Box<dyn Agent<Take>>
//! });
//! let b = Contender::new(Limits::nodes(0), |seed| {
//!     Box::new(Random::new(Xoshiro256PlusPlus::seed_from_u64(seed))) as Box<dyn Agent<Take>>
//! });
//! let conditions = Conditions::new(Take::new(&TakeRules { tokens: 21, most: 3, seats: 2 }), 2);
//! let arena = Arena { threads: 2, ..Arena::new(conditions, vec![a, b]) };
//! let mut tally = Tally::new(2, None);
//! arena.play(&Schedule::of_match(2, 20, 1), Results::new(), &Stop::default(), |game| {
//!     tally.push(game.summary);
//!     Ok::<_, ()>(ControlFlow::Continue(()))
//! })?;
//! assert_eq!(tally.games(), 20);
//! assert!(tally.wins(Side::A) > tally.wins(Side::B));
//! # Ok::<(), arena::PlayError<()>>(())
//! ```
//!
//! A match is the smallest [`Schedule`]; round robin, gauntlet and Swiss system are played in the same way. Every game
//! is told as one [`GameSummary`], which tallies, ratings and the database share. [`Ratings`] are found from all games
//! at once, and a [`store::Store`] keeps participants, games and ratings in one file. Whoever wants more than results,
//! such as the policy of every decision, sets [`Arena::on_decision`].
//!
//! What is deliberately absent: how agents are written and built, the form of records, any concrete game, printing.
//!
//! Where to go next: [`Arena::play`], [`Tally`] for what a match tells, [`Sprt`] for stopping early, [`wilson`] and [`elo`],
//! [`Ratings`] for many participants, [`bouts`] for a gauntlet.

mod arena;
mod conditions;
mod cross;
mod decision;
mod gauntlet;
mod identity;
mod play;
mod rating;
mod ratings;
mod schedule;
mod seating;
mod sprt;
pub mod store;
mod summary;
mod swiss;
mod tally;

pub use arena::{Arena, DecisionHook, PlayError};
pub use conditions::Conditions;
pub use cross::{Cell, CrossTable};
pub use decision::Decision;
pub use gauntlet::{Bout, Placement, bouts};
pub use identity::{NO_NET, content_id, participant_id};
pub use play::{Contender, IllegalMove, Played, final_ranks, fingerprint};
pub use rating::{ELO_LIMIT, Interval, Z95, elo, expected_score, wilson};
pub use ratings::{Estimate, Placing, RatingConfig, RatingError, Ratings};
pub use schedule::{Fixture, Fixtures, Results, Schedule, ScheduleError, System, Tables};
pub use seating::{Points, Seating, Side};
pub use sprt::{BadHypotheses, Hypothesis, Sprt};
pub use summary::{Cost, End, GameSummary, SeatSummary};
pub use tally::{Lengths, Tally};
