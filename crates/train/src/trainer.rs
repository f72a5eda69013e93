//! Training an efficiently updatable network, one batch at a time.

use nn::{AdamW, AdamWOptions, Nnue, Sample, Schedule, Workspace};

use crate::{
    Factoriser,
    rows::{MAX_SEATS, Rows},
    source::{generator, shuffle},
};

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainOptions {
    /// The number of rows per step.
    pub batch: usize,
    /// The number of steps.
    pub steps: u64,
    /// The highest learning rate.
    pub learning_rate: f32,
    /// The learning rate at the end.
    pub last_rate: f32,
    /// The number of steps until the highest learning rate.
    pub warmup: u64,
    /// The share of additional rows drawn in proportion to their loss.
    pub prioritised: f32,
    /// The options of the optimiser.
    pub optimiser: AdamWOptions,
    /// The decay of the moving average of the weights, which is what plays.
    pub average: f32,
    /// Whether features of a kind share a part of their weights.
    pub factorise: bool,
    /// The number of threads that share each batch. Another number gives other sums in the last digit.
    pub threads: usize,
    /// The seed of the initial weights, the order of rows and their symmetries.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            batch: 8_192,
            steps: 4_000,
            learning_rate: 2e-3,
            last_rate: 2e-6,
            warmup: 50,
            prioritised: 0.0,
            optimiser: AdamWOptions::default(),
            average: 0.999,
            factorise: true,
            threads: 1,
            seed: 1,
        }
    }
}

/// The state of a run between two steps: everything that the next step depends on, besides the options and the rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    /// The options.
    pub options: TrainOptions,
    /// The weights.
    pub net: Nnue<f32>,
    /// What features of a kind share; empty if they do not.
    pub factoriser: Factoriser,
    /// The moving average of the weights.
    pub average: Nnue<f32>,
    /// The optimiser.
    pub optimiser: AdamW,
    /// The number of complete passes over the data.
    pub epoch: u32,
    /// The current block of the pass.
    pub block: u32,
    /// The order of the rows of the current block; empty before it is drawn.
    pub order: Vec<u32>,
    /// How many rows of the order are used.
    pub used: usize,
}

/// What one step did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepReport {
    /// The number of steps so far.
    pub step: u64,
    /// The learning rate of the step.
    pub rate: f32,
    /// The mean loss over the batch.
    pub loss: f32,
    /// The norm of the gradient.
    pub norm: f32,
}

impl Trainer {
    /// A run that starts with the weights of `net`.
    pub fn new(options: TrainOptions, net: Nnue<f32>, factoriser: Factoriser) -> Self {
        let mut lengths: Vec<usize> = net.parameters().iter().map(|group| group.1.len()).collect();
        lengths.push(factoriser.shared.len());
        let optimiser = AdamW::new(options.optimiser, lengths);
        let average = net.clone();
        Self { options, net, factoriser, average, optimiser, epoch: 0, block: 0, order: Vec::new(), used: 0 }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.optimiser.steps()
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.steps() >= self.options.steps
    }

    /// Draws the order of the rows of a block, unless it is drawn already.
    pub fn begin_block(&mut self, rows: &Rows, workers: &mut Workers) {
        if !self.order.is_empty() {
            return;
        }
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let index = u64::from(self.epoch) << 32 | u64::from(self.block);
        let mut rng = generator(self.options.seed, index, 1);
        if self.options.prioritised > 0.0 && self.epoch > 0 {
            let losses = workers.losses(&self.average, rows);
            order.extend(draw_by_weight(&losses, self.options.prioritised, &mut rng));
        }
        shuffle(&mut order, &mut rng);
        self.order = order;
        self.used = 0;
    }

    /// Takes one step with the next rows of the block. Returns `None` if the block is used up; the next one then starts
    /// with [`begin_block`](Self::begin_block).
    pub fn step(&mut self, rows: &Rows, images: &[Vec<u16>], workers: &mut Workers) -> Option<StepReport> {
        let left = self.order.len() - self.used;
        // A block that is smaller than a batch is used whole; otherwise the remainder is left out of this pass.
        let count = self.options.batch.min(self.order.len());
        if left < count || count == 0 {
            return None;
        }
        let mut rng = generator(self.options.seed, self.steps(), 2);
        let batch: Vec<(u32, u8)> = self.order[self.used..self.used + count]
            .iter()
            .map(|&row| {
                let symmetries = usize::from(rows.row(row as usize).symmetries).min(images.len()).max(1);
                (row, game::pick(&mut rng, symmetries) as u8)
            })
            .collect();
        self.used += count;
        let loss = workers.learn(&self.net, rows, images, &batch);
        let schedule = Schedule {
            peak: self.options.learning_rate,
            last: self.options.last_rate,
            warmup: self.options.warmup,
            steps: self.options.steps,
        };
        let rate = schedule.rate(self.steps());
        let gradient = &workers.0[0].gradient;
        let mut slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.1).collect();
        let shared_slopes = self.factoriser.slopes(gradient);
        slopes.push(&shared_slopes);
        let before = self.factoriser.shared.clone();
        let mut weights = self.net.parameters_mut();
        weights.push(&mut self.factoriser.shared);
        let norm = self.optimiser.step(&mut weights, &slopes, rate);
        self.factoriser.update(&before, &mut self.net);
        // The average forgets its start quickly at first.
        let keep = self.options.average.min(1.0 - 1.0 / (self.steps() as f32 + 1.0));
        for (mean, weights) in self.average.parameters_mut().into_iter().zip(self.net.parameters()) {
            for (mean, &weight) in mean.iter_mut().zip(weights.1) {
                *mean = keep * *mean + (1.0 - keep) * weight;
            }
        }
        Some(StepReport { step: self.steps(), rate, loss, norm })
    }
}

