//! Networks of gradient move optimisation in the training loop.

use std::collections::BTreeMap;

use eval::GmoImage;
use game::derive_seed;
use nn::{
    DropoutMasks, GmoInput, GmoKernels, GmoLossWeights, GmoLosses, GmoNet, GmoPoints, GmoShape, GmoWorkspace,
    ModelFile,
};
use rand::Rng;

use super::rows::{GmoRow, GmoRows};
use crate::{
    Learner, LossSum, Measure, Parameters, TrainError,
    source::{generator, unit_interval},
};

/// Networks of one shape.
///
/// Its loss is the negative logarithm of the likelihood, and the cross-entropy of the order of moves. The gradient is of the
/// other outputs, too.
#[derive(Clone, Debug)]
pub struct GmoLearner {
    /// The shape.
    pub shape: GmoShape,
    /// The id of the encoder, as in model files.
    pub encoder: String,
    /// How much the parts of the loss count.
    pub weights: GmoLossWeights,
    /// The share of neurons that is dropped.
    pub dropout: f64,
    /// The seed of what is dropped.
    pub seed: u64,
    /// Where inputs go under each symmetry of the board.
    pub images: Vec<GmoImage>,
}

/// What one thread computes with.
pub struct GmoWorker {
    gradient: GmoNet<f32>,
    inputs: Vec<GmoInput>,
    masks: DropoutMasks<f32>,
    noise: Vec<f32>,
    workspace: GmoWorkspace<f32>,
}

/// Positions that are learned from at a time, few enough for the cache.
const AT_A_TIME: usize = 16;

/// Masks of one batch, which its moves use in turn.
const MASKS: usize = 64;

/// Random numbers that disturb embeddings, used in turn. A prime, so that positions differ.
const NOISE: usize = 4093;

/// What is measured on games that are not trained on: the squared error, how often the most probable move is found, by how
/// much the found one is worse where all are valued, the squared error of the expected squared error, the number of moves of
/// a position, the negative logarithm of the likelihood, and the cross-entropy of the order of moves.
const MEASURES: &[&str] =
    &["squared_error", "accuracy", "regret", "own_error", "moves", "likelihood", "ranking"];

impl Parameters for GmoNet<f32> {
    fn parameters(&self) -> Vec<(String, &[f32])> {
        GmoNet::parameters(self).into_iter().map(|(name, _, weights)| (name, weights)).collect()
    }

    fn parameters_mut(&mut self) -> Vec<&mut [f32]> {
        GmoNet::parameters_mut(self)
    }
}

impl Learner for GmoLearner {
    type Net = GmoNet<f32>;
    type Rows = GmoRows;
    type Worker = GmoWorker;

    fn zeros(&self) -> GmoNet<f32> {
        GmoNet::zeros(&self.shape)
    }

    fn worker(&self) -> GmoWorker {
        GmoWorker {
            gradient: self.zeros(),
            inputs: Vec::new(),
            masks: DropoutMasks::default(),
            noise: Vec::new(),
            workspace: GmoWorkspace::default(),
        }
    }

    fn gradient(worker: &mut GmoWorker) -> &mut GmoNet<f32> {
        &mut worker.gradient
    }

    fn symmetries(&self, rows: &GmoRows, row: usize) -> usize {
        usize::from(rows.rows[row].symmetries).min(self.images.len()).max(1)
    }

