//! The rules of Go on boards from 2×2 to 19×19, with playouts, unconditional life and solvers for small boards.
//!
//! A [`Position`] is generic over a [set of points](Points). It implements [`game::Game`], which is all that a search
//! needs. The rules use integers only: komi and scores count half points.
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
//! A map of the crate: `point`, `points` and `zobrist` are the basic types; `board` holds the stones; `history` and
//! `position` add the colour to move and the boards that may not be repeated; `check` explains why a move is illegal;
//! `rules`, `handicap`, `score` and `result` cover options, handicap stones, scoring and results; `notation`, `setup`,
//! `draw` and [`sgf`] convert games to text and back. `life`, `ladder`, `verdict` and `features` analyse positions,
//! `playout` plays them to the end at random, [`solve`] proves the values of small boards, and [`proven`] holds endgame
//! positions with the value of every move.
//!
//! The crate deliberately contains no agents, clocks, files or protocols. Resigning is not a move, but [`GameResult`]
//! represents it. `docs/games/go.md` describes the rules as implemented, the options and the text formats.

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
pub use playout::{CarefulPlayouts, PlayoutBoard, PlayoutResult, Playouts, move_priors};
pub use point::{Colour, Move, Point};
pub use points::{Large, Medium, Points, PointsVisitor, Small};
pub use position::{BadStart, Change, Position, Start};
pub use result::GameResult;
pub use rules::{BadKomi, Ko, Komi, PartialRules, Rules, Scoring, UnknownName};
pub use score::{Score, Verdict};
pub use symmetry::{SYMMETRIES, image, inverse};
