//! Energy-based move optimisation.

use std::time::Instant;

use game::{FieldView, Game, MoveField, pick};
use rand::Rng;

use super::{
    AT_A_TIME, Clock, gather, ranked, softmax,
    steps::{Ascent, first_best, nearest},
    values_of,
};
use crate::{Agent, Candidate, Limits, Path, Report, Stop, noise::normal};

/// How the move of the lowest energy is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EbmoMode {
    /// By the energies of all legal moves.
    Direct,
    /// By descent through the space of points, pulled towards legal moves from time to time.
    Gradient,
    /// By descent of the weights of a mixture of legal moves.
    Manifold,
}

/// The options of [`Ebmo`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EbmoOptions {
    /// How the move is found.
    pub mode: EbmoMode,
    /// Steps of a descent.
    pub optim_steps: usize,
    /// The rate of the steps.
    pub optim_lr: f32,
    /// Descents, from different legal moves.
    pub num_restarts: usize,
    /// The temperature at which points are pulled towards legal moves.
    pub projection_temperature: f32,
    /// Steps between two pulls.
    pub project_every_n_steps: usize,
    /// What is added to the energy of doing nothing when something can be done.
    pub skip_penalty: f32,
    /// The temperature of noise that is added to every step, as in Langevin dynamics.
    pub langevin: f32,
    /// Look at only this many legal moves, drawn at random; all others can be reached by descent alone.
    pub sample: Option<usize>,
}

impl Default for EbmoOptions {
    fn default() -> Self {
        Self {
            mode: EbmoMode::Direct,
            optim_steps: 100,
            optim_lr: 0.1,
            num_restarts: 8,
            projection_temperature: 0.3,
            project_every_n_steps: 10,
            skip_penalty: 5.0,
            langevin: 0.0,
            sample: None,
        }
    }
}

/// The largest weight of a mixture's entropy, which fades over the steps.
const ENTROPY: f32 = 0.01;

/// The weight that a mixture starts with for doing nothing.
const SKIP_WEIGHT: f32 = -5.0;

/// Plays the legal move of the lowest energy that it finds.
///
/// The field's worth of a point is its energy with the opposite sign. The budget of [`Limits`] is ignored. When time runs
/// out or [`Stop`] is raised, the best move found so far is played.
pub struct Ebmo<G: Game, R> {
    field: Box<dyn MoveField<G>>,
    rng: R,
    options: EbmoOptions,
    moves: Vec<G::Move>,
    points: Vec<f32>,
    view: FieldView,
    slopes: Vec<f32>,
    ascent: Ascent,
    /// How many points were looked at.
    looked: u64,
    /// The energies of the points of the last descent before every step, one list per point.
    heights: Vec<Vec<f32>>,
}

impl<G: Game, R: Rng> Ebmo<G, R> {
    /// An agent that asks `field` and draws from `rng`.
    pub fn new(field: Box<dyn MoveField<G>>, rng: R, options: EbmoOptions) -> Self {
        Self {
            field,
            rng,
            options,
            moves: Vec::new(),
            points: Vec::new(),
            view: FieldView::default(),
            slopes: Vec::new(),
            ascent: Ascent::default(),
            looked: 0,
            heights: Vec::new(),
        }
    }

    /// The energies of legal moves, with the penalty for doing nothing; `None` for moves that were not looked at.
    fn energies(&mut self, places: &[usize], clock: &Clock<'_>) -> Vec<Option<f32>> {
        let dimension = self.field.dimension();
        let penalised = self.moves.iter().any(|&m| !self.field.is_skip(m));
        let mut energies = vec![None; self.moves.len()];
        let mut points = Vec::new();
        for (index, some) in places.chunks(AT_A_TIME).enumerate() {
            // Some moves are always looked at, so that there is something to choose from.
            if index > 0 && clock.is_over() {
                break;
            }
            gather(&self.points, dimension, some, &mut points);
            self.field.look(&points, &mut self.view);
            self.looked += some.len() as u64;
            for (&m, worth) in some.iter().zip(&self.view.samples) {
                let skips = penalised && self.field.is_skip(self.moves[m]);
                energies[m] = Some(if skips { self.options.skip_penalty } else { 0.0 } - worth);
            }
        }
        energies
    }

