//! Gradient move optimisation.

use std::{collections::VecDeque, time::Instant};

use game::{FieldView, Game, MoveField, pick};
use rand::Rng;

use super::{
    AT_A_TIME, Bonus, Clock, gather,
    objective::{Appraisal, Objective},
    ranked, squared_distance,
    steps::{Ascent, first_best, nearest_by_angle},
    values_of,
};
use crate::{Agent, Candidate, Limits, Path, Report, Stop, noise::normal};

/// How an optimised point becomes a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Projection {
    /// The legal move whose point has the largest cosine with it.
    Cosine,
    /// The legal move that the field's own projection prefers.
    Learned,
}

/// What decides between the projected moves in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GmoChoice {
    /// The worth that the whole field says, with nothing left out.
    Value,
    /// The mean worth over passes.
    Mean,
    /// The mean worth and the bonus for what is unknown, as in self-play that explores.
    Bonus,
}

/// The options of [`Gmo`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GmoOptions {
    /// How many of the best-ranked moves are optimised.
    pub top_k: usize,
    /// Steps of each optimisation.
    pub optim_steps: usize,
    /// The rate of the steps.
    pub lr: f32,
    /// The weight of the bonus for what is unknown.
    pub beta: f32,
    /// The weight of novelty in the ranking.
    pub gamma: f32,
    /// A factor of `beta` during the optimisation.
    pub exploration_temp: f32,
    /// Passes over which uncertainty is estimated.
    pub mc_samples: usize,
    /// Chosen moves that novelty is measured against.
    pub novelty_memory_size: usize,
    /// Whether the bonus fades to nothing over the steps.
    pub anneal: bool,
    /// The bonus for what is unknown.
    pub bonus: Bonus,
    /// The weight of the barrier in front of points that are not legal.
    pub barrier: f32,
    /// How points become moves.
    pub projection: Projection,
    /// What decides in the end.
    pub choice: GmoChoice,
    /// The temperature of noise that is added to every step, as in Langevin dynamics.
    pub langevin: f32,
    /// Rank only this many legal moves, drawn at random; all others can be reached by projection alone.
    pub sample: Option<usize>,
}

impl Default for GmoOptions {
    fn default() -> Self {
        Self {
            top_k: 3,
            optim_steps: 2,
            lr: 0.1,
            beta: 0.1,
            gamma: 0.05,
            exploration_temp: 1.0,
            mc_samples: 10,
            novelty_memory_size: 1000,
            anneal: true,
            bonus: Bonus::Deviation,
            barrier: 0.0,
            projection: Projection::Cosine,
            choice: GmoChoice::Value,
            langevin: 0.0,
            sample: None,
        }
    }
}

impl GmoOptions {
    /// The defaults of the variant that explores by information gain and keeps to legal points.
    pub fn information() -> Self {
        Self {
            optim_steps: 5,
            beta: 0.2,
            anneal: false,
            bonus: Bonus::Information,
            barrier: 1.0,
            ..Self::default()
        }
    }
}

/// Ranks all legal moves by worth, uncertainty and novelty; takes the points of the best few uphill; and plays the best of
/// the legal moves that those points stand for.
///
/// Novelty is the distance to the nearest move chosen before, so an agent plays one game. Training decides how far apart
/// points are, so distances are relative to the mean norm of a position's points: `gamma` then means the same for every
/// network. The budget of [`Limits`] is
/// ignored. When time runs out or [`Stop`] is raised, the best move ranked so far is played.
pub struct Gmo<G: Game, R> {
    field: Box<dyn MoveField<G>>,
    rng: R,
    options: GmoOptions,
    /// The points of moves chosen before, oldest first.
    memory: VecDeque<Vec<f32>>,
    moves: Vec<G::Move>,
    pub(super) points: Vec<f32>,
    /// The mean norm of the points.
    norm: f32,
    view: FieldView,
    view_slopes: FieldView,
    slopes: Vec<f32>,
    ascent: Ascent,
}

/// Where an optimisation led.
struct Climb {
    /// The legal move it ended at.
    to: usize,
    /// The objective before every step.
    heights: Vec<f32>,
}

impl Climb {
    /// The last objective, less the first.
    fn gain(&self) -> f32 {
        self.heights.last().zip(self.heights.first()).map_or(0.0, |(last, first)| last - first)
    }
}

