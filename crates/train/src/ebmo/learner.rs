//! Networks of energy-based move optimisation in the training loop.

use std::collections::BTreeMap;

use game::{derive_seed, pick};
use nn::{
    EbmoGradient, EbmoKernels, EbmoLabels, EbmoLosses, EbmoNet, EbmoShape, EbmoWeights, EbmoWorkspace, Grid,
    ModelFile, PvInput, PvTarget,
};
use rand::Rng;
use serde_json::{Value, json};

use crate::{
    Learner, LossSum, Measure, Parameters, PvRows, TrainError,
    source::{generator, unit_interval},
};

/// What energies are compared with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EbmoObjective {
    /// The probabilities of a search over all legal moves.
    Softmax,
    /// One positive move against some negative ones.
    Contrastive {
        /// The number of negative moves.
        negatives: usize,
        /// The share of them that are the search's next choices instead of random legal moves.
        hard_share: f32,
    },
}

impl EbmoObjective {
    /// The objective by name.
    pub(super) fn resolved(&self) -> Value {
        match self {
            Self::Softmax => json!("softmax"),
            Self::Contrastive { negatives, hard_share } => {
                json!({ "negatives": negatives, "hard_share": hard_share })
            }
        }
    }
}

/// Networks of one shape for the boards of some folders.
///
/// Its loss is that of the policy and of the played moves' energies.
#[derive(Clone, Debug)]
pub struct EbmoLearner {
    /// The shape.
    pub shape: EbmoShape,
    /// The id of the encoder, as in model files.
    pub encoder: String,
    /// What energies are compared with.
    pub objective: EbmoObjective,
    /// How much the parts of the loss count.
    pub weights: EbmoWeights,
    /// The seed of negative moves.
    pub seed: u64,
    /// The boards that differ, and which of them each folder has.
    pub(super) grids: Vec<Grid>,
    pub(super) folders: Vec<usize>,
}

/// What one thread computes with.
pub struct EbmoWorker {
    gradient: EbmoNet<f32>,
    /// What learning on each board takes, made when it is needed.
    boards: Vec<Option<Board>>,
    inputs: Vec<PvInput<f32>>,
    targets: Vec<PvTarget<f32>>,
    labels: Vec<EbmoLabels<f32>>,
}

/// What is large and is kept from one batch to the next.
struct Board {
    kernels: EbmoKernels<f32>,
    sums: EbmoGradient<f32>,
    workspace: EbmoWorkspace<f32>,
}

impl Board {
    /// The kernels of `net`, in the memory of those before.
    fn renewed(before: Option<Self>, net: &EbmoNet<f32>, grid: &Grid) -> Self {
        if let Some(Self { kernels, mut sums, workspace }) = before {
            sums.clear();
            return Self { kernels: kernels.renewed(net.clone()), sums, workspace };
        }
        let kernels = EbmoKernels::for_learning(net.clone(), grid.clone());
        Self { sums: kernels.no_gradient(), workspace: kernels.workspace(AT_A_TIME), kernels }
    }
}

/// Positions that go through the network at a time. Transformed weights do not fit the cache, so they are read for many
/// positions.
const AT_A_TIME: usize = 64;

/// What is measured on games that are not trained on.
const MEASURES: &[&str] = &["policy_loss", "accuracy", "outcome_loss", "moves"];

impl Parameters for EbmoNet<f32> {
    fn parameters(&self) -> Vec<(String, &[f32])> {
        EbmoNet::parameters(self).into_iter().map(|(name, _, weights)| (name, weights)).collect()
    }

    fn parameters_mut(&mut self) -> Vec<&mut [f32]> {
        EbmoNet::parameters_mut(self)
    }
}

impl EbmoLearner {
    /// Encodes the rows of a batch that are on one board, with all legal moves or those of the objective, and returns those
    /// that have a choice.
    fn fill(
        &self,
        rows: &PvRows,
        batch: impl Iterator<Item = (usize, usize)>,
        board: usize,
        objective: EbmoObjective,
        worker: &mut EbmoWorker,
    ) -> Vec<usize> {
        let mut kept = Vec::new();
        for (row, symmetry) in batch.filter(|&(row, _)| self.folders[rows.folder(row)] == board) {
            let count = kept.len();
            if worker.inputs.len() == count {
                worker.inputs.push(PvInput::default());
                worker.targets.push(PvTarget::default());
                worker.labels.push(EbmoLabels::default());
            }
            let (input, target) = (&mut worker.inputs[count], &mut worker.targets[count]);
            rows.fill(row, symmetry, input, target);
            if target.policy.len() < 2 {
                continue;
            }
            let labels = &mut worker.labels[count];
            labels.weight = target.weight;
            labels.policy.clone_from(&target.policy);
            // The target's value is that of the position, which is what its best move leads to.
            labels.played = Some((best(&target.policy), 2.0 * target.value[0] - 1.0));
            if let EbmoObjective::Contrastive { negatives, hard_share } = objective {
                let mut rng = generator(self.seed, derive_seed(row as u64, symmetry as u64, 0), 4);
                contrast(input, labels, negatives, hard_share, &mut rng);
            }
            kept.push(row);
        }
        kept
    }
}

impl Learner for EbmoLearner {
    type Net = EbmoNet<f32>;
    type Rows = PvRows;
    type Worker = EbmoWorker;

    fn zeros(&self) -> EbmoNet<f32> {
        EbmoNet::zeros(&self.shape)
    }

