//! Puzzles: positions from recorded games with a goal and exactly one solution, which is proven exhaustively.
//!
//! [`Finder`] finds puzzles in records; a set of them is compiled in. A proof examines every reply until the goal is
//! reached or missed, without heuristics.

mod find;
mod goal;
mod judge;
mod proof;
mod puzzle;
#[cfg(test)]
mod tests;

pub use find::Finder;
pub use goal::Goal;
pub use judge::{Attempt, attempt};
pub use proof::{Solution, Task, TooHard};
pub use puzzle::{ListedPuzzle, Puzzle, PuzzleView, all, named};
