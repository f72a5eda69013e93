//! The rules of Go on boards of two to nineteen lines, and what can be said about positions without playing well.
//!
//! A [`Position`] is a flat value over a [set of points](Points); it implements [`game::Game`] and with it everything
//! a search needs. Rules are decided in whole numbers: komi and scores count half points.
//!
//! ```
//! use game::{Game, Notation};
//! use go::{Illegal, Position, Rules, Small};
//!
//! let mut position = Position::<Small>::new(&Rules::new(4));
//! for text in ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"] {
//!     let m = position.parse_move(text)?;
//!     position.play(m)?;
//! }
//! // White has just taken the stone on C2:
//! //   4 . . . .
//! //   3 . X O .
//! //   2 X O . O
//! //   1 . X O .
//! //     A B C D
//! let retake = position.parse_move("C2")?;
//! let refusal = position.check(retake).unwrap_err();
//! assert_eq!(refusal.to_string(), "a stone on C2 would recreate the board after move 7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The map of the crate: `point`, `points` and `zobrist` are the machinery; `board` holds the stones; `history` and
//! `position` add whose turn it is and what may not be repeated; `check` says why a move is refused; `score`,
//! `handicap`, `rules` and `result` are what they say; `notation`, `setup`, `draw` and [`sgf`] turn games into text and
//! back. `life`, `ladder`, `verdict` and `features` describe positions, `playout` plays them to the end at random, [`solve`]
//! proves values of small boards, [`proven`] keeps late positions with the value of every move.
//!
//! What is deliberately absent: playing well, clocks, files and protocols. Resigning is no move; a [`GameResult`]
//! knows it. `docs/games/go.md` explains the rules as implemented, the options and the texts.

mod board;
mod check;
mod draw;
mod features;
pub mod handicap;
mod history;
mod ladder;
mod life;
mod notation;
mod on_size;
mod playout;
mod point;
mod points;
mod position;
pub mod proven;
mod result;
mod rules;
mod score;
mod setup;
pub mod sgf;
pub mod solve;
mod symmetry;
mod verdict;
mod zobrist;

pub use board::Board;
pub use check::Illegal;
pub use features::Features;
pub use life::Life;
pub use playout::{CarefulPlayouts, Finished, Light, Playouts};
pub use point::{Colour, Move, Point};
pub use points::{Large, Medium, Points, PointsVisitor, Small};
pub use position::{BadStart, Change, Position, Start};
pub use result::GameResult;
pub use rules::{BadKomi, Ko, Komi, Rules, Scoring, UnknownName};
pub use score::{Score, Verdict};
pub use symmetry::{SYMMETRIES, image, inverse};
