//! Small boards, solved: values by area, without komi.
//!
//! Two tools. A [`Table`] works backwards over all positions of a board of up to four lines and knows bounds that no
//! history can change. A [`Solver`] searches one position with its history, under its own rules, and may lean on a
//! table. `cargo run --release -p go --example solve` prints what they find.
//!
//! What is absent: the empty board of five lines. Its value is known from others' work, but not proved here.

mod search;
mod table;

#[cfg(test)]
mod tests;

pub use search::{OutOfNodes, Solver};
pub use table::{Bounds, Table};
