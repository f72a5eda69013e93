//! The [`Report`] on the root of a tree.

use std::{cmp::Ordering, time::Instant};

use game::{Game, Seat};

use super::{Context, ROOT, Tree};
use crate::{Candidate, Report};

/// The maximum number of principal variations in a report.
const MAX_VARIATIONS: usize = 16;

impl<G: Game> Tree<G> {
    /// A report with every move of the root, the most visited first, and the principal variation.
    ///
    /// Its nodes count the simulations of this search only; the visits of candidates include those of reused trees.
    pub(crate) fn report(&self, engine: &'static str, context: &Context) -> Report<G::Move> {
        let mut candidates = self.candidates(ROOT);
        let mover = self.nodes[ROOT].mover;
        candidates.sort_by(|one, other| preference(one, other, mover));
        let mut report = Report::new(engine, candidates);
        report.nodes = context.spent;
        report.values = self.nodes[ROOT].values();
        report.line = self.line(report.best);
        report.variations = self.variations(&report.candidates);
        report.details = vec![("depth", f64::from(self.deepest)), ("tree", self.nodes.len() as f64)];
        report.details.extend(context.fill().map(|fill| ("fill", fill)));
        report.details.extend(context.mean_batch().map(|requests| ("batch", requests)));
        if self.bytes() >= context.max_bytes {
            report.details.push(("full", 1.0));
        }
        report.time = context.start.elapsed();
        report
    }

    /// The principal variations of the first candidates that were searched.
    pub(crate) fn variations(&self, candidates: &[Candidate<G::Move>]) -> Vec<Vec<G::Move>> {
        let searched = candidates.iter().take_while(|candidate| candidate.visits > 0);
        searched.take(MAX_VARIATIONS).map(|candidate| self.line(candidate.m)).collect()
    }

    /// The moves of a node as candidates, in the order of its edges.
    fn candidates(&self, at: usize) -> Vec<Candidate<G::Move>> {
        let edges = &self.edges[self.edges_of(at)];
        let all: u32 = edges.iter().filter_map(|edge| self.child(edge)).map(|child| child.visits).sum();
        let candidate = |edge: &super::Edge<G::Move>| {
            let mut candidate = self.searched(edge);
            candidate.prior = Some(edge.logit.exp());
            candidate.share = candidate.visits as f32 / all.max(1) as f32;
            candidate
        };
        edges.iter().map(candidate).collect()
    }

    /// The results of a move.
    fn searched(&self, edge: &super::Edge<G::Move>) -> Candidate<G::Move> {
        let mut candidate = Candidate { prior: Some(edge.prior), ..Candidate::new(edge.m) };
        if let Some(child) = self.child(edge) {
            candidate.visits = child.visits.into();
            candidate.values = child.values().map(|values| child.permutation.to_parent(values));
            candidate.solved = child.solved;
        }
        candidate
    }

    /// The principal variation that starts with `first` at the root, including forced moves.
    pub(crate) fn line(&self, first: G::Move) -> Vec<G::Move> {
        let mut line = Vec::new();
        let (mut at, mut next) = (ROOT, Some(first));
        while let Some(m) = next {
            line.push(m);
            let edge = self.edges[self.edges_of(at)].iter().find(|edge| edge.m == m);
            let Some(child) = edge.and_then(|edge| self.child(edge)) else { break };
            line.extend_from_slice(&self.forced[child.forced.start as usize..child.forced.end as usize]);
            at = edge.map_or(ROOT, |edge| edge.node as usize);
            let mover = child.mover;
            let moves = self.edges[self.edges_of(at)].iter().map(|edge| self.searched(edge));
            let tried = moves.filter(|candidate| candidate.visits > 0);
            next = tried.min_by(|one, other| preference(one, other, mover)).map(|candidate| candidate.m);
        }
        line
    }
}

/// Orders candidates: solved wins first, solved losses last, and the others by visits, which are robust against a few
/// lucky results.
pub(crate) fn preference<M: Ord>(one: &Candidate<M>, other: &Candidate<M>, mover: Seat) -> Ordering {
    let value = |candidate: &Candidate<M>| candidate.values.map_or(-1.0, |values| values.of(mover));
    (certainty(other, mover).cmp(&certainty(one, mover)))
        .then(other.visits.cmp(&one.visits))
        .then(value(other).total_cmp(&value(one)))
        .then(other.prior.unwrap_or(0.0).total_cmp(&one.prior.unwrap_or(0.0)))
        .then(one.m.cmp(&other.m))
}

/// A report without a search, which only lists the legal moves.
pub(crate) fn unsearched<G: Game>(
    engine: &'static str,
    moves: &[G::Move],
    start: Instant,
) -> Report<G::Move> {
    let candidates = moves.iter().map(|&m| Candidate::new(m)).collect();
    let report = Report::new(engine, candidates);
    Report { line: vec![report.best], time: start.elapsed(), ..report }
}

/// 1 for a solved win of `mover`, −1 for a solved loss, otherwise 0.
pub(crate) fn certainty<M>(candidate: &Candidate<M>, mover: Seat) -> i8 {
    match candidate.values {
        Some(values) if candidate.solved && values.of(mover) >= 1.0 => 1,
        Some(values) if candidate.solved && values.of(mover) <= -1.0 => -1,
        _ => 0,
    }
}
