//! Agents that follow the slope of a move's worth through a space in which moves are points.
//!
//! Both kinds ask a [`game::MoveField`] for the points of the legal moves. [`Gmo`] ranks all moves by worth, uncertainty
//! and novelty, takes the best few a number of steps uphill, and plays the best legal move near where they arrive.
//! [`Ebmo`] plays the legal move of the lowest energy, found by scoring all of them, by descent from several of them, or by
//! descent within mixtures of legal moves.
//!
//! Neither looks ahead. The worth of a legal move is exact at its point, so scoring every legal move bounds what any path
//! through the space can find; `docs/agents/gmo.md` says when a path cannot do worse.

mod ebmo;
mod gmo;
mod objective;
mod steps;
#[cfg(test)]
mod tests;

use std::time::Instant;

use game::{Game, Seat, Values};

use crate::{Candidate, Limits, Stop};

pub use ebmo::{Ebmo, EbmoMode, EbmoOptions};
pub use gmo::{Gmo, GmoChoice, GmoOptions, Projection};
pub use objective::Bonus;
pub use steps::{Ascent, nearest_by_angle};

/// Moves that are looked at in one batch. Time and [`Stop`] are checked between batches.
const AT_A_TIME: usize = 64;

/// Whether a decision has to end.
struct Clock<'a> {
    start: Instant,
    limits: &'a Limits,
    stop: &'a Stop,
}

impl Clock<'_> {
    fn is_over(&self) -> bool {
        self.stop.is_raised() || self.limits.time.is_some_and(|most| self.start.elapsed() >= most)
    }
}

/// The values of all seats, given that of one; the others share the rest.
fn values_of<G: Game>(position: &G, seat: Seat, value: f32) -> Values {
    let seats = position.seats();
    let mut values = Values::default();
    values.0[..seats].fill(-value / (seats - 1) as f32);
    values.0[seat.index()] = value;
    values
}

/// Worths are divided by this before they become the shares of candidates.
const TEMPERATURE: f32 = 0.1;

/// Candidates in the order of their scores, with the move to play first. Their shares are a softmax of `worths`.
fn ranked<M: Copy + PartialEq>(
    candidates: Vec<(Candidate<M>, f32)>,
    worths: impl Iterator<Item = f32>,
    best: usize,
) -> Vec<Candidate<M>> {
    let chosen = candidates[best].0.m;
    let mut candidates = candidates;
    let mut shares: Vec<f32> = worths.map(|worth| worth / TEMPERATURE).collect();
    softmax(&mut shares);
    candidates.iter_mut().zip(shares).for_each(|((candidate, _), share)| candidate.share = share);
    candidates.sort_by(|one, other| {
        let first = |candidate: &Candidate<M>| candidate.m == chosen;
        first(&other.0).cmp(&first(&one.0)).then(other.1.total_cmp(&one.1))
    });
    candidates.into_iter().map(|(candidate, _)| candidate).collect()
}

/// Collects the points at some places.
fn gather(points: &[f32], dimension: usize, places: &[usize], gathered: &mut Vec<f32>) {
    gathered.clear();
    for &place in places {
        gathered.extend_from_slice(&points[place * dimension..][..dimension]);
    }
}

/// Replaces logits by their softmax.
fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for logit in logits.iter_mut() {
        *logit = (*logit - most).exp();
    }
    let sum: f32 = logits.iter().sum();
    for share in logits {
        *share /= sum;
    }
}

/// The square of the distance between two points.
fn squared_distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum()
}