/// Draws about `share` of all indices, each in proportion to its weight.
fn draw_by_weight(weights: &[f32], share: f32, rng: &mut impl rand::Rng) -> Vec<u32> {
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let wanted = f64::from(share) * weights.len() as f64;
    if total <= 0.0 {
        return Vec::new();
    }
    // Systematic sampling: equal distances along the cumulated weights, from a random start.
    let distance = total / wanted;
    let mut next = distance * ((rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64);
    let (mut drawn, mut sum) = (Vec::with_capacity(wanted as usize + 1), 0.0);
    for (index, &weight) in weights.iter().enumerate() {
        sum += f64::from(weight);
        while next < sum {
            drawn.push(index as u32);
            next += distance;
        }
    }
    drawn
}

/// The threads that compute gradients, each with its own buffers.
pub struct Workers(Vec<Worker>);

impl Workers {
    /// Buffers for `threads` threads.
    pub fn new(net: &Nnue<f32>, threads: usize) -> Self {
        Self((0..threads.max(1)).map(|_| Worker::new(net)).collect())
    }

    /// Leaves the mean gradient of a batch with the first worker, and returns the mean loss.
    fn learn(&mut self, net: &Nnue<f32>, rows: &Rows, images: &[Vec<u16>], batch: &[(u32, u8)]) -> f32 {
        let share = batch.len().div_ceil(self.0.len());
        let (first, others) = self.0.split_at_mut(1);
        let mut parts = batch.chunks(share);
        let own = parts.next().unwrap_or_default();
        std::thread::scope(|scope| {
            for (worker, part) in others.iter_mut().zip(parts.by_ref()) {
                scope.spawn(move || worker.learn(net, rows, images, part));
            }
            first[0].learn(net, rows, images, own);
        });
        let total = &mut first[0];
        let scale = 1.0 / batch.len() as f32;
        // Always in the same order, so that the same number of threads gives the same sums.
        for other in others.iter().take(batch.len().div_ceil(share) - 1) {
            total.loss += other.loss;
            for (sum, part) in total.gradient.parameters_mut().into_iter().zip(other.gradient.parameters()) {
                for (sum, &part) in sum.iter_mut().zip(part.1) {
                    *sum += part;
                }
            }
        }
        for group in total.gradient.parameters_mut() {
            for slope in group {
                *slope *= scale;
            }
        }
        (total.loss * f64::from(scale)) as f32
    }

    /// The loss of every row.
    fn losses(&mut self, net: &Nnue<f32>, rows: &Rows) -> Vec<f32> {
        let mut losses = vec![0.0; rows.len()];
        let share = rows.len().div_ceil(self.0.len()).max(1);
        std::thread::scope(|scope| {
            for (number, (worker, part)) in self.0.iter_mut().zip(losses.chunks_mut(share)).enumerate() {
                scope.spawn(move || {
                    for (offset, loss) in part.iter_mut().enumerate() {
                        *loss = worker.loss_of(net, rows, number * share + offset);
                    }
                });
            }
        });
        losses
    }

    /// The mean loss over all rows.
    pub fn mean_loss(&mut self, net: &Nnue<f32>, rows: &Rows) -> f32 {
        let losses = self.losses(net, rows);
        (losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / losses.len().max(1) as f64) as f32
    }
}

/// What one thread computes with.
struct Worker {
    gradient: Nnue<f32>,
    workspace: Workspace<f32>,
    lists: Vec<Vec<u16>>,
    loss: f64,
}

impl Worker {
    fn new(net: &Nnue<f32>) -> Self {
        let lists = vec![Vec::new(); MAX_SEATS];
        Self { gradient: Nnue::zeros(&net.shape), workspace: Workspace::new(&net.shape), lists, loss: 0.0 }
    }

    /// The summed loss and gradient of some rows.
    fn learn(&mut self, net: &Nnue<f32>, rows: &Rows, images: &[Vec<u16>], part: &[(u32, u8)]) {
        self.loss = 0.0;
        for group in self.gradient.parameters_mut() {
            group.fill(0.0);
        }
        for &(index, symmetry) in part {
            let row = rows.row(index as usize);
            let seats = usize::from(row.seats);
            for (seat, list) in self.lists[..seats].iter_mut().enumerate() {
                list.clear();
                let features = rows.features(index as usize, seat);
                if symmetry == 0 {
                    list.extend_from_slice(features);
                } else {
                    let image = &images[usize::from(symmetry)];
                    list.extend(features.iter().map(|&feature| image[usize::from(feature)]));
                }
            }
            let mut perspectives: [&[u16]; MAX_SEATS] = [&[]; MAX_SEATS];
            for (perspective, list) in perspectives.iter_mut().zip(&self.lists) {
                *perspective = list;
            }
            let sample = Sample {
                perspectives: &perspectives[..seats],
                heads: &row.heads[..seats],
                target: &row.target[..seats],
                weight: 1.0,
            };
            self.loss += f64::from(net.accumulate(&sample, &mut self.gradient, &mut self.workspace));
        }
    }

    fn loss_of(&mut self, net: &Nnue<f32>, rows: &Rows, index: usize) -> f32 {
        let row = rows.row(index);
        let seats = usize::from(row.seats);
        let mut perspectives: [&[u16]; MAX_SEATS] = [&[]; MAX_SEATS];
        for (seat, perspective) in perspectives[..seats].iter_mut().enumerate() {
            *perspective = rows.features(index, seat);
        }
        let logits = net.logits(&perspectives[..seats], &row.heads[..seats], &mut self.workspace);
        let mut slopes = [0.0; MAX_SEATS];
        nn::softmax_cross_entropy(logits, &row.target[..seats], &mut slopes[..seats])
    }
}
