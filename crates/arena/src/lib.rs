//! Matches between agents that measure honestly, generic over the game.
//!
//! A match is a row of rounds. A round is one random opening, played from all seats: with two seats a pair of games
//! with sides swapped, with more a rotation of each side alone among copies of the other. So neither a seat nor an
//! opening favours anybody. Game `i` is a function of the configuration, the seed and `i` alone; games run on all
//! cores and are counted in their order, so that the report does not depend on how many cores there were.
//!
//! ```
//! use arena::{Contender, Match, Side, Table, run};
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
//! let table = Table::new(Take::new(&TakeRules { tokens: 21, most: 3, seats: 2 }), 2);
//! let config = Match { games: 20, seed: 1, threads: 2, sprt: None };
//! let tally = run(&config, &table, [&a, &b], Vec::new(), &Stop::default(), |_game, _so_far| Ok::<(), ()>(()))?;
//! assert_eq!(tally.games(), 20);
//! assert!(tally.wins(Side::A) > tally.wins(Side::B));
//! # Ok::<(), arena::MatchError<()>>(())
//! ```
//!
//! More than two meet in a [`Schedule`] (round robin, gauntlet, Swiss), which [`play_schedule`] plays in the same
//! way. [`Ratings`] are found from all games at once, and a [`store::Store`] keeps participants, games and ratings in
//! one file.
//!
//! What is deliberately absent: how agents are written and built, the form of records, any concrete game, printing.
//!
//! Where to go next: [`run`], [`Tally`] for what a match tells, [`Sprt`] for stopping early, [`wilson`] and [`elo`],
//! [`Ratings`] for many participants, [`bouts`] for a gauntlet.

mod cross;
mod gauntlet;
mod identity;
mod play;
mod rating;
mod ratings;
mod run;
mod schedule;
mod seating;
mod sprt;
pub mod store;
mod swiss;
mod tally;
mod tournament;

pub use cross::{Cell, CrossTable};
pub use gauntlet::{Bout, GauntletGame, Placement, bouts};
pub use identity::{NO_NET, content_id, participant_id};
pub use play::{Contender, Cost, IllegalMove, Played, Seated, Spent, Summary, Table, fingerprint};
pub use rating::{ELO_LIMIT, Interval, Z95, elo, expected_score, wilson};
pub use ratings::{Estimate, Placing, RatingConfig, RatingError, Ratings};
pub use run::{Match, MatchError, run};
pub use schedule::{Fixture, Results, Schedule, ScheduleError, System, Tables};
pub use seating::{Points, Seating, Side};
pub use sprt::{BadHypotheses, Decision, Sprt};
pub use tally::{Lengths, Tally};
pub use tournament::play_schedule;
