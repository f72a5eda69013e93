//! The [`Report`] of a descent search.

use std::cmp::Ordering;

use game::{Game, Seat};

use super::{
    DescentChoice, DescentSearch,
    iterate::{ROOT, best_edge},
    table::{Edge, Id},
};
use crate::{Candidate, Report};

impl<G: Game> DescentSearch<G> {
    /// Builds the report on the root.
    pub(super) fn root_report(&self) -> Report<G::Move> {
        let root = self.table.node(ROOT);
        let visits: u64 = root.edges.iter().map(|edge| u64::from(edge.visits)).sum();
        let expanded = root.edges.iter().map(|edge| self.candidate(edge, visits.max(1)));
        let unexpanded = self.moves.iter().filter(|&&m| root.edges.iter().all(|edge| edge.m != m));
        let mut ranked: Vec<_> = expanded.chain(unexpanded.map(|&m| (0, Candidate::new(m)))).collect();
        for (_, candidate) in &mut ranked {
            let index = self.moves.iter().position(|&m| m == candidate.m);
            candidate.prior = index.and_then(|index| self.priors.get(index)).copied();
        }
        // Once the root is resolved, values are final and visits are irrelevant.
        let choice = if root.resolved { DescentChoice::BestValue } else { self.options.choice };
        ranked.sort_by(|one, other| preference(one, other, root.mover, choice));
        let candidates: Vec<_> = ranked.into_iter().map(|(_, candidate)| candidate).collect();
        let details = [
            ("depth", self.depth as f64),
            ("iterations", self.iterations as f64),
            ("expansions", self.expansions as f64),
            ("transpositions", self.transpositions as f64),
            ("kept", self.kept as f64),
            ("resolved", f64::from(u8::from(root.resolved))),
        ];
        let full = self.is_full.then_some(("full", 1.0));
        let details = details.into_iter().chain(full).collect();
        let line = self.line(candidates[0].m);
        Report {
            nodes: self.spent,
            time: self.start.elapsed(),
            values: root.expanded.then_some(root.values),
            line,
            details,
            ..Report::new(self.options.engine(), candidates)
        }
    }

    /// A move with the mover's completion, which may be known before the results of other seats.
    fn candidate(&self, edge: &Edge<G::Move>, visits: u64) -> Ranked<G::Move> {
        let bounds = self.table.bounds_after(edge);
        let candidate = Candidate {
            visits: edge.visits.into(),
            share: edge.visits as f32 / visits as f32,
            values: Some(self.table.values_after(edge)),
            solved: bounds.is_exact(self.seats),
            ..Candidate::new(edge.m)
        };
        (bounds.completion(self.table.node(ROOT).mover), candidate)
    }

    /// The principal variation that starts with `first`, as far as positions are expanded.
    fn line(&self, first: G::Move) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut seen: Vec<Id> = Vec::new();
        let mut at = ROOT;
        let mut next = self.table.node(ROOT).edges.iter().position(|edge| edge.m == first);
        while let Some(index) = next {
            let edge = &self.table.node(at).edges[index];
            line.push(edge.m);
            line.extend(&edge.forced);
            seen.push(at);
            at = edge.child;
            // Stop at a repetition.
            next = best_edge(&self.table, at).filter(|_| !seen.contains(&at));
        }
        line
    }
}

type Ranked<M> = (i8, Candidate<M>);

/// The order of candidates: proven wins first, proven losses last, and `choice` in between.
fn preference<M: Ord>(
    (one_completion, one): &Ranked<M>,
    (other_completion, other): &Ranked<M>,
    mover: Seat,
    choice: DescentChoice,
) -> Ordering {
    let value =
        |candidate: &Candidate<M>| candidate.values.map_or(f32::NEG_INFINITY, |values| values.of(mover));
    let (by_value, by_visits) = (value(other).total_cmp(&value(one)), other.visits.cmp(&one.visits));
    let chosen = match choice {
        DescentChoice::Safest => by_visits.then(by_value),
        DescentChoice::BestValue => by_value.then(by_visits),
    };
    let by_prior = other.prior.unwrap_or(0.0).total_cmp(&one.prior.unwrap_or(0.0));
    other_completion.cmp(one_completion).then(chosen).then(by_prior).then(one.m.cmp(&other.m))
}
