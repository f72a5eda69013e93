//! Training of one network on the rows of a stage.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use eval::{OMEGA_PLANES, omega_planes};
use game::{derive_seed, pick};
use go::{Point, Points, SYMMETRIES, image};
use lab::atomic_file;
use nn::{
    AdamW, AdamWOptions, Grid, Header, ModelFile, PlaneGradient, PlaneKernels, PlaneNet, PlaneWorkspace,
    Schedule, softmax_cross_entropy,
};

use crate::{
    Config, Event, Observer, OmegaRunError,
    playing::generator,
    rows::Row,
    targets::{WHOLE, moves},
};

/// What a network learns from rows.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a> {
    /// Their outcomes.
    Value,
    /// Their targets: shares of moves, and the place of every row's first one.
    Policy {
        /// Shares of all moves of all rows.
        shares: &'a [u16],
        /// Where those of a row begin.
        places: &'a [usize],
    },
}

/// A network's training.
pub(crate) struct Fit<'a, P> {
    pub(crate) config: &'a Config,
    pub(crate) stage: u32,
    /// What the network is called in events.
    pub(crate) name: String,
    /// Distinguishes the random numbers of networks.
    pub(crate) purpose: u64,
    pub(crate) rows: &'a [Row<P>],
    /// The rows to learn from.
    pub(crate) chosen: Vec<u32>,
    pub(crate) goal: Goal<'a>,
    pub(crate) passes: u32,
    pub(crate) checkpoint: PathBuf,
}

/// One row of so many is not trained on.
const HELD_OUT: u32 = 50;

/// Steps between two events.
const REPORT_EVERY: u64 = 20;

/// Time between two checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(20);

/// How far weights of prioritised rows may differ from 1.
const MOST_WEIGHT: f32 = 4.0;

/// The state of a training.
struct State {
    net: PlaneNet<f32>,
    optimiser: AdamW,
    /// The rows of the pass, with their weights.
    order: Vec<(u32, f32)>,
}

/// Buffers of a thread.
struct Worker {
    gradient: PlaneGradient<f32>,
    workspace: PlaneWorkspace<f32>,
    planes: Vec<f32>,
    natural: Vec<f32>,
}

const OPTIMISER: AdamWOptions = AdamWOptions {
    beta1: 0.9,
    beta2: 0.999,
    epsilon: 1e-8,
    weight_decay: 1e-3,
    max_norm: Some(1.0),
    clip: None,
};