    /// The worth of points and its slopes, one row each.
    fn look_with_slopes(&mut self, points: &[f32]) {
        self.field.look(points, &mut self.view);
        let count = points.len() / self.field.dimension();
        self.looked += count as u64;
        self.heights.resize_with(count, Vec::new);
        for (heights, worth) in self.heights.iter_mut().zip(&self.view.samples) {
            heights.push(-worth);
        }
        let slopes = FieldView { samples: vec![1.0; count], ..FieldView::default() };
        self.field.slopes(&slopes, &mut self.slopes);
    }

    /// Descends from some legal moves, and returns the legal moves next to where that ends.
    fn descend(&mut self, starts: &[usize], clock: &Clock<'_>) -> Vec<usize> {
        let dimension = self.field.dimension();
        let EbmoOptions { optim_steps, optim_lr, project_every_n_steps, langevin, .. } = self.options;
        let mut points = Vec::new();
        gather(&self.points, dimension, starts, &mut points);
        for step in 1..=optim_steps {
            if clock.is_over() {
                break;
            }
            self.look_with_slopes(&points);
            for (x, slope) in points.iter_mut().zip(&self.slopes) {
                *x += optim_lr * slope;
            }
            if langevin > 0.0 {
                let scale = (2.0 * optim_lr * langevin).sqrt();
                for x in &mut points {
                    *x += scale * normal(&mut self.rng) as f32;
                }
            }
            if project_every_n_steps > 0 && step % project_every_n_steps == 0 {
                points.chunks_exact_mut(dimension).for_each(|point| self.pull(point));
            }
        }
        points.chunks_exact(dimension).map(|point| nearest(point, &self.points)).collect()
    }

    /// Replaces a point by the mean of the legal points, weighted by nearness.
    fn pull(&self, point: &mut [f32]) {
        let temperature = self.options.projection_temperature;
        let rows = || self.points.chunks_exact(point.len());
        let mut weights: Vec<f32> =
            rows().map(|row| -super::squared_distance(row, point).sqrt() / temperature).collect();
        softmax(&mut weights);
        let mut pulled = vec![0.0; point.len()];
        for (row, &weight) in rows().zip(&weights) {
            pulled.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
        }
        point.copy_from_slice(&pulled);
    }

