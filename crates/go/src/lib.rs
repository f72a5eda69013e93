//! The rules of Go on boards of two to nineteen lines.
mod board;
mod check;
mod draw;
pub mod handicap;
mod history;
mod life;
mod notation;
mod playout;
mod point;
mod points;
mod position;
mod rules;
mod score;
mod setup;
pub mod solve;
mod symmetry;
mod zobrist;

pub use board::Board;
pub use check::Illegal;
pub use life::Life;
pub use playout::{Finished, Light, Playouts};
pub use point::{Colour, Move, Point};
pub use points::{Large, Medium, Points, Small};
pub use position::{BadStart, Change, Position, Start};
pub use rules::{BadKomi, Ko, Komi, Rules, Scoring, UnknownName};
pub use score::{Score, Verdict};
pub use symmetry::{SYMMETRIES, image, inverse};
