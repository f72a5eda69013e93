//! What a network's uncertainty says about its errors, and what climbing does to its values, on games kept apart.

use std::path::{Path, PathBuf};

use nn::{DropoutMasks, GmoKernels, GmoPoints, GmoWorkspace, ModelFile};
use rand::Rng;
use search::{Ascent, nearest_by_angle};
use serde::Serialize;

use super::{GmoLabelOptions, GmoRows};
use crate::{ReadOptions, Source, TrainError, source::generator};

/// What is examined, and how.
#[derive(Clone, Debug)]
pub struct CalibrationOptions {
    /// The folders of games whose held-out games are examined. Their candidates must have values.
    pub data: Vec<PathBuf>,
    /// The most positions.
    pub positions: usize,
    /// Passes with dropout.
    pub passes: usize,
    /// The share of neurons that is dropped.
    pub dropout: f64,
    /// How many of the best moves climb.
    pub top_k: usize,
    /// Steps of a climb.
    pub steps: usize,
    /// The rate of the steps.
    pub lr: f32,
    /// The seed of dropout.
    pub seed: u64,
}

/// How well an estimate of uncertainty predicts errors.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calibration {
    /// Where the estimate comes from.
    pub uncertainty: &'static str,
    /// The correlation of the predicted deviation with the size of the error.
    pub correlation: f64,
    /// The share of errors within one predicted deviation; 0.68 if errors were normal and the deviation right.
    pub coverage: f64,
    /// Moves in ten groups by predicted deviation: its mean, and the root of the mean squared error.
    pub reliability: Vec<[f64; 2]>,
}

/// What climbing and projecting did.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Climbs {
    /// The number of climbs.
    pub climbs: u64,
    /// The share that ended at the move they started from.
    pub returned: f64,
    /// The share for which the sufficient condition held: the gain is at least the slope times the distance.
    pub guaranteed: f64,
    /// The share that ended at a better move than they started from, by the same network.
    pub better: f64,
    /// The share that ended at a worse one.
    pub worse: f64,
    /// The mean gain of a climb before projection.
    pub gain: f64,
    /// The mean distance from its end to the nearest legal point, as a share of that point's norm.
    pub distance: f64,
    /// The mean of the largest slope along the way back.
    pub slope: f64,
    /// By how much the best projected move of a position is worth less than the best scored one, on average.
    pub regret: f64,
    /// The mean norm of a move's point.
    pub norm: f64,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Examination {
    /// Positions with more than one labelled move.
    pub positions: u64,
    /// Moves in them.
    pub moves: u64,
    /// The mean squared error of values.
    pub squared_error: f64,
    /// The estimates of uncertainty.
    pub calibrations: Vec<Calibration>,
    /// What climbing did.
    pub climbs: Climbs,
}

/// Points along the way back at which slopes are taken.
const ALONG: usize = 16;

/// Examines the network of a model file, known by `name`, on the held-out games of folders.
///
/// # Errors
/// If the files cannot be read, do not fit together, or hold no positions with several labelled moves.
pub fn calibrate(name: &Path, bytes: &[u8], options: &CalibrationOptions) -> Result<Examination, TrainError> {
    let named = |source| TrainError::Model { path: name.to_owned(), source };
    let file = ModelFile::from_bytes(bytes).map_err(named)?;
    let kernels = GmoKernels::<f32>::from_file(&file).map_err(named)?;
    let read = ReadOptions {
        block_bytes: 1 << 30,
        threads: 1,
        seed: options.seed,
        validation_rows: options.positions,
    };
    let is_seed = file.header.encoder.contains("seed12");
    let source = Source::open_moves(&options.data, is_seed, &GmoLabelOptions::default(), read)?;
    if source.encoder().id() != file.header.encoder {
        let (found, expected) = (file.header.encoder.clone(), source.encoder().id().to_owned());
        return Err(TrainError::Encoder { found, expected });
    }
    let mut rows = source.validation()?;
    // Only searches that valued several moves say how far off each value is.
    rows.rows.retain(|row| row.labels.values.len() > 1 && row.labels.policy.is_empty());
    rows.rows.truncate(options.positions);
    if rows.rows.is_empty() {
        return Err(TrainError::Empty);
    }
    Ok(examine(&kernels, &rows, options))
}

