//! Policy and value networks in the training loop.

use std::collections::BTreeMap;

use nn::{
    Grid, ModelFile, PvInput, PvKernels, PvLosses, PvNet, PvOutput, PvShape, PvShards, PvTarget, PvWeights,
    PvWorkspace, softmax_cross_entropy,
};

use super::rows::PvRows;
use crate::{Learner, LossSum, MAX_SEATS, Measure, RowStore, TrainError};

/// Networks of one shape for the boards of some folders.
///
/// Its loss is that of the value and of the policy, which are what plays. The gradient is of the other outputs, too.
#[derive(Clone, Debug)]
pub struct PvLearner {
    /// The shape.
    pub shape: PvShape,
    /// The id of the encoder, as in model files.
    pub encoder: String,
    /// How much the parts of the loss count.
    pub weights: PvWeights,
    /// The most symmetries under which a row is learned; 1 for the position as it is.
    pub symmetries: usize,
    /// The boards that differ, and which of them each folder has.
    pub(super) grids: Vec<Grid>,
    pub(super) folders: Vec<usize>,
}

/// What one thread computes with.
pub struct PvWorker {
    gradient: PvNet<f32>,
    /// The network prepared for each board.
    kernels: Vec<Option<PvKernels<f32>>>,
    /// Buffers for learning on each board, made when they are needed.
    shards: Vec<Option<PvShards>>,
    inputs: Vec<PvInput<f32>>,
    targets: Vec<PvTarget<f32>>,
    outputs: Vec<PvOutput<f32>>,
}

/// Positions that are evaluated at a time.
const AT_A_TIME: usize = 32;

/// What is measured on games that are not trained on.
const MEASURES: &[&str] = &["value_loss", "policy_loss", "policy_accuracy", "owner_loss", "margin_loss"];

impl PvLearner {
    /// The rows of a batch that are on one board.
    fn on_board<'a>(
        &'a self,
        rows: &'a PvRows,
        batch: impl Iterator<Item = (usize, usize)> + 'a,
        board: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        batch.filter(move |&(row, _)| self.folders[rows.folder(row)] == board)
    }
}

impl PvWorker {
    /// Encodes rows, and returns their number.
    fn fill(&mut self, rows: &PvRows, batch: impl Iterator<Item = (usize, usize)>) -> usize {
        let mut count = 0;
        for (row, symmetry) in batch {
            if self.inputs.len() == count {
                self.inputs.push(PvInput::default());
                self.targets.push(PvTarget::default());
                self.outputs.push(PvOutput::default());
            }
            rows.fill(row, symmetry, &mut self.inputs[count], &mut self.targets[count]);
            count += 1;
        }
        count
    }
}

impl Learner for PvLearner {
    type Net = PvNet<f32>;
    type Rows = PvRows;
    type Worker = PvWorker;

    fn zeros(&self) -> PvNet<f32> {
        PvNet::zeros(&self.shape)
    }

    fn worker(&self) -> PvWorker {
        PvWorker {
            gradient: self.zeros(),
            kernels: self.grids.iter().map(|_| None).collect(),
            shards: self.grids.iter().map(|_| None).collect(),
            inputs: Vec::new(),
            targets: Vec::new(),
            outputs: Vec::new(),
        }
    }

    fn gradient(worker: &mut PvWorker) -> &mut PvNet<f32> {
        &mut worker.gradient
    }

    fn symmetries(&self, rows: &PvRows, row: usize) -> usize {
        rows.symmetries(row).min(self.symmetries).max(1)
    }

    fn learn(&self, net: &PvNet<f32>, rows: &PvRows, batch: &[(u32, u8)], worker: &mut PvWorker) -> LossSum {
        worker.gradient.parameters_mut().into_iter().for_each(|group| group.fill(0.0));
        let mut losses = PvLosses::default();
        for (board, grid) in self.grids.iter().enumerate() {
            let batch = batch.iter().map(|&(row, symmetry)| (row as usize, usize::from(symmetry)));
            let count = worker.fill(rows, self.on_board(rows, batch, board));
            if count == 0 {
                continue;
            }
            let kernels = match worker.kernels[board].take() {
                Some(kernels) => kernels.renewed(net.clone()),
                None => PvKernels::for_learning(net.clone(), grid.clone()),
            };
            let positions: Vec<_> = worker.inputs[..count].iter().zip(&worker.targets).collect();
            let shards = worker.shards[board].get_or_insert_with(|| PvShards::new(&kernels, 1));
            let (gradient, found) = shards.gradient(&kernels, &positions, &self.weights);
            worker.kernels[board] = Some(kernels);
            losses.add(&found);
            // Boards have means; their sums can be added.
            let weight = found.weight as f32;
            for (sum, (_, _, mean)) in worker.gradient.parameters_mut().into_iter().zip(gradient.parameters())
            {
                for (sum, mean) in sum.iter_mut().zip(mean) {
                    *sum += weight * mean;
                }
            }
        }
        let PvWeights { policy, value, .. } = self.weights;
        LossSum { loss: policy * losses.policy + value * losses.value, weight: losses.weight }
    }

