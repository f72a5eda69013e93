//! Self-play games in formats of other programs.
//!
//! [`write_jsonl`] writes games in the training format of the reference service, which `riftlab import` reads. [`write_npz`]
//! writes the rows that training uses as arrays for `NumPy`. Both write to a temporary file that is renamed when complete.

mod jsonl;
mod npz;
#[cfg(test)]
mod tests;

pub use jsonl::write_jsonl;
pub use npz::write_npz;

/// What an export wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// The number of games.
    pub games: u64,
    /// The number of moves, or of rows.
    pub rows: u64,
}
