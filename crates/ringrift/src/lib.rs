//! The rules of RingRift on four boards, for two to four seats.
//!
//! A [`Position`] is a flat value, generic over the board's [`Geometry`]. It implements [`game::Game`], which is all
//! that a search needs. The crate holds the rules and nothing else: no files, no clock, no randomness, no floats.
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
//! A map of the crate: `geometry`, `bits`, `rays` and `stack` are the board representation; `position` holds the
//! state and its elementary changes; `placement`, `movement`, `line`, `territory`, `recovery` and `turn` implement
//! the rules, one family per file; `check` explains why a move is illegal; `notation`, `setup`, `draft`, `draw`,
//! and `words` convert positions and moves to text and back; `move_cells` finds the cells that a move concerns;
//! `symmetry` maps positions and moves onto their images, and `ranking` orders the seats when the game is over.
//!
//! Rule numbers such as R101 are those of the published rules. Where the published text and the reference engine
//! differ, this crate follows the reference engine, unless [`Rules`] offers a choice. `docs/games/ringrift.md`
//! explains the game, the notation and the deviations.

mod bits;
mod board;
mod check;
mod draft;
mod draw;
mod geometry;
mod line;
mod move_cells;
mod movement;
mod moves;
mod notation;
mod placement;
mod play;
mod position;
mod ranking;
mod rays;
mod recovery;
mod rules;
mod setup;
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
pub use moves::{Kind, Move, Pass};
pub use notation::{cell_name, parse_cell_name};
pub use position::{Change, Content, End, Owes, Phase, Position, Reason, Standing, Swap};
pub use rays::{LinePosition, LineWord, Ray};
pub use rules::{Goals, PartialRules, RecoveryRule, Rules, UnknownName, Variant};
pub use stack::{BadStack, Stack};
