//! Puzzles: positions of recorded games in which exactly one way reaches a goal, proven by looking at every other.
//!
//! `riftlab puzzles` [finds](from_game) them in records; the set that the service offers is compiled in. Nothing in a
//! proof is a guess: every reply is looked at until the goal is reached or out of reach.

mod find;
mod goal;
mod judge;
mod proof;
mod puzzle;
#[cfg(test)]
mod tests;

pub use find::{Finder, from_game};
pub use goal::Goal;
pub(crate) use judge::{Attempt, attempt};
pub use proof::{Solution, Task, TooHard};
pub use puzzle::Puzzle;
pub(crate) use puzzle::{ListedPuzzle, PuzzleView, all, named};
