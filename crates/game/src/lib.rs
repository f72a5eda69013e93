//! The vocabulary that every game and every search in riftlab shares.
//!
//! A [`Game`] is a position: a flat value that is cheap to clone, knows which seat is to move, lists the legal moves,
//! plays one of them and reports the [`Outcome`] when the game is over. The other traits are small and separate, so
//! that a new game is playable before it has a notation or symmetries.
//!
//! ```
//! use game::{Game, toy::{Take, TakeRules}};
//!
//! // Five tokens, at most three per turn, two seats; a turn is a chain of single-token decisions.
//! let mut position = Take::new(&TakeRules { tokens: 5, most: 3, seats: 2 });
//! let mut moves = Vec::new();
//! position.legal_moves(&mut moves);
//! assert_eq!(moves.len(), 1, "a turn takes at least one token");
//!
//! let seat = position.to_move();
//! position.play(moves[0])?;
//! assert_eq!(position.to_move(), seat, "the same seat decides again: take more, or stop");
//! # Ok::<(), game::toy::TakeFault>(())
//! ```
//!
//! Deliberately absent: files, clocks, threads, logging and ambient randomness (generators are passed in), and any
//! assumption that seats alternate. A turn may be a chain of decisions by one seat, so nothing outside a game may infer
//! the mover, or the sign of a value, from the number of moves played.
//!
//! Start with [`Game`]. [`Evaluator`] is the interface between searches and whatever evaluates positions, [`MoveField`] that
//! between agents that follow gradients and whatever embeds moves, [`testkit`]
//! has the checks that every game must pass, and [`toy`] is a game with known values for testing searches.

mod contract;
mod evaluator;
mod forfeit;
mod move_field;
mod notation;
mod observer;
mod outcome;
mod perft;
mod random;
mod seat;
mod seat_permutation;
mod symmetry;
pub mod testkit;
pub mod toy;

pub use contract::Game;
pub use evaluator::{
    Accumulator, CacheCounts, Cached, EagerLine, Evaluation, Evaluator, FromScratch, LazyLine, LineEvaluator,
    Request, StaticEvaluator, ValuesOnly, Wants, cleared, evaluate_in_pieces, identity_of,
};
pub use forfeit::{Forfeit, ForfeitKind};
pub use move_field::{FieldView, MoveField};
pub use notation::{Fault, Faults, Notation, Setup};
pub use observer::Observer;
pub use outcome::{Outcome, Values};
pub use perft::{perft, perft_split};
pub use random::{derive_seed, pick, play_out};
pub use seat::{MAX_SEATS, Seat};
pub use seat_permutation::SeatPermutation;
pub use symmetry::Symmetry;