    /// Descends the weights of mixtures of legal moves, and returns the heaviest move of each.
    fn mix(&mut self, count: usize, clock: &Clock<'_>) -> Vec<usize> {
        let (dimension, moves) = (self.field.dimension(), self.moves.len());
        let mut logits: Vec<f32> = (0..count * moves).map(|_| 0.1 * normal(&mut self.rng) as f32).collect();
        let mut skips: Vec<bool> = self.moves.iter().map(|&m| self.field.is_skip(m)).collect();
        if skips.iter().all(|&skips| skips) {
            skips.fill(false);
        }
        for (index, logit) in logits.iter_mut().enumerate() {
            if skips[index % moves] {
                *logit = SKIP_WEIGHT;
            }
        }
        self.ascent.reset(logits.len());
        let (mut shares, mut points) = (logits.clone(), vec![0.0; count * dimension]);
        let mut uphill = vec![0.0; logits.len()];
        for step in 0..self.options.optim_steps {
            if clock.is_over() {
                break;
            }
            shares.copy_from_slice(&logits);
            points.fill(0.0);
            for (shares, point) in shares.chunks_exact_mut(moves).zip(points.chunks_exact_mut(dimension)) {
                softmax(shares);
                for (row, &share) in self.points.chunks_exact(dimension).zip(shares.iter()) {
                    point.iter_mut().zip(row).for_each(|(sum, x)| *sum += share * x);
                }
            }
            self.look_with_slopes(&points);
            let weight = ENTROPY * (1.0 - step as f32 / self.options.optim_steps as f32);
            for (index, shares) in shares.chunks_exact(moves).enumerate() {
                let slopes = &self.slopes[index * dimension..][..dimension];
                let uphill = &mut uphill[index * moves..][..moves];
                let rows = self.points.chunks_exact(dimension).zip(&skips);
                for (slope, (row, &skips)) in uphill.iter_mut().zip(rows) {
                    let penalty = if skips { self.options.skip_penalty } else { 0.0 };
                    *slope = row.iter().zip(slopes).map(|(x, slope)| x * slope).sum::<f32>() - penalty;
                }
                let mean: f32 = uphill.iter().zip(shares).map(|(slope, share)| slope * share).sum();
                let log = |share: f32| share.max(1e-12).ln();
                let entropy: f32 = -shares.iter().map(|&share| share * log(share)).sum::<f32>();
                for (slope, &share) in uphill.iter_mut().zip(shares) {
                    *slope = share * (*slope - mean) - weight * share * (log(share) + entropy);
                }
            }
            self.ascent.step(&mut logits, &uphill, self.options.optim_lr);
        }
        logits.chunks_exact(moves).map(|logits| first_best(logits.iter().copied())).collect()
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Ebmo<G, R> {
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let clock = Clock { start, limits, stop };
        let mut moves = std::mem::take(&mut self.moves);
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        self.moves = moves;
        if let [only] = self.moves[..] {
            return Report { time: start.elapsed(), ..Report::new("ebmo", vec![Candidate::new(only)]) };
        }
        self.looked = 0;
        self.heights.clear();
        self.field.begin(root, &self.moves, &mut self.points);
        self.field.draw(0, &mut || 0);
        let mut places: Vec<usize> = (0..self.moves.len()).collect();
        for place in 0..places.len() {
            let other = place + pick(&mut self.rng, places.len() - place);
            places.swap(place, other);
        }
        let (restarts, count) = (self.options.num_restarts.max(1), self.moves.len());
        let mut starts = Vec::new();
        let mut ends = match self.options.mode {
            EbmoMode::Direct => {
                places.truncate(self.options.sample.unwrap_or(count).max(1));
                places
            }
            EbmoMode::Gradient => {
                starts = (0..restarts).map(|index| places[index % count]).collect();
                self.descend(&starts, &clock)
            }
            EbmoMode::Manifold => self.mix(restarts, &clock),
        };
        let heights = std::mem::take(&mut self.heights).into_iter();
        let paths = heights.zip(&ends).enumerate().map(|(index, (heights, &to))| Path {
            from: starts.get(index).map(|&from: &usize| self.moves[from]),
            to: self.moves[to],
            heights,
        });
        let paths: Vec<Path<G::Move>> = paths.collect();
        ends.sort_unstable();
        ends.dedup();
        let energies = self.energies(&ends, &clock);
        let worth = |energy: &Option<f32>| energy.map_or(f32::NEG_INFINITY, |energy| -energy);
        let best = first_best(energies.iter().map(worth));
        let mover = root.to_move();
        // Energies are trained towards −1 for wins and 1 for losses.
        let value = |energy: f32| (-energy).clamp(-1.0, 1.0);
        let candidates = (self.moves.iter().zip(&energies))
            .map(|(&m, energy)| {
                let values = energy.map(|energy| values_of(root, mover, value(energy)));
                let visits = u64::from(energy.is_some());
                (Candidate { visits, values, energy: *energy, ..Candidate::new(m) }, worth(energy))
            })
            .collect();
        let energy = energies[best].unwrap_or_default();
        let details = vec![("energy", f64::from(energy)), ("ends", ends.len() as f64)];
        let candidates = ranked(candidates, energies.iter().map(worth), best);
        Report {
            nodes: self.looked,
            time: start.elapsed(),
            values: Some(values_of(root, mover, value(energy))),
            details,
            paths,
            ..Report::new("ebmo", candidates)
        }
    }
}