    fn worker(&self) -> EbmoWorker {
        EbmoWorker {
            gradient: self.zeros(),
            boards: self.grids.iter().map(|_| None).collect(),
            inputs: Vec::new(),
            targets: Vec::new(),
            labels: Vec::new(),
        }
    }

    fn gradient(worker: &mut EbmoWorker) -> &mut EbmoNet<f32> {
        &mut worker.gradient
    }

    fn symmetries(&self, rows: &PvRows, row: usize) -> usize {
        rows.symmetries(row).max(1)
    }

    fn learn(
        &self,
        net: &EbmoNet<f32>,
        rows: &PvRows,
        batch: &[(u32, u8)],
        worker: &mut EbmoWorker,
    ) -> LossSum {
        let mut total = LossSum::default();
        worker.gradient.parameters_mut().into_iter().for_each(|group| group.fill(0.0));
        for (board, grid) in self.grids.iter().enumerate() {
            let places = batch.iter().map(|&(row, symmetry)| (row as usize, usize::from(symmetry)));
            let count = self.fill(rows, places, board, self.objective, worker).len();
            if count == 0 {
                continue;
            }
            let mut kept = Board::renewed(worker.boards[board].take(), net, grid);
            let Board { kernels, sums, workspace } = &mut kept;
            let positions: Vec<_> = worker.inputs[..count].iter().zip(&worker.labels).collect();
            let losses = kernels.accumulate(&positions, &self.weights, sums, workspace);
            let gradient = kernels.finish(sums);
            worker.boards[board] = Some(kept);
            for (sum, (_, _, more)) in worker.gradient.parameters_mut().into_iter().zip(gradient.parameters())
            {
                for (sum, more) in sum.iter_mut().zip(more) {
                    *sum += more;
                }
            }
            total.loss += self.loss(&losses);
            total.weight += losses.weight;
        }
        // A batch without a choice teaches nothing, and must not divide by nothing.
        total.weight = total.weight.max(1e-9);
        total
    }

    fn losses(
        &self,
        net: &EbmoNet<f32>,
        rows: &PvRows,
        first: usize,
        losses: &mut [f32],
        worker: &mut EbmoWorker,
    ) -> Vec<Measure> {
        let mut measures = vec![Measure { sum: 0.0, weight: 0.0 }; MEASURES.len()];
        for (board, grid) in self.grids.iter().enumerate() {
            let kernels = EbmoKernels::new(net.clone(), grid.clone());
            let mut workspace = kernels.workspace(AT_A_TIME);
            for start in (first..first + losses.len()).step_by(AT_A_TIME) {
                let places = (start..(start + AT_A_TIME).min(first + losses.len())).map(|row| (row, 0));
                let kept = self.fill(rows, places, board, EbmoObjective::Softmax, worker);
                let positions: Vec<_> = worker.inputs[..kept.len()].iter().zip(&worker.labels).collect();
                let of_rows = kernels.losses(&positions, &self.weights, &mut workspace);
                for (row, (found, (input, _))) in kept.into_iter().zip(of_rows.iter().zip(&positions)) {
                    losses[row - first] = (self.loss(found) / found.weight.max(1e-9)) as f32;
                    let moves = input.moves() as f64;
                    let sums = [found.policy, found.hits, found.outcome.0, moves * found.weight];
                    for (measure, sum) in measures.iter_mut().zip(sums) {
                        measure.sum += sum;
                        measure.weight += found.weight;
                    }
                }
            }
        }
        measures
    }

    fn measures(&self) -> &'static [&'static str] {
        MEASURES
    }

    fn model(
        &self,
        net: &EbmoNet<f32>,
        provenance: BTreeMap<String, String>,
    ) -> Result<ModelFile, TrainError> {
        Ok(net.to_file(&self.encoder, provenance))
    }
}

impl EbmoLearner {
    fn loss(&self, losses: &EbmoLosses) -> f64 {
        losses.policy + self.weights.outcome * losses.outcome.0
    }
}

/// Keeps the best move and some negative ones: the next best of the search, and others at random.
fn contrast(
    input: &mut PvInput<f32>,
    labels: &mut EbmoLabels<f32>,
    negatives: usize,
    hard_share: f32,
    rng: &mut impl Rng,
) {
    let mut order: Vec<usize> = (0..labels.policy.len()).collect();
    // Equal probabilities are in a random order.
    for last in (1..order.len()).rev() {
        order.swap(last, pick(rng, last + 1));
    }
    order.sort_by(|&one, &other| labels.policy[other].total_cmp(&labels.policy[one]));
    let mut kept = vec![order[0]];
    let mut rest = order.split_off(1);
    while kept.len() <= negatives && !rest.is_empty() {
        let hard = unit_interval(rng.next_u64()) < f64::from(hard_share);
        let place = if hard { 0 } else { pick(rng, rest.len()) };
        kept.push(rest.remove(place));
    }
    let terms: Vec<Vec<(u32, f32)>> = kept.iter().map(|&m| input.terms(m).to_vec()).collect();
    input.clear_moves();
    for terms in terms {
        for (term, weight) in terms {
            input.term(term as usize, weight);
        }
        input.end_move();
    }
    labels.policy.clear();
    labels.policy.resize(kept.len(), 0.0);
    labels.policy[0] = 1.0;
    labels.played = labels.played.map(|(_, result)| (0, result));
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
