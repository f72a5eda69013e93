//! Training networks from self-play games.
//!
//! [`run`] reads folders of games, trains a network and writes a model file; an interrupted run continues from its
//! checkpoint, on one thread to the same bytes. [`Source`] turns games into [`Rows`] of features, [`Trainer`] takes the
//! steps, [`Encoding`] says which features a board has. A run writes its curves as a table, as TensorBoard events and as
//! a drawing; [`svg`] draws any [`Chart`].
//!
//! [`pipeline`] is the whole learning loop. [`export`] writes games and rows in formats of other programs.
//!
//! Deliberately absent: the network and its gradients (the crate `nn`), the features (the crate `eval`), self-play, and
//! printing.

mod checkpoint;
mod curves;
mod encoding;
mod error;
pub mod export;
mod factoriser;
pub mod pipeline;
mod rows;
mod run;
mod source;
#[cfg(test)]
mod tests;
mod trainer;

pub use curves::{Chart, Point, Series, svg};
pub use encoding::{Encoder, Encoding, Example, Labels};
pub use error::TrainError;
pub use factoriser::Factoriser;
pub use rows::{MAX_SEATS, Row, Rows};
pub use run::{Finished, Progress, RunOptions, run, run_folder};
pub use source::{Source, SourceGame, SourceOptions};
pub use trainer::{StepReport, TrainOptions, Trainer, Workers};