    fn losses(
        &self,
        net: &PvNet<f32>,
        rows: &PvRows,
        first: usize,
        losses: &mut [f32],
        worker: &mut PvWorker,
    ) -> Vec<Measure> {
        let mut measures = vec![Measure { sum: 0.0, weight: 0.0 }; MEASURES.len()];
        for (board, grid) in self.grids.iter().enumerate() {
            let all = (first..first + losses.len()).map(|row| (row, 0));
            let batch: Vec<(usize, usize)> = self.on_board(rows, all, board).collect();
            if batch.is_empty() {
                continue;
            }
            let kernels = PvKernels::new(net.clone(), grid.clone());
            let mut workspace = kernels.workspace(AT_A_TIME);
            for batch in batch.chunks(AT_A_TIME) {
                let count = worker.fill(rows, batch.iter().copied());
                evaluate(&kernels, worker, count, &mut workspace);
                for (index, &(row, _)) in batch.iter().enumerate() {
                    let (output, target) = (&worker.outputs[index], &worker.targets[index]);
                    losses[row - first] =
                        measure(output, target, grid, self.shape.owners, &self.weights, &mut measures);
                }
            }
        }
        measures
    }

    fn measures(&self) -> &'static [&'static str] {
        MEASURES
    }

    fn model(&self, net: &PvNet<f32>, provenance: BTreeMap<String, String>) -> Result<ModelFile, TrainError> {
        Ok(net.to_file(&self.encoder, provenance))
    }
}

fn evaluate(kernels: &PvKernels<f32>, worker: &mut PvWorker, count: usize, workspace: &mut PvWorkspace<f32>) {
    kernels.evaluate(&worker.inputs[..count], true, workspace, &mut worker.outputs[..count]);
}

/// The loss of one row, whose parts are added to the measures.
fn measure(
    output: &PvOutput<f32>,
    target: &PvTarget<f32>,
    grid: &Grid,
    owners: usize,
    weights: &PvWeights,
    measures: &mut [Measure],
) -> f32 {
    let weight = f64::from(target.weight);
    let mut add = |index: usize, value: f64| {
        measures[index].sum += weight * value;
        measures[index].weight += weight;
    };
    let mut slopes = [0.0; MAX_SEATS];
    let seats = target.value.len();
    let value = softmax_cross_entropy(&output.values[..seats], &target.value, &mut slopes[..seats]);
    add(0, value.into());
    let mut loss = weights.value as f32 * value;
    if !target.policy.is_empty() {
        let mut slopes = vec![0.0; target.policy.len()];
        let policy = softmax_cross_entropy(&output.logits, &target.policy, &mut slopes);
        add(1, policy.into());
        add(2, f64::from(u8::from(best(&output.logits) == best(&target.policy))));
        loss += weights.policy as f32 * policy;
    }
    let known = |&(cell, owner): &(usize, u8)| usize::from(owner) < owners && grid.on_board()[cell];
    let cells: Vec<(usize, u8)> = target.owner.iter().copied().enumerate().filter(known).collect();
    if !cells.is_empty() {
        let of_cell = |&(cell, owner): &(usize, u8)| {
            let mut shares = output.owners[cell * owners..][..owners].to_vec();
            nn::softmax(&mut shares);
            -f64::from(shares[usize::from(owner)].max(f32::MIN_POSITIVE).ln())
        };
        add(3, cells.iter().map(of_cell).sum::<f64>() / cells.len() as f64);
    }
    if !target.margin.is_empty() {
        let difference = |(&margin, &goal): (&f32, &f32)| f64::from((margin - goal).powi(2));
        let squares: f64 = output.margins.iter().zip(&target.margin).map(difference).sum();
        add(4, squares / target.margin.len() as f64);
    }
    loss
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

/// The boards that differ among those of the folders, and which of them each folder has.
pub(crate) fn distinct(grids: impl Iterator<Item = Grid>) -> (Vec<Grid>, Vec<usize>) {
    let mut all: Vec<Grid> = Vec::new();
    let folders = grids.map(|grid| {
        all.iter().position(|known| *known == grid).unwrap_or_else(|| {
            all.push(grid);
            all.len() - 1
        })
    });
    let folders = folders.collect();
    (all, folders)
}

/// Whether there is nothing to learn a policy from.
pub(crate) fn lacks_policy(rows: &PvRows) -> bool {
    (0..rows.len()).all(|row| !rows.has_policy(row))
}
