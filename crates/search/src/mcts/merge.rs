//! Root parallelisation: splits the budget over several trees and merges their reports.
//!
//! Each thread grows its own tree without locks, so the result depends only on seeds and budgets, not on the scheduling
//! of threads. The price is that every tree gets only a part of the budget.

use std::time::Instant;

use game::{Seat, Values};

use crate::{Limits, Report, tree::preference};

/// Splits the budget into equal parts.
pub(super) fn split(limits: &Limits, parts: usize) -> Vec<Limits> {
    let parts = parts as u64;
    let part = |index| limits.nodes / parts + u64::from(index < limits.nodes % parts);
    (0..parts).map(|index| Limits { nodes: part(index), ..*limits }).collect()
}

/// Merges reports: visits are summed, values are weighted by visits, and a move solved in one tree is solved.
pub(super) fn merge<M: Copy + Ord>(reports: &[Report<M>], mover: Seat, start: Instant) -> Report<M> {
    let longest = reports.iter().max_by_key(|report| report.nodes).map(|report| report.line.clone());
    let values = weighted(reports.iter().filter_map(|report| {
        let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
        Some((report.values?, visits + 1))
    }));
    let mut all: Vec<_> = reports.iter().flat_map(|report| report.candidates.iter().copied()).collect();
    all.sort_by_key(|candidate| candidate.m);
    let visits: u64 = all.iter().map(|candidate| candidate.visits).sum();
    let mut candidates = Vec::new();
    for same in all.chunk_by(|one, other| one.m == other.m) {
        let mut candidate = *same.iter().find(|candidate| candidate.solved).unwrap_or(&same[0]);
        candidate.visits = same.iter().map(|candidate| candidate.visits).sum();
        candidate.share = candidate.visits as f32 / visits.max(1) as f32;
        if !candidate.solved {
            let seen = same.iter().filter_map(|candidate| Some((candidate.values?, candidate.visits)));
            candidate.values = weighted(seen);
        }
        candidates.push(candidate);
    }
    candidates.sort_by(|one, other| preference(one, other, mover));
    let mut report = Report::new("mcts", candidates);
    report.nodes = reports.iter().map(|report| report.nodes).sum();
    // A root whose best move is solved has the value of that move.
    let certain = report.candidates[0].solved && crate::tree::certainty(&report.candidates[0], mover) != 0;
    report.values = if certain { report.candidates[0].values } else { values };
    let line = reports.iter().map(|report| &report.line).find(|line| line.first() == Some(&report.best));
    report.line = line.cloned().or(longest).unwrap_or_default();
    let variation = |m: M| {
        let all = reports.iter().flat_map(|report| &report.variations);
        all.filter(|line| line.first() == Some(&m)).max_by_key(|line| line.len()).cloned()
    };
    report.variations = report.candidates.iter().map_while(|candidate| variation(candidate.m)).collect();
    let count = |name| {
        let found = reports.iter().flat_map(|report| &report.details).filter(move |detail| detail.0 == name);
        found.map(|detail| detail.1)
    };
    report.details = vec![
        ("depth", count("depth").fold(0.0, f64::max)),
        ("tree", count("tree").sum()),
        ("threads", reports.len() as f64),
    ];
    for name in ["fill", "batch"] {
        let means: Vec<f64> = count(name).collect();
        if !means.is_empty() {
            report.details.push((name, means.iter().sum::<f64>() / means.len() as f64));
        }
    }
    if count("full").next().is_some() {
        report.details.push(("full", 1.0));
    }
    report.time = start.elapsed();
    report
}

/// The mean of values, weighted by visits.
fn weighted(seen: impl Iterator<Item = (Values, u64)>) -> Option<Values> {
    let (mut sums, mut all) = ([0.0f64; game::MAX_SEATS], 0.0);
    for (values, visits) in seen {
        all += visits as f64;
        for (sum, value) in sums.iter_mut().zip(values.0) {
            *sum += f64::from(value) * visits as f64;
        }
    }
    (all > 0.0).then(|| Values(sums.map(|sum| (sum / all) as f32)))
}
