//! Solving small boards: values by area scoring without komi.
//!
//! A [`Table`] holds bounds for all positions of a board up to 4×4, computed by retrograde analysis and independent of
//! any history. A [`Solver`] searches one position with its history, under its own rules, and may use a table. A
//! [`Solution`] has the values of a position and of its moves, which `riftlab solve go` prints.
//!
//! The empty 5×5 board is not solved here, although its value has been published.

mod search;
mod solution;
mod table;

#[cfg(test)]
mod tests;

pub use search::{OutOfNodes, Solver};
pub use solution::Solution;
pub use table::{Bounds, Table};
