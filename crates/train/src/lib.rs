//! How networks learn: rows of features, batches, the training loop.
//!
//! What is deliberately absent: games (rows come ready-made from whoever replays them), files and printing.

mod rows;
mod trainer;

pub use rows::{MAX_SEATS, Row, Rows};
pub use trainer::{Progress, TrainError, TrainOptions, Trainer};
