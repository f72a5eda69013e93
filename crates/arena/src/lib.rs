//! Matches, tournaments and ratings of agents, generic over the game.
//!
//! A match consists of rounds. A round is one opening played from all seats: with two seats, a pair of games with sides
//! swapped; with more, every side alone in every seat among copies of the other. Neither seats nor openings therefore
//! favour a side. Openings are random, and can be [balanced](Balance), since an opening that decides both games of a
//! pair says nothing about the sides. Game `i` depends only on the configuration, the seed and `i`; games run on several threads
//! and are counted in order, so that results do not depend on the number of threads.
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
//! A match is the smallest [`Schedule`]; round robins, gauntlets and Swiss tournaments are played in the same way.
//! Every game has a [`GameSummary`], which tallies, ratings and the database share. [`Ratings`] are computed from all
//! games at once, and a [`store::Store`] stores participants, games and ratings in one file. [`Arena::on_decision`]
//! gives access to every decision, including its policy.
//!
//! Deliberately absent: agent specs and construction, the format of records, concrete games, and printing.
//!
//! Start with [`Arena::play`]. [`Tally`] has the results of a match, [`Sprt`] stops a match early, [`wilson`] and
//! [`elo`] convert scores, [`Ratings`] rate many participants, and [`bouts`] summarises a gauntlet.

mod arena;
mod conditions;
mod cross;
mod decision;
mod gauntlet;
mod identity;
mod in_order;
mod opening;
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
pub use in_order::{Jobs, in_order, in_order_by};
pub use opening::{Balance, advantage};
pub use play::{Contender, IllegalMove, Played, final_ranks, fingerprint};
pub use rating::{ELO_LIMIT, Interval, Z95, elo, expected_score, wilson};
pub use ratings::{Estimate, Placing, RatingConfig, RatingError, Ratings};
pub use schedule::{Fixture, Fixtures, Results, Schedule, ScheduleError, System, Tables};
pub use seating::{Points, Seating, Side};
pub use sprt::{Hypothesis, Sprt, SprtError};
pub use summary::{Cost, End, GameSummary, SeatSummary};
pub use tally::{Lengths, Tally};