impl<P: Points> Fit<'_, P> {
    /// Trains `net`, continuing from a checkpoint if there is one. Returns `None` if the observer stops it.
    pub(crate) fn run(
        &self,
        net: PlaneNet<f32>,
        observe: &mut Observer<'_>,
    ) -> Result<Option<(PlaneNet<f32>, f32)>, OmegaRunError> {
        let held_out = |row: &u32| self.chosen.len() > 4 * HELD_OUT as usize && row % HELD_OUT == 7;
        let (validation, training): (Vec<u32>, Vec<u32>) = self.chosen.iter().copied().partition(held_out);
        if training.is_empty() {
            return Ok(Some((net, f32::NAN)));
        }
        let batch = self.config.batch as usize;
        let per_pass = training.len().div_ceil(batch) as u64;
        let steps = per_pass * u64::from(self.passes);
        let peak = self.config.learning_rate * if self.stage == 0 { 1.0 } else { 0.5 };
        let schedule = Schedule { peak, last: peak / 50.0, warmup: steps / 50, steps };
        let mut state = self.restore(net)?;
        let grid = Grid::full(self.config.size.into(), self.config.size.into());
        let symmetries = symmetries(self.config.size.into());
        let mut kernels = PlaneKernels::for_learning(state.net.clone(), grid.clone());
        let mut workers: Vec<Worker> = (0..self.config.threads).map(|_| Worker::new(&kernels)).collect();
        let (mut loss, mut saved) = (f32::NAN, Instant::now());
        while state.optimiser.steps() < steps {
            let step = state.optimiser.steps();
            let (pass, place) = (step / per_pass, (step % per_pass) as usize);
            if place == 0 || state.order.is_empty() {
                state.order = self.order(pass, &training, &kernels, &mut workers[0], &symmetries);
            }
            let rows = state.order.chunks(batch).nth(place).expect("a pass has as many batches as steps");
            let sum = self.batch(rows, pass, &kernels, &mut workers, &symmetries);
            let (first, others) = workers.split_first_mut().expect("there is at least one thread");
            for other in others {
                first.gradient.add(&other.gradient);
            }
            let gradient = kernels.finish(&first.gradient, 1.0 / rows.len() as f32);
            let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
            let norm = state.optimiser.step(&mut state.net.parameters_mut(), &slopes, schedule.rate(step));
            let mean = sum / rows.len() as f32;
            if !(mean.is_finite() && norm.is_finite()) {
                return Err(OmegaRunError::Diverged { net: self.name.clone(), step });
            }
            loss = if loss.is_nan() { mean } else { 0.98 * loss + 0.02 * mean };
            kernels = PlaneKernels::for_learning(state.net.clone(), grid.clone());
            let step = step + 1;
            let mut stopped = false;
            if step.is_multiple_of(REPORT_EVERY) && step < steps {
                stopped = !observe(&self.event(step, steps, loss, None));
            }
            if stopped || saved.elapsed() >= CHECKPOINT_EVERY {
                self.save(&state)?;
                saved = Instant::now();
            }
            if stopped {
                return Ok(None);
            }
        }
        let mut sum = 0.0;
        let weighed: Vec<(u32, f32)> = validation.iter().map(|&row| (row, 1.0)).collect();
        for rows in weighed.chunks(batch) {
            sum += self.batch(rows, 0, &kernels, &mut workers, &symmetries);
        }
        let validation = sum / validation.len() as f32;
        observe(&self.event(steps, steps, loss, Some(validation).filter(|loss| loss.is_finite())));
        Ok(Some((state.net, validation)))
    }

    fn event(&self, step: u64, steps: u64, loss: f32, validation: Option<f32>) -> Event<'_> {
        Event::Training { stage: self.stage, net: &self.name, step, steps, loss, validation }
    }

    /// The rows of a pass in the order in which they are seen, with their weights.
    fn order(
        &self,
        pass: u64,
        training: &[u32],
        kernels: &PlaneKernels<f32>,
        worker: &mut Worker,
        symmetries: &[Vec<usize>],
    ) -> Vec<(u32, f32)> {
        let mut rng = generator(self.config.seed, pass, u64::from(self.stage) << 8 | self.purpose);
        if self.config.prioritised > 0.0 && pass > 0 {
            // Rows with large errors are drawn more often, and weigh less, so that the mean stays about the same.
            let mut weights = Vec::with_capacity(training.len());
            for &row in training {
                let error = self.losses(&[(row, 1.0)], 0, kernels, worker, symmetries).sqrt();
                weights.push((error + 0.01).powf(self.config.prioritised));
            }
            let mean = weights.iter().sum::<f32>() / weights.len() as f32;
            let mut sums: Vec<f64> = Vec::with_capacity(weights.len());
            for weight in &weights {
                sums.push(sums.last().unwrap_or(&0.0) + f64::from(*weight));
            }
            let total = sums.last().copied().unwrap_or(1.0);
            let draw = |_| {
                let place = pick(&mut rng, 1 << 53) as f64 / (1_u64 << 53) as f64 * total;
                let index = sums.partition_point(|sum| *sum <= place).min(training.len() - 1);
                (training[index], (mean / weights[index]).sqrt().min(MOST_WEIGHT))
            };
            return (0..training.len()).map(draw).collect();
        }
        let mut order: Vec<(u32, f32)> = training.iter().map(|&row| (row, 1.0)).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, pick(&mut rng, last + 1));
        }
        order
    }

    /// The sum of losses of rows, whose gradients are left with the workers.
    fn batch(
        &self,
        rows: &[(u32, f32)],
        pass: u64,
        kernels: &PlaneKernels<f32>,
        workers: &mut [Worker],
        symmetries: &[Vec<usize>],
    ) -> f32 {
        let part = rows.len().div_ceil(workers.len()).max(1);
        let (own, others) = workers.split_first_mut().expect("there is at least one thread");
        let mut parts = rows.chunks(part);
        let first = parts.next().unwrap_or_default();
        thread::scope(|scope| {
            let handles: Vec<_> = others
                .iter_mut()
                .map(|worker| {
                    let rows = parts.next().unwrap_or_default();
                    scope.spawn(move || self.losses(rows, pass, kernels, worker, symmetries))
                })
                .collect();
            let sum = self.losses(first, pass, kernels, own, symmetries);
            let others = handles.into_iter().map(|handle| handle.join().expect("losses do not panic"));
            others.fold(sum, |sum, more| sum + more)
        })
    }

    /// The sum of losses of rows, whose gradients replace those of the worker.
    fn losses(
        &self,
        rows: &[(u32, f32)],
        pass: u64,
        kernels: &PlaneKernels<f32>,
        worker: &mut Worker,
        symmetries: &[Vec<usize>],
    ) -> f32 {
        worker.gradient.clear();
        worker.planes.clear();
        let symmetry = |row: u32| {
            let purpose = pass << 8 | self.purpose;
            &symmetries[derive_seed(self.config.seed, u64::from(row), purpose) as usize % SYMMETRIES]
        };
        for &(row, _) in rows {
            worker.push(&self.rows[row as usize], symmetry(row));
        }
        let (mut sum, mut logits, mut target, mut of_logits) = (0.0, Vec::new(), Vec::new(), Vec::new());
        let size = usize::from(self.config.size);
        let mut loss = |outputs: &[f32], index: usize, slopes: &mut [f32]| {
            let (number, weight) = rows[index];
            let row = &self.rows[number as usize];
            match self.goal {
                Goal::Value => {
                    let error = outputs[0] - row.outcome;
                    slopes[0] = 2.0 * weight * error;
                    sum += error * error;
                }
                Goal::Policy { shares, places } => {
                    let cells = symmetry(number);
                    let place = |m: go::Move| match m.point() {
                        Some(point) => cells[point.row() * size + point.column()],
                        None => size * size,
                    };
                    logits.clear();
                    logits.extend(moves(row).map(|m| outputs[place(m)]));
                    let shares = &shares[places[number as usize]..][..logits.len()];
                    target.clear();
                    target.extend(shares.iter().map(|share| f32::from(*share) / WHOLE));
                    of_logits.clear();
                    of_logits.resize(logits.len(), 0.0);
                    sum += softmax_cross_entropy(&logits, &target, &mut of_logits);
                    for (m, slope) in moves(row).zip(&of_logits) {
                        slopes[place(m)] = weight * slope;
                    }
                }
            }
        };
        let Worker { gradient, workspace, planes, .. } = worker;
        kernels.accumulate(planes, gradient, workspace, &mut loss);
        sum
    }

    fn save(&self, state: &State) -> Result<(), OmegaRunError> {
        let provenance = BTreeMap::from([("step".to_owned(), state.optimiser.steps().to_string())]);
        let header = Header {
            kind: "omega-checkpoint".to_owned(),
            encoder: String::new(),
            shape: BTreeMap::new(),
            provenance,
        };
        let mut file = ModelFile { header, tensors: BTreeMap::new() };
        state.net.add_to(&mut file, "net");
        for (index, moments) in state.optimiser.moments().iter().enumerate() {
            for (name, numbers) in ["mean", "variance"].into_iter().zip(moments) {
                file.tensors.insert(format!("{name}.{index}"), (vec![numbers.len()], numbers.clone()));
            }
        }
        // Numbers of rows are small enough to be exact.
        let order: Vec<f32> = state.order.iter().flat_map(|&(row, weight)| [row as f32, weight]).collect();
        file.tensors.insert("order".to_owned(), (vec![order.len()], order));
        atomic_file::write(&self.checkpoint, file.to_bytes()).map_err(OmegaRunError::io(&self.checkpoint))
    }

    /// The state of the checkpoint, or of a training that begins with `net`.
    fn restore(&self, net: PlaneNet<f32>) -> Result<State, OmegaRunError> {
        let lengths: Vec<usize> = net.parameters().iter().map(|group| group.2.len()).collect();
        let bytes = match fs::read(&self.checkpoint) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(State { net, optimiser: AdamW::new(OPTIMISER, lengths), order: Vec::new() });
            }
            Err(source) => return Err(OmegaRunError::Io { path: self.checkpoint.clone(), source }),
        };
        let damaged = |error: nn::ModelError| OmegaRunError::Damaged {
            path: self.checkpoint.clone(),
            problem: error.to_string(),
        };
        let file = ModelFile::from_bytes(&bytes).map_err(damaged)?;
        let net = PlaneNet::read_from(&file, "net").map_err(damaged)?;
        let mut moments = Vec::new();
        for (index, &length) in lengths.iter().enumerate() {
            let list = |name: &str| file.tensor(&format!("{name}.{index}"), length).map(<[f32]>::to_vec);
            moments.push([list("mean").map_err(damaged)?, list("variance").map_err(damaged)?]);
        }
        let step = file.header.provenance.get("step").and_then(|text| text.parse().ok());
        let step = step.ok_or_else(|| damaged(nn::ModelError::MissingField("step")))?;
        let order = file.tensors.get("order").map_or(&[][..], |(_, numbers)| &numbers[..]);
        let order = order.as_chunks::<2>().0.iter().map(|&[row, weight]| (row as u32, weight)).collect();
        Ok(State { net, optimiser: AdamW::restore(OPTIMISER, step, moments), order })
    }
}

