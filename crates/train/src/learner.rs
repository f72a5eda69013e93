//! What the training loop asks of the networks it trains and of the rows they learn from.

use std::collections::BTreeMap;

use nn::{ModelFile, PvNet};
use record::GameRecord;

use crate::TrainError;

/// Weights in named groups, or gradients of weights.
pub trait Parameters: Clone + Send + Sync {
    /// Every group with its name, in the order of [`Parameters::parameters_mut`].
    fn parameters(&self) -> Vec<(String, &[f32])>;

    /// The same groups to change.
    fn parameters_mut(&mut self) -> Vec<&mut [f32]>;
}

impl Parameters for PvNet<f32> {
    fn parameters(&self) -> Vec<(String, &[f32])> {
        PvNet::parameters(self).into_iter().map(|(name, _, weights)| (name, weights)).collect()
    }

    fn parameters_mut(&mut self) -> Vec<&mut [f32]> {
        PvNet::parameters_mut(self)
    }
}

/// Rows in memory.
pub trait RowStore: Send + Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory that the rows take, in bytes.
    fn bytes(&self) -> usize;

    /// Adds all rows of `other` behind the others.
    fn append(&mut self, other: Self);
}

/// From games to rows.
pub trait RowEncoder: Sync {
    /// How rows are stored.
    type Rows: RowStore;

    /// A store without rows.
    fn no_rows(&self) -> Self::Rows;

    /// Adds the rows of a game of folder number `folder`.
    ///
    /// # Errors
    /// If the game cannot be encoded.
    fn encode(&self, folder: usize, game: &GameRecord, rows: &mut Self::Rows) -> Result<(), TrainError>;
}

/// A kind of network that learns from rows.
pub trait Learner: Sync {
    /// The network.
    type Net: Parameters;
    /// The rows.
    type Rows: RowStore;
    /// What one thread computes with.
    type Worker: Send;

    /// A network of zeros.
    fn zeros(&self) -> Self::Net;

    /// The buffers of one thread, with a gradient.
    fn worker(&self) -> Self::Worker;

    /// The gradient that a worker found.
    fn gradient(worker: &mut Self::Worker) -> &mut Self::Net;

    /// The number of symmetries under which a row is learned; at least 1.
    fn symmetries(&self, rows: &Self::Rows, row: usize) -> usize;

    /// Sums up the losses of some rows, each under one of its symmetries, and leaves the sum of their gradients with the
    /// worker.
    fn learn(
        &self,
        net: &Self::Net,
        rows: &Self::Rows,
        batch: &[(u32, u8)],
        worker: &mut Self::Worker,
    ) -> LossSum;

    /// Completes a step: called with the network after the optimiser has changed its parameters at this learning rate.
    fn end_step(&self, _net: &mut Self::Net, _rate: f32) {}

    /// Writes the loss of row `first` and those after it, and returns what else there is to say about them. Every call
    /// returns the same names in the same order.
    fn losses(
        &self,
        net: &Self::Net,
        rows: &Self::Rows,
        first: usize,
        losses: &mut [f32],
        worker: &mut Self::Worker,
    ) -> Vec<Measure>;

    /// The names of the [`Measure`]s.
    fn measures(&self) -> &'static [&'static str] {
        &[]
    }

    /// The network as a file.
    ///
    /// # Errors
    /// If it cannot be played with.
    fn model(&self, net: &Self::Net, provenance: BTreeMap<String, String>) -> Result<ModelFile, TrainError>;
}

/// A sum of losses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LossSum {
    /// The sum.
    pub loss: f64,
    /// The weights of the rows in it.
    pub weight: f64,
}

/// A sum over rows whose mean says something about a network, such as how often it finds the best move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// The sum.
    pub sum: f64,
    /// The weights of the rows in it.
    pub weight: f64,
}

impl Measure {
    /// The mean; 0 if there are no rows.
    pub fn mean(&self) -> f32 {
        if self.weight > 0.0 { (self.sum / self.weight) as f32 } else { 0.0 }
    }
}
