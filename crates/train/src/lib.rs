//! Training networks from self-play games.
//!
//! [`Training`] is the loop: it takes rows from a [`Source`], lets a [`Learner`] compute losses and gradients, takes the
//! steps of a [`Trainer`] and writes a model file; an interrupted run continues from its checkpoint, on one thread to the
//! same bytes. A kind of network is a [`Learner`] for its gradients and a [`RowEncoder`] for its rows. A run writes its
//! curves as a table, as TensorBoard events and as a drawing; [`svg`] draws any [`Chart`].
//!
//! [`run`] trains an efficiently updatable network: [`FeatureEncoder`] makes [`Rows`] of features, [`NnueLearner`] learns
//! from them, [`Encoding`] says which features a board has.
//!
//! [`run_pv`] trains a policy and value network of either game: [`PvRowEncoder`] makes [`PvRows`] of positions, which
//! [`PvLearner`] encodes when it learns from them.
//!
//! [`run_gmo`] trains a network of gradient move optimisation: [`GmoRowEncoder`] makes [`GmoRows`] of positions with labelled
//! moves. [`run_ebmo`] trains one of energies on the rows of policy and value networks.
//!
//! [`pipeline`] is the whole learning loop. [`export`] writes games and rows in formats of other programs.
//!
//! Deliberately absent: the network and its gradients (the crate `nn`), the features (the crate `eval`), self-play, and
//! printing.

mod checkpoint;
mod curves;
mod ebmo;
mod encoding;
mod error;
pub mod export;
mod factoriser;
mod gmo;
#[cfg(test)]
mod gradient_tests;
mod growth;
mod learner;
mod nnue;
pub mod pipeline;
mod pv;
mod rows;
mod run;
mod source;
#[cfg(test)]
mod tests;
mod trainer;
mod training;

pub use curves::{Chart, Point, Series, svg};
pub use ebmo::{EbmoLearner, EbmoObjective, EbmoRunOptions, EbmoWorker, run_ebmo};
pub use encoding::{Encoder, Encoding, Example, Labels};
pub use error::TrainError;
pub use factoriser::{FactorisedNnue, Factoriser};
pub use gmo::{
    Calibration, CalibrationOptions, Climbs, Examination, GmoLabelOptions, GmoLearner, GmoRow, GmoRowEncoder,
    GmoRows, GmoRunOptions, GmoWorker, calibrate, run_gmo,
};
pub use learner::{Learner, LossSum, Measure, Parameters, RowEncoder, RowStore};
pub use nnue::{FeatureEncoder, NnueLearner, NnueWorker, SourceOptions};
pub use pv::{PvLabels, PvLearner, PvPlanes, PvRowEncoder, PvRows, PvRunOptions, PvWorker, run_pv};
pub use rows::{MAX_SEATS, Row, Rows};
pub use run::{RunOptions, run};
pub use source::{ReadOptions, Source, SourceGame};
pub use trainer::{StepReport, TrainOptions, Trainer, Workers};
pub use training::{Finished, Progress, Training, run_folder};