impl<G: Game, R: Rng> Gmo<G, R> {
    /// An agent that asks `field` and draws from `rng`.
    pub fn new(field: Box<dyn MoveField<G>>, rng: R, options: GmoOptions) -> Self {
        Self {
            field,
            rng,
            options,
            memory: VecDeque::new(),
            moves: Vec::new(),
            points: Vec::new(),
            norm: 1.0,
            view: FieldView::default(),
            view_slopes: FieldView::default(),
            slopes: Vec::new(),
            ascent: Ascent::default(),
        }
    }

    /// The relative distance of a point to the nearest move chosen before, 1 if there is none.
    pub(super) fn novelty(&self, point: &[f32]) -> f32 {
        let distances = self.memory.iter().map(|other| squared_distance(point, other));
        distances.reduce(f32::min).map_or(1.0, |squared| squared.sqrt() / self.norm)
    }

    /// Sets the unit of distances to the mean norm of the points.
    pub(super) fn measure(&mut self) {
        let points = self.points.chunks_exact(self.field.dimension());
        let count = points.len() as f32;
        let norm = points.map(|point| point.iter().map(|x| x * x).sum::<f32>().sqrt()).sum::<f32>();
        self.norm = if norm > 0.0 { norm / count } else { 1.0 };
    }

    /// Draws what the next looks leave out.
    fn draw(&mut self, passes: usize) {
        let rng = &mut self.rng;
        self.field.draw(passes, &mut || rng.next_u64());
    }

    /// Appraises legal moves until time is over; the others have none.
    fn appraise(&mut self, places: &[usize], clock: &Clock<'_>) -> Vec<Option<Appraisal>> {
        let dimension = self.field.dimension();
        let mut appraisals = vec![None; self.moves.len()];
        let mut points = Vec::new();
        for (index, some) in places.chunks(AT_A_TIME).enumerate() {
            // Some moves are always looked at, so that there is something to choose from.
            if index > 0 && clock.is_over() {
                break;
            }
            gather(&self.points, dimension, some, &mut points);
            self.field.look(&points, &mut self.view);
            for (index, &m) in some.iter().enumerate() {
                appraisals[m] = Some(Appraisal::new(&self.view, index, some.len()));
            }
        }
        appraisals
    }

    /// Takes the points of `starts` uphill together, and projects them.
    fn climb(&mut self, starts: &[usize], clock: &Clock<'_>) -> Vec<Climb> {
        let dimension = self.field.dimension();
        let GmoOptions { optim_steps, lr, beta, exploration_temp, mc_samples, anneal, .. } = self.options;
        let mut points = Vec::new();
        gather(&self.points, dimension, starts, &mut points);
        self.ascent.reset(points.len());
        let mut heights = vec![Vec::with_capacity(optim_steps); starts.len()];
        for step in 0..optim_steps {
            if clock.is_over() {
                break;
            }
            let share =
                if anneal { 1.0 - step as f32 / optim_steps.saturating_sub(1).max(1) as f32 } else { 1.0 };
            let objective = Objective {
                bonus: self.options.bonus,
                weight: beta * share * exploration_temp,
                barrier: self.options.barrier,
            };
            self.draw(mc_samples);
            self.field.look(&points, &mut self.view);
            for (index, heights) in heights.iter_mut().enumerate() {
                heights.push(objective.at(&Appraisal::new(&self.view, index, starts.len())));
            }
            objective.slopes(&self.view, starts.len(), &mut self.view_slopes);
            self.field.slopes(&self.view_slopes, &mut self.slopes);
            self.ascent.step(&mut points, &self.slopes, lr);
            if self.options.langevin > 0.0 {
                let scale = (2.0 * lr * self.options.langevin).sqrt();
                for x in &mut points {
                    *x += scale * normal(&mut self.rng) as f32;
                }
            }
        }
        let mut logits = Vec::new();
        let ends = points.chunks_exact(dimension).zip(heights);
        ends.map(|(point, heights)| {
            let learned = self.options.projection == Projection::Learned
                && self.field.project(point, &self.points, &mut logits);
            let to = if learned {
                first_best(logits.iter().copied())
            } else {
                nearest_by_angle(point, &self.points)
            };
            Climb { to, heights }
        })
        .collect()
    }

