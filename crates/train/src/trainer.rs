//! Training a network, one batch at a time.

use nn::{AdamW, AdamWOptions, Schedule};
use serde_json::{Value, json};

use crate::{
    Progress,
    learner::{Learner, LossSum, Measure, Parameters, RowStore},
    source::{generator, shuffle, unit_interval},
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
    /// The number of threads that share each batch. Another number gives other sums in the last digit.
    pub threads: usize,
    /// The seed of the initial weights, the order of rows and their symmetries.
    pub seed: u64,
    /// Keep the averaged weights of the report with the lowest validation loss, and end the run when none of the reports
    /// during this many steps was better. Without it, the last weights are kept.
    pub patience: Option<u64>,
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
            threads: 1,
            seed: 1,
            patience: None,
        }
    }
}

impl TrainOptions {
    /// The options by name.
    pub(crate) fn resolved(&self) -> Value {
        let Self {
            batch,
            steps,
            learning_rate,
            last_rate,
            warmup,
            prioritised,
            optimiser,
            average,
            threads,
            seed,
            // A run that ends sooner is the same run until then.
            patience: _,
        } = self;
        json!({
            "batch": batch,
            "steps": steps,
            "learning_rate": learning_rate,
            "last_rate": last_rate,
            "warmup": warmup,
            "prioritised": prioritised,
            "weight_decay": optimiser.weight_decay,
            "clip": optimiser.clip,
            "max_norm": optimiser.max_norm,
            "average": average,
            "threads": threads,
            "seed": seed,
        })
    }
}

/// The state of a run between two steps: everything that the next step depends on, besides the options and the rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer<N> {
    /// The options.
    pub options: TrainOptions,
    /// The weights.
    pub net: N,
    /// Their moving average.
    pub average: N,
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
    /// The best report so far, if [patience](TrainOptions::patience) is limited.
    pub best: Option<Best<N>>,
}

/// A report and the averaged weights that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Best<N> {
    /// The report.
    pub progress: Progress,
    /// The weights.
    pub net: N,
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

impl<N: Parameters> Trainer<N> {
    /// A run that starts with the weights of `net`.
    pub fn new(options: TrainOptions, net: N) -> Self {
        let lengths: Vec<usize> = net.parameters().iter().map(|group| group.1.len()).collect();
        let optimiser = AdamW::new(options.optimiser, lengths);
        let average = net.clone();
        Self { options, net, average, optimiser, epoch: 0, block: 0, order: Vec::new(), used: 0, best: None }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.optimiser.steps()
    }

    /// Whether all steps are done, or patience has run out.
    pub fn is_done(&self) -> bool {
        let is_stale = |best: &Best<N>| {
            let stale = self.steps() - best.progress.step;
            self.options.patience.is_some_and(|patience| stale >= patience.max(1))
        };
        self.steps() >= self.options.steps || self.best.as_ref().is_some_and(is_stale)
    }

    /// Remembers the averaged weights if the report about them is the best so far.
    pub fn reported(&mut self, progress: &Progress) {
        let is_better =
            self.best.as_ref().is_none_or(|best| progress.validation_loss < best.progress.validation_loss);
        if self.options.patience.is_some() && is_better {
            self.best = Some(Best { progress: progress.clone(), net: self.average.clone() });
        }
    }

    /// Draws the order of the rows of a block, unless it is drawn already.
    pub fn begin_block<L: Learner<Net = N>>(
        &mut self,
        learner: &L,
        rows: &L::Rows,
        workers: &mut Workers<L>,
    ) {
        if !self.order.is_empty() {
            return;
        }
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let index = u64::from(self.epoch) << 32 | u64::from(self.block);
        let mut rng = generator(self.options.seed, index, 1);
        if self.options.prioritised > 0.0 && self.epoch > 0 {
            let (losses, _) = workers.losses(learner, &self.average, rows);
            order.extend(draw_by_weight(&losses, self.options.prioritised, &mut rng));
        }
        shuffle(&mut order, &mut rng);
        self.order = order;
        self.used = 0;
    }

