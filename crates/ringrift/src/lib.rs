//! The rules of RingRift on four boards, for two to four seats.
//!
//! A [`Position`] is a flat value over a board's [`Geometry`]; it implements [`game::Game`] and with it everything
//! a search needs. All of the rules are here and nothing else: no files, no clock, no randomness, no floats.
//!
//! ```
//! use game::{Game, Notation};
//! use ringrift::{Phase, Position, Rules, Square8};
//!
//! let mut position = Position::<Square8>::new(&Rules::new(2));
//! for text in ["++d4", "d4-d6", "no-line", "no-territory"] {
//!     let m = position.parse_move(text)?;
//!     position.play(m)?;
//! }
//! assert_eq!(position.to_move().number(), 2);
//! assert_eq!(position.phase(), Phase::RingPlacement);
//! // The stack left a marker behind:
//! //   6  .   .   .   11
//! //   5  .   .   .   .
//! //   4  .   .   .   *1
//! assert!(position.draw().contains("4  .   .   .   *1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The map of the crate: `geometry`, `bits`, `sight` and `stack` are the board's machinery; `position` holds the
//! state and its elementary changes; `placement`, `movement`, `line`, `territory`, `recovery` and `turn` are the
//! rules, a file a family; `check` says why a move is refused; `notation`, `setup`, `draft`, `draw`,
//! `words` and `interchange` turn positions and moves into text and back; `symmetry` and `ranking` are what they say.
//!
//! Rule numbers such as R101 are those of the published rules. Where the published text and the reference engine
//! differ, the reference is followed, except where [`Rules`] offers the choice. `docs/games/ringrift.md` explains the
//! game, the notation and the deviations.

mod bits;
mod board;
mod check;
mod draft;
mod draw;
mod geometry;
mod interchange;
mod line;
mod movement;
mod moves;
mod notation;
mod placement;
mod play;
mod position;
mod ranking;
mod recovery;
mod rules;
mod setup;
mod sight;
mod stack;
mod symmetry;
mod territory;
mod turn;
mod words;

pub use bits::{Bits, Rows};
pub use board::{Board, UnknownBoard};
pub use check::Illegal;
pub use draft::{Draft, Part};
pub use geometry::{BoardVisitor, Cell, Direction, Geometry, Hex8, Hexagonal, Square8, Square19};
pub use interchange::{cell_key, digest, parse_cell_key};
pub use moves::{Kind, Move, Pass};
pub use notation::{cell_name, parse_cell_name};
pub use position::{Change, Content, End, Owes, Phase, Position, Reason, Standing, Swap};
pub use rules::{Goals, RecoveryRule, Rules, UnknownName, Variant};
pub use sight::{LineWord, OnLine, View};
pub use stack::{BadStack, Stack};