    /// The legal moves to rank: all of them, or a sample without repetition.
    fn sample(&mut self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.moves.len()).collect();
        if let Some(count) = self.options.sample.filter(|&count| count < places.len()) {
            for place in 0..count {
                let other = place + pick(&mut self.rng, places.len() - place);
                places.swap(place, other);
            }
            places.truncate(count);
        }
        places
    }

    pub(super) fn remember(&mut self, m: usize) {
        let dimension = self.field.dimension();
        if self.options.novelty_memory_size == 0 {
            return;
        }
        if self.memory.len() == self.options.novelty_memory_size {
            self.memory.pop_front();
        }
        self.memory.push_back(self.points[m * dimension..][..dimension].to_vec());
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Gmo<G, R> {
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
            return Report { time: start.elapsed(), ..Report::new("gmo", vec![Candidate::new(only)]) };
        }
        let dimension = self.field.dimension();
        self.field.begin(root, &self.moves, &mut self.points);
        self.measure();
        // Phase 1: rank by worth, what is unknown, and novelty.
        let places = self.sample();
        self.draw(self.options.mc_samples);
        let appraisals = self.appraise(&places, &clock);
        let novelties: Vec<f32> = match self.options.gamma {
            0.0 => vec![0.0; self.moves.len()],
            _ => self.points.chunks_exact(dimension).map(|point| self.novelty(point)).collect(),
        };
        let GmoOptions { beta, gamma, bonus, .. } = self.options;
        let scores: Vec<f32> = appraisals
            .iter()
            .zip(&novelties)
            .map(|(appraisal, novelty)| {
                let score = |appraisal: &Appraisal| appraisal.mean + beta * appraisal.bonus(bonus);
                appraisal.as_ref().map_or(f32::NEG_INFINITY, score) + gamma * novelty
            })
            .collect();
        let mut order = places;
        order.retain(|&m| appraisals[m].is_some());
        order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
        let starts = &order[..self.options.top_k.clamp(1, order.len())];
        // Phase 2: climb from the best, and project.
        let climbs = self.climb(starts, &clock);
        let mut ends: Vec<usize> = climbs.iter().map(|climb| climb.to).collect();
        ends.sort_unstable();
        ends.dedup();
        self.draw(if self.options.choice == GmoChoice::Value { 0 } else { self.options.mc_samples });
        let finals = self.appraise(&ends, &clock);
        let last = |m: usize| {
            let appraisal = finals[m].expect("the few last moves fit into one batch");
            let bonus =
                if self.options.choice == GmoChoice::Bonus { beta * appraisal.bonus(bonus) } else { 0.0 };
            appraisal.mean + bonus
        };
        let best = ends[first_best(ends.iter().map(|&m| last(m)))];
        self.remember(best);
        // The report.
        let mover = root.to_move();
        let mut looked = 0;
        let candidates = (self.moves.iter().zip(&appraisals))
            .zip(scores.iter().zip(&novelties))
            .map(|((&m, appraisal), (&score, &novelty))| {
                looked += u64::from(appraisal.is_some());
                let values = appraisal.map(|appraisal| values_of(root, mover, appraisal.mean));
                let visits = u64::from(appraisal.is_some());
                let sigma = appraisal.map(|appraisal| appraisal.variance.max(0.0).sqrt());
                let novelty = (gamma > 0.0).then_some(novelty);
                (Candidate { visits, values, sigma, novelty, ..Candidate::new(m) }, score)
            })
            .collect();
        let means = |m: usize| appraisals[m].map_or(f32::NEG_INFINITY, |appraisal| appraisal.mean);
        let most = (0..self.moves.len()).map(means).fold(f32::NEG_INFINITY, f32::max);
        let chosen = appraisals[best].or(finals[best]).unwrap_or_default();
        let moved = climbs.iter().zip(starts).filter(|(climb, start)| climb.to != **start).count();
        let gain = climbs.iter().map(Climb::gain).sum::<f32>() / climbs.len() as f32;
        let details = vec![
            ("value", f64::from(chosen.mean)),
            ("sigma", f64::from(chosen.variance.max(0.0).sqrt())),
            ("novelty", f64::from(novelties[best])),
            ("gain", f64::from(gain)),
            ("moved", moved as f64),
            // By how much the move played is ranked below the best one, by mean worth.
            ("regret", f64::from((most - chosen.mean).max(0.0))),
        ];
        let candidates = ranked(candidates, (0..self.moves.len()).map(means), best);
        let paths = climbs.into_iter().zip(starts).map(|(Climb { to, heights }, &from)| Path {
            from: Some(self.moves[from]),
            to: self.moves[to],
            heights,
        });
        let paths = paths.collect();
        Report {
            nodes: looked,
            time: start.elapsed(),
            values: Some(values_of(root, mover, chosen.mean)),
            details,
            paths,
            ..Report::new("gmo", candidates)
        }
    }
}
