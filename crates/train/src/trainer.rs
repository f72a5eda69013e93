//! Training an efficiently updatable network.

use std::time::Instant;

use nn::{AdamW, AdamWOptions, Nnue, NnueShape, Sample, Schedule, Workspace};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::rows::{MAX_SEATS, Rows};

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainOptions {
    /// Rows of one step.
    pub batch: usize,
    /// Steps in all.
    pub steps: u64,
    /// The highest learning rate.
    pub learning_rate: f32,
    /// The learning rate at the end.
    pub last_rate: f32,
    /// Steps until the highest learning rate.
    pub warmup: u64,
    /// The part of the game's result in targets; the rest is what the search expected.
    pub result_share: f32,
    /// How the weights are stepped.
    pub optimiser: AdamWOptions,
    /// How much of the averaged weights is kept with every step; averages are what is played.
    pub average: f32,
    /// Steps between two measurements of the validation loss.
    pub report_every: u64,
    /// Threads that share each batch.
    pub threads: usize,
    /// Where random numbers come from.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            batch: 8_192,
            steps: 2_000,
            learning_rate: 2e-3,
            last_rate: 2e-6,
            warmup: 20,
            result_share: 0.5,
            optimiser: AdamWOptions::default(),
            average: 0.99,
            report_every: 200,
            threads: 1,
            seed: 1,
        }
    }
}

/// How far training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Steps taken.
    pub step: u64,
    /// The learning rate of the last one.
    pub rate: f32,
    /// Mean loss since the last report.
    pub training_loss: f32,
    /// Mean loss of the averaged weights on games that are not trained on.
    pub validation_loss: f32,
    /// Rows trained on per second since the last report.
    pub rows_per_second: f64,
}

/// Why training cannot go on.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TrainError {
    /// There is nothing to learn from.
    #[error("there are no rows to train on: generate games first")]
    Empty,
    /// Rows of another encoder.
    #[error("a row has feature {feature}, but the network reads {features}: the data are of another board")]
    Features {
        /// The feature.
        feature: u16,
        /// How many the network has.
        features: usize,
    },
    /// The loss is not a number any more.
    #[error("the loss is not finite after step {0}: lower the learning rate")]
    Diverged(u64),
}

/// A training run between two steps: all that the next step depends on besides the rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    /// How it is trained.
    pub options: TrainOptions,
    /// The weights.
    pub net: Nnue<f32>,
    /// Their moving average.
    pub average: Nnue<f32>,
    /// The optimiser.
    pub optimiser: AdamW,
    rng: Xoshiro256PlusPlus,
    /// Rows of the present pass in the order in which they come, and how many were used.
    order: Vec<u32>,
    used: usize,
}

