//! The vocabulary that every game and every search in riftlab shares.
//!
//! A [`Game`] is a position: a flat value that is cheap to clone, knows whose decision comes next, lists the
//! legal moves, plays one of them and names the [`Outcome`] when there is one. Everything else here is small
//! and separate, so that a new game can start playing before it has a notation or symmetries.
//!
//! ```
//! use game::{Game, toy::{Take, TakeRules}};
//!
//! // Five tokens, at most three per turn, two seats; a turn is a chain of single-token decisions.
//! let mut position = Take::new(&TakeRules { tokens: 5, most: 3, seats: 2 });
//! let mut moves = Vec::new();
//! position.legal_moves(&mut moves);
//! assert_eq!(moves.len(), 1, "a turn has to take something");
//!
//! let seat = position.to_move();
//! position.play(moves[0])?;
//! assert_eq!(position.to_move(), seat, "the same seat decides again: take more, or stop");
//! # Ok::<(), game::toy::TakeFault>(())
//! ```
//!
//! What is deliberately absent: files, clocks, threads, logging and ambient randomness (generators are passed
//! in), and any assumption that seats alternate. A turn may be a chain of decisions by one seat, so nothing
//! outside a game may infer the mover, or the sign of a value, from the number of moves played.
//!
//! Where to go next: [`Game`] itself, [`testkit`] for the checks every game has to pass, [`toy`] for a game
//! with known values to test searches on.

mod contract;
mod evaluate;
mod forfeit;
mod notation;
mod observer;
mod outcome;
mod perft;
mod places;
mod random;
mod seat;
mod symmetry;
pub mod testkit;
pub mod toy;

pub use contract::Game;
pub use evaluate::{Afresh, Evaluate, Follow};
pub use forfeit::{Forfeit, ForfeitKind};
pub use notation::{Fault, Faults, Notation, Setup};
pub use observer::Observer;
pub use outcome::{Outcome, Values};
pub use perft::{perft, perft_split};
pub use places::Places;
pub use random::{pick, play_out};
pub use seat::{MAX_SEATS, Seat};
pub use symmetry::Symmetry;
