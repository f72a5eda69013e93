//! Puzzles: positions of recorded games in which exactly one way reaches a goal, proven by looking at every other.
//!
//! [`from_game`] finds them in records; a set of them is compiled in. Nothing in a proof is a guess: every reply is
//! examined until the goal is reached or out of reach.

mod find;
mod goal;
mod judge;
mod proof;
mod puzzle;
#[cfg(test)]
mod tests;

pub use find::{Finder, from_game};
pub use goal::Goal;
pub use judge::{Attempt, attempt};
pub use proof::{Solution, Task, TooHard};
pub use puzzle::{ListedPuzzle, Puzzle, PuzzleView, all, named};