impl Trainer {
    /// A run that starts from random weights, or from `start`.
    pub fn new(options: TrainOptions, shape: &NnueShape, active: usize, start: Option<Nnue<f32>>) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let net = start.unwrap_or_else(|| Nnue::random(shape, active, &mut rng));
        let lengths: Vec<usize> = net.parameters().iter().map(|group| group.1.len()).collect();
        let optimiser = AdamW::new(options.optimiser, lengths);
        Self { options, average: net.clone(), net, optimiser, rng, order: Vec::new(), used: 0 }
    }

    /// Trains until all steps are done or `report` says stop. `images` has the image of every feature under each
    /// symmetry of the board.
    ///
    /// # Errors
    /// If there is nothing to train on, or the loss stops being a number.
    pub fn run(
        &mut self,
        rows: &Rows,
        images: &[Vec<u16>],
        report: &mut dyn FnMut(&Self, &Progress) -> bool,
    ) -> Result<(), TrainError> {
        let (training, validation) = rows.split(20);
        if training.is_empty() {
            return Err(TrainError::Empty);
        }
        let features = self.net.shape.features;
        if let Some(feature) = rows.largest_feature().filter(|&feature| usize::from(feature) >= features) {
            return Err(TrainError::Features { feature, features });
        }
        let options = self.options.clone();
        let schedule = Schedule {
            peak: options.learning_rate,
            last: options.last_rate,
            warmup: options.warmup,
            steps: options.steps,
        };
        let mut workers: Vec<Worker> =
            (0..options.threads.max(1)).map(|_| Worker::new(&self.net.shape)).collect();
        let (mut since, mut loss, mut count) = (Instant::now(), 0.0, 0);
        while self.optimiser.steps() < options.steps {
            let rate = schedule.rate(self.optimiser.steps());
            let batch = self.next_batch(&training, rows, images.len());
            let batch_loss = self.step(rows, images, &batch, rate, &mut workers);
            if !batch_loss.is_finite() {
                return Err(TrainError::Diverged(self.optimiser.steps()));
            }
            loss += batch_loss;
            count += 1;
            let step = self.optimiser.steps();
            if step.is_multiple_of(options.report_every) || step == options.steps {
                let progress = Progress {
                    step,
                    rate,
                    training_loss: loss / count as f32,
                    validation_loss: self.validate(rows, &validation, images, &mut workers),
                    rows_per_second: (count * options.batch) as f64 / since.elapsed().as_secs_f64(),
                };
                if !report(self, &progress) {
                    return Ok(());
                }
                (since, loss, count) = (Instant::now(), 0.0, 0);
            }
        }
        Ok(())
    }

    /// The rows of the next step, each with the symmetry it is seen through.
    fn next_batch(&mut self, training: &[u32], rows: &Rows, symmetries: usize) -> Vec<(u32, u8)> {
        let mut batch = Vec::with_capacity(self.options.batch);
        while batch.len() < self.options.batch {
            if self.used == self.order.len() {
                self.order = training.to_vec();
                for last in (1..self.order.len()).rev() {
                    self.order.swap(last, (self.rng.next_u64() % (last as u64 + 1)) as usize);
                }
                self.used = 0;
            }
            let row = self.order[self.used];
            self.used += 1;
            let most = usize::from(rows.row(row as usize).symmetries).min(symmetries).max(1);
            batch.push((row, (self.rng.next_u64() % most as u64) as u8));
        }
        batch
    }

    /// One step on one batch. Returns the mean loss.
    fn step(
        &mut self,
        rows: &Rows,
        images: &[Vec<u16>],
        batch: &[(u32, u8)],
        rate: f32,
        workers: &mut [Worker],
    ) -> f32 {
        let share = batch.len().div_ceil(workers.len());
        let (net, options) = (&self.net, &self.options);
        std::thread::scope(|scope| {
            for (worker, part) in workers.iter_mut().zip(batch.chunks(share)) {
                scope.spawn(move || worker.learn(net, rows, images, part, options.result_share));
            }
        });
        let (first, others) = workers.split_at_mut(1);
        let total = &mut first[0];
        // Always in the same order, so that the same number of threads gives the same sums.
        for other in others {
            total.loss += other.loss;
            for (sum, part) in total.gradient.parameters_mut().into_iter().zip(other.gradient.parameters()) {
                sum.iter_mut().zip(part.1).for_each(|(sum, &part)| *sum += part);
            }
        }
        let scale = 1.0 / batch.len() as f32;
        for group in total.gradient.parameters_mut() {
            group.iter_mut().for_each(|slope| *slope *= scale);
        }
        let slopes: Vec<&[f32]> = total.gradient.parameters().into_iter().map(|group| group.1).collect();
        self.optimiser.step(&mut self.net.parameters_mut(), &slopes, rate);
        let keep = self.options.average.min(1.0 - 1.0 / (self.optimiser.steps() as f32 + 1.0));
        for (mean, weights) in self.average.parameters_mut().into_iter().zip(self.net.parameters()) {
            mean.iter_mut()
                .zip(weights.1)
                .for_each(|(mean, &weight)| *mean = keep * *mean + (1.0 - keep) * weight);
        }
        total.loss * scale
    }

    /// The mean loss of the averaged weights on rows that are not trained on.
    fn validate(&self, rows: &Rows, validation: &[u32], images: &[Vec<u16>], workers: &mut [Worker]) -> f32 {
        /// More would take longer than it tells.
        const MOST: usize = 40_000;
        let part: Vec<(u32, u8)> = validation.iter().take(MOST).map(|&row| (row, 0)).collect();
        if part.is_empty() {
            return f32::NAN;
        }
        workers[0].learn(&self.average, rows, images, &part, self.options.result_share);
        workers[0].loss / part.len() as f32
    }
}

/// What one thread computes with.
struct Worker {
    gradient: Nnue<f32>,
    workspace: Workspace<f32>,
    lists: Vec<Vec<u16>>,
    loss: f32,
}

impl Worker {
    fn new(shape: &NnueShape) -> Self {
        let lists = vec![Vec::new(); MAX_SEATS];
        Self { gradient: Nnue::zeros(shape), workspace: Workspace::new(shape), lists, loss: 0.0 }
    }

    /// The summed loss and gradient of some rows.
    fn learn(&mut self, net: &Nnue<f32>, rows: &Rows, images: &[Vec<u16>], part: &[(u32, u8)], share: f32) {
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
            let target = row.target(share);
            let sample = Sample {
                perspectives: &perspectives[..seats],
                bucket: row.bucket.into(),
                target: &target[..seats],
                weight: 1.0,
            };
            self.loss += net.accumulate(&sample, &mut self.gradient, &mut self.workspace);
        }
    }
}