impl Worker {
    fn new(kernels: &PlaneKernels<f32>) -> Self {
        let capacity = (1024 / kernels.grid().cells()).clamp(4, 64);
        Self {
            gradient: kernels.no_gradient(),
            workspace: kernels.workspace(capacity),
            planes: Vec::new(),
            natural: Vec::new(),
        }
    }

    /// Appends the planes of a row, moved by a symmetry.
    fn push<P: Points>(&mut self, row: &Row<P>, cells: &[usize]) {
        self.natural.clear();
        omega_planes(&row.position(), row.sensible, &mut self.natural);
        let first = self.planes.len();
        self.planes.resize(first + self.natural.len(), 0.0);
        for (cell, planes) in self.natural.chunks_exact(OMEGA_PLANES).enumerate() {
            self.planes[first + cells[cell] * OMEGA_PLANES..][..OMEGA_PLANES].copy_from_slice(planes);
        }
    }
}

/// For every symmetry, where it moves each cell.
fn symmetries(size: usize) -> Vec<Vec<usize>> {
    let moved = |symmetry: usize, cell: usize| {
        let point = image(Point::new(cell % size, cell / size), size, symmetry);
        point.row() * size + point.column()
    };
    (0..SYMMETRIES).map(|symmetry| (0..size * size).map(|cell| moved(symmetry, cell)).collect()).collect()
}