fn examine(kernels: &GmoKernels<f32>, rows: &GmoRows, options: &CalibrationOptions) -> Examination {
    let hidden = kernels.net().shape.hidden;
    let mut rng = generator(options.seed, 0, 5);
    let (mut whole, mut dropped) = (DropoutMasks::default(), DropoutMasks::default());
    whole.nothing(hidden);
    let (mut workspace, mut told, mut points) = (GmoWorkspace::default(), GmoPoints::default(), Vec::new());
    let (mut errors, mut sigmas) = (Vec::new(), <[Vec<f64>; 5]>::default());
    let mut climber = Climber::new(kernels, options);
    for row in &rows.rows {
        let labels = &row.labels.values;
        kernels.begin(&row.input, &mut points, &mut workspace);
        kernels.forward(&points, &whole, &mut told, &mut workspace);
        errors.extend(told.values.iter().zip(labels).map(|(value, label)| f64::from(value - label)));
        sigmas[0].extend(told.log_variances.iter().map(|log| f64::from(*log).exp().sqrt()));
        sigmas[1].extend(told.errors.iter().map(|error| f64::from(*error).max(0.0).sqrt()));
        let members = kernels.net().shape.ensemble;
        if members > 1 {
            sigmas[2].extend(told.ensemble.chunks_exact(members).map(|of| deviation(of.iter().copied())));
        }
        sigmas[3].extend(told.spreads.iter().map(|spread| f64::from(*spread).max(0.0).sqrt()));
        let values = told.values.clone();
        dropped.draw(hidden, options.passes.max(2), options.dropout, &mut || rng.next_u64());
        kernels.forward(&points, &dropped, &mut told, &mut workspace);
        let count = labels.len();
        sigmas[4].extend((0..count).map(|m| deviation(told.values[m..].iter().step_by(count).copied())));
        climber.climb(&points, &values, &whole, &mut workspace);
    }
    let names = ["noise", "error", "ensemble", "bayes", "dropout"];
    let told = names.into_iter().zip(&sigmas).filter(|(_, sigmas)| sigmas.len() == errors.len());
    Examination {
        positions: rows.rows.len() as u64,
        moves: errors.len() as u64,
        squared_error: mean(errors.iter().map(|error| error * error)),
        calibrations: told.map(|(name, sigmas)| calibration(name, sigmas, &errors)).collect(),
        climbs: climber.finish(),
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len().max(1) as f64;
    numbers.sum::<f64>() / count
}

/// The standard deviation of a sample.
fn deviation(numbers: impl Iterator<Item = f32>) -> f64 {
    let numbers: Vec<f64> = numbers.map(f64::from).collect();
    let mean = mean(numbers.iter().copied());
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len().max(2) - 1) as f64).sqrt()
}

fn calibration(uncertainty: &'static str, sigmas: &[f64], errors: &[f64]) -> Calibration {
    let sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    let within = sigmas.iter().zip(&sizes).filter(|(sigma, size)| size <= sigma).count();
    let mut order: Vec<usize> = (0..sigmas.len()).collect();
    order.sort_by(|&one, &other| sigmas[one].total_cmp(&sigmas[other]));
    let reliability = order
        .chunks(order.len().div_ceil(10))
        .map(|group| {
            let sigma = mean(group.iter().map(|&index| sigmas[index]));
            [sigma, mean(group.iter().map(|&index| errors[index].powi(2))).sqrt()]
        })
        .collect();
    Calibration {
        uncertainty,
        correlation: correlation(sigmas, &sizes),
        coverage: within as f64 / sigmas.len() as f64,
        reliability,
    }
}

/// The correlation of two lists, 0 if one does not vary.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let means = [one, other].map(|list| mean(list.iter().copied()));
    let (mut both, mut squares) = (0.0, [0.0; 2]);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - means[0], b - means[1]);
        both += a * b;
        squares[0] += a * a;
        squares[1] += b * b;
    }
    let size = (squares[0] * squares[1]).sqrt();
    if size > 0.0 { both / size } else { 0.0 }
}

/// Climbs by the value alone, with nothing dropped, so that the condition is about one function.
struct Climber<'k> {
    kernels: &'k GmoKernels<f32>,
    options: &'k CalibrationOptions,
    ascent: Ascent,
    told: GmoPoints<f32>,
    slopes: GmoPoints<f32>,
    climbs: Climbs,
    positions: u64,
    points: u64,
}

impl<'k> Climber<'k> {
    fn new(kernels: &'k GmoKernels<f32>, options: &'k CalibrationOptions) -> Self {
        Self {
            kernels,
            options,
            ascent: Ascent::default(),
            told: GmoPoints::default(),
            slopes: GmoPoints::default(),
            climbs: Climbs::default(),
            positions: 0,
            points: 0,
        }
    }