    fn learn(
        &self,
        net: &GmoNet<f32>,
        rows: &GmoRows,
        batch: &[(u32, u8)],
        worker: &mut GmoWorker,
    ) -> LossSum {
        let GmoWorker { gradient, inputs, masks, noise, workspace } = worker;
        gradient.parameters_mut().into_iter().for_each(|group| group.fill(0.0));
        // What is dropped depends on the batch alone, so that a resumed run drops the same.
        let key = batch.iter().fold(0, |key, &(row, symmetry)| derive_seed(key, row.into(), symmetry.into()));
        let mut rng = generator(self.seed, key, 3);
        masks.draw(self.shape.hidden, MASKS, self.dropout, &mut || rng.next_u64());
        noise.clear();
        noise.extend((0..NOISE).map(|_| {
            // The sum of twelve uniform numbers is normal enough to disturb an embedding.
            (0..12).map(|_| unit_interval(rng.next_u64()) as f32).sum::<f32>() - 6.0
        }));
        inputs.resize_with(inputs.len().max(AT_A_TIME), GmoInput::default);
        let kernels = GmoKernels::new(net.clone());
        let mut losses = GmoLosses::default();
        for some in batch.chunks(AT_A_TIME) {
            for (&(row, symmetry), input) in some.iter().zip(inputs.iter_mut()) {
                self.images[usize::from(symmetry)].apply(&rows.rows[row as usize].input, input);
            }
            let labels = some.iter().map(|&(row, _)| &rows.rows[row as usize].labels);
            let positions: Vec<_> = inputs.iter().zip(labels).collect();
            losses.add(&kernels.accumulate(&positions, &self.weights, masks, noise, gradient, workspace));
        }
        let loss = losses.likelihood + self.weights.ranking * losses.ranking.0;
        LossSum { loss, weight: losses.weight }
    }

    fn losses(
        &self,
        net: &GmoNet<f32>,
        rows: &GmoRows,
        first: usize,
        losses: &mut [f32],
        worker: &mut GmoWorker,
    ) -> Vec<Measure> {
        let mut measures = vec![Measure { sum: 0.0, weight: 0.0 }; MEASURES.len()];
        let kernels = GmoKernels::new(net.clone());
        worker.masks.nothing(self.shape.hidden);
        let (mut points, mut told) = (Vec::new(), GmoPoints::default());
        for (row, loss) in rows.rows[first..].iter().zip(losses) {
            kernels.begin(&row.input, &mut points, &mut worker.workspace);
            kernels.forward(&points, &worker.masks, &mut told, &mut worker.workspace);
            *loss = measure(row, &told, &self.weights, &mut measures);
        }
        measures
    }

    fn measures(&self) -> &'static [&'static str] {
        MEASURES
    }

    fn model(
        &self,
        net: &GmoNet<f32>,
        provenance: BTreeMap<String, String>,
    ) -> Result<ModelFile, TrainError> {
        Ok(net.to_file(&self.encoder, provenance, &[]))
    }
}

/// The loss of one row, whose parts are added to the measures.
fn measure(row: &GmoRow, told: &GmoPoints<f32>, weights: &GmoLossWeights, measures: &mut [Measure]) -> f32 {
    let mut add = |index: usize, value: f64, weight: f64| {
        measures[index].sum += weight * value;
        measures[index].weight += weight;
    };
    let (labels, mut sum, mut total) = (&row.labels, 0.0, 0.0);
    for (m, (&label, &weight)) in labels.values.iter().zip(&labels.weights).enumerate() {
        let squared = (told.values[m] - label).powi(2);
        sum += weight * ((-told.log_variances[m]).exp() * squared + told.log_variances[m]);
        total += weight;
        add(0, squared.into(), weight.into());
        add(3, f64::from(told.errors[m] - squared).powi(2), weight.into());
    }
    let likelihood = if total > 0.0 { sum / total } else { 0.0 };
    let mut ranking = 0.0;
    if labels.values.len() > 1 {
        let goal = labels.goal(weights.temperature);
        let (found, best) = (best(&told.values), best(&goal));
        add(1, f64::from(u8::from(goal[found] >= goal[best])), 1.0);
        if labels.policy.is_empty() {
            add(2, f64::from(labels.values[best] - labels.values[found]), 1.0);
        }
        ranking = nn::ranking_cross_entropy(&told.values, &goal, weights.temperature);
        add(6, ranking.into(), 1.0);
    }
    add(4, labels.values.len() as f64, 1.0);
    add(5, likelihood.into(), 1.0);
    likelihood + weights.ranking as f32 * ranking
}

/// The index of the largest number, the first of equal ones.
fn best(numbers: &[f32]) -> usize {
    let mut best = 0;
    for (index, &number) in numbers.iter().enumerate() {
        if number > numbers[best] {
            best = index;
        }
    }
    best
}