    /// Takes one step with the next rows of the block. Returns `None` if the block is used up; the next one then starts
    /// with [`begin_block`](Self::begin_block).
    pub fn step<L: Learner<Net = N>>(
        &mut self,
        learner: &L,
        rows: &L::Rows,
        workers: &mut Workers<L>,
    ) -> Option<StepReport> {
        let left = self.order.len() - self.used;
        // A block that is smaller than a batch is used whole; otherwise the remainder is left out of this pass.
        let count = self.options.batch.min(self.order.len());
        if left < count || count == 0 {
            return None;
        }
        let mut rng = generator(self.options.seed, self.steps(), 2);
        let batch: Vec<(u32, u8)> = self.order[self.used..self.used + count]
            .iter()
            .map(|&row| (row, game::pick(&mut rng, learner.symmetries(rows, row as usize)) as u8))
            .collect();
        self.used += count;
        let loss = workers.learn(learner, &self.net, rows, &batch);
        let schedule = Schedule {
            peak: self.options.learning_rate,
            last: self.options.last_rate,
            warmup: self.options.warmup,
            steps: self.options.steps,
        };
        let rate = schedule.rate(self.steps());
        let gradient = &*L::gradient(&mut workers.0[0]);
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.1).collect();
        let norm = self.optimiser.step(&mut self.net.parameters_mut(), &slopes, rate);
        learner.end_step(&mut self.net, rate);
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
    let mut next = distance * unit_interval(rng.next_u64());
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
pub struct Workers<L: Learner>(Vec<L::Worker>);

impl<L: Learner> Workers<L> {
    /// Buffers for `threads` threads.
    pub fn new(learner: &L, threads: usize) -> Self {
        Self((0..threads.max(1)).map(|_| learner.worker()).collect())
    }

    /// Leaves the mean gradient of a batch with the first worker, and returns the mean loss.
    fn learn(&mut self, learner: &L, net: &L::Net, rows: &L::Rows, batch: &[(u32, u8)]) -> f32 {
        let share = batch.len().div_ceil(self.0.len());
        let (first, others) = self.0.split_at_mut(1);
        let mut parts = batch.chunks(share);
        let own = parts.next().unwrap_or_default();
        let (mut total, sums) = std::thread::scope(|scope| {
            let threads: Vec<_> = (others.iter_mut().zip(parts))
                .map(|(worker, part)| scope.spawn(move || learner.learn(net, rows, part, worker)))
                .collect();
            let total = learner.learn(net, rows, own, &mut first[0]);
            let join = |thread: std::thread::ScopedJoinHandle<'_, LossSum>| {
                thread.join().expect("a thread that computes a gradient does not panic")
            };
            (total, threads.into_iter().map(join).collect::<Vec<_>>())
        });
        let gradient = L::gradient(&mut first[0]);
        // Always in the same order, so that the same number of threads gives the same sums.
        for (other, sum) in others.iter_mut().zip(sums) {
            total.loss += sum.loss;
            total.weight += sum.weight;
            let other = &*L::gradient(other);
            for (sum, part) in gradient.parameters_mut().into_iter().zip(other.parameters()) {
                for (sum, &part) in sum.iter_mut().zip(part.1) {
                    *sum += part;
                }
            }
        }
        let scale = if total.weight > 0.0 { 1.0 / total.weight as f32 } else { 0.0 };
        for group in gradient.parameters_mut() {
            for slope in group {
                *slope *= scale;
            }
        }
        (total.loss * f64::from(scale)) as f32
    }

    /// The loss of every row, and what else there is to say about them.
    fn losses(&mut self, learner: &L, net: &L::Net, rows: &L::Rows) -> (Vec<f32>, Vec<Measure>) {
        let mut losses = vec![0.0; rows.len()];
        let share = rows.len().div_ceil(self.0.len()).max(1);
        let parts = std::thread::scope(|scope| {
            let threads: Vec<_> = (self.0.iter_mut().zip(losses.chunks_mut(share)).enumerate())
                .map(|(number, (worker, part))| {
                    scope.spawn(move || learner.losses(net, rows, number * share, part, worker))
                })
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Measure>>| {
                thread.join().expect("a thread that computes losses does not panic")
            };
            threads.into_iter().map(join).collect::<Vec<_>>()
        });
        let mut measures = vec![Measure { sum: 0.0, weight: 0.0 }; learner.measures().len()];
        for part in parts {
            for (total, part) in measures.iter_mut().zip(part) {
                total.sum += part.sum;
                total.weight += part.weight;
            }
        }
        (losses, measures)
    }

    /// The mean loss over all rows.
    pub fn mean_loss(&mut self, learner: &L, net: &L::Net, rows: &L::Rows) -> f32 {
        self.validate(learner, net, rows).0
    }

    /// The mean loss over all rows, and the means of the learner's [measures](Learner::measures).
    pub fn validate(&mut self, learner: &L, net: &L::Net, rows: &L::Rows) -> (f32, Vec<f32>) {
        let (losses, measures) = self.losses(learner, net, rows);
        let mean = losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / losses.len().max(1) as f64;
        (mean as f32, measures.iter().map(Measure::mean).collect())
    }
}