    /// The values and slopes at some points.
    fn look(
        &mut self,
        points: &[f32],
        masks: &DropoutMasks<f32>,
        workspace: &mut GmoWorkspace<f32>,
    ) -> (Vec<f32>, Vec<f32>) {
        let count = points.len() / self.kernels.net().shape.moves;
        self.kernels.forward(points, masks, &mut self.told, workspace);
        self.slopes.reset(self.kernels, count, 1);
        self.slopes.values.fill(1.0);
        let mut slopes = Vec::new();
        self.kernels.backward(&self.slopes, masks, &mut slopes, workspace);
        (self.told.values.clone(), slopes)
    }

    /// Takes the best moves of a position uphill and back.
    fn climb(
        &mut self,
        legal: &[f32],
        values: &[f32],
        masks: &DropoutMasks<f32>,
        workspace: &mut GmoWorkspace<f32>,
    ) {
        let width = self.kernels.net().shape.moves;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
        let norm = |point: &[f32]| point.iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
        self.climbs.norm += legal.chunks_exact(width).map(norm).sum::<f64>();
        self.points += values.len() as u64;
        let mut found = f32::NEG_INFINITY;
        for &start in order.iter().take(self.options.top_k.max(1)) {
            let mut point = legal[start * width..][..width].to_vec();
            self.ascent.reset(width);
            for _ in 0..self.options.steps {
                let slopes = self.look(&point, masks, workspace).1;
                self.ascent.step(&mut point, &slopes, self.options.lr);
            }
            let to = nearest_by_angle(&point, legal);
            let target = &legal[to * width..][..width];
            // Points along the way back, the climb's end first.
            let way: Vec<f32> = point.iter().zip(target).map(|(from, to)| to - from).collect();
            let along: Vec<f32> = (0..ALONG)
                .flat_map(|at| {
                    let share = at as f32 / (ALONG - 1) as f32;
                    point.iter().zip(&way).map(move |(from, way)| from + share * way).collect::<Vec<_>>()
                })
                .collect();
            let distance = norm(&way);
            let (said, slopes) = self.look(&along, masks, workspace);
            let downhill = |slopes: &[f32]| -> f64 {
                let inner: f64 = slopes.iter().zip(&way).map(|(a, b)| f64::from(a * b)).sum();
                (-inner / distance.max(1e-12)).max(0.0)
            };
            let slope = slopes.chunks_exact(width).map(downhill).fold(0.0, f64::max);
            let gain = f64::from(said[0] - values[start]);
            let climbs = &mut self.climbs;
            climbs.climbs += 1;
            climbs.returned += f64::from(u8::from(to == start));
            climbs.guaranteed += f64::from(u8::from(gain >= slope * distance));
            climbs.better += f64::from(u8::from(values[to] > values[start]));
            climbs.worse += f64::from(u8::from(values[to] < values[start]));
            climbs.gain += gain;
            climbs.distance += distance / norm(target).max(1e-12);
            climbs.slope += slope;
            found = found.max(values[to]);
        }
        self.climbs.regret += f64::from(values[order[0]] - found);
        self.positions += 1;
    }

    /// Turns sums into means.
    fn finish(self) -> Climbs {
        let Self { mut climbs, positions, points, .. } = self;
        let count = climbs.climbs.max(1) as f64;
        let Climbs { returned, guaranteed, better, worse, gain, distance, slope, .. } = &mut climbs;
        for sum in [returned, guaranteed, better, worse, gain, distance, slope] {
            *sum /= count;
        }
        climbs.regret /= positions.max(1) as f64;
        climbs.norm /= points.max(1) as f64;
        climbs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_deviation_covers_two_thirds_and_groups_are_in_order() {
        let mut rng = generator(1, 0, 0);
        let mut normal = || {
            let uniform = |rng: &mut dyn FnMut() -> u64| (rng() >> 11) as f64 / (1_u64 << 53) as f64;
            (0..12).map(|_| uniform(&mut || rng.next_u64())).sum::<f64>() - 6.0
        };
        let sigmas: Vec<f64> = (0..20_000).map(|index| 0.1 + 0.9 * f64::from(index % 100) / 99.0).collect();
        let errors: Vec<f64> = sigmas.iter().map(|sigma| sigma * normal()).collect();
        let found = calibration("test", &sigmas, &errors);
        assert!((found.coverage - 0.68).abs() < 0.02, "{found:?}");
        assert!(found.correlation > 0.4 && found.reliability.len() == 10, "{found:?}");
        for [sigma, error] in &found.reliability {
            assert!((error / sigma - 1.0).abs() < 0.1, "{found:?}");
        }
        let constant = vec![0.5; errors.len()];
        assert!(calibration("test", &constant, &errors).correlation.abs() < 1e-12);
    }
}
