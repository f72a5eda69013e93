//! Descent on the toy game, against an exhaustive search.

mod certainty;
mod pie;
mod spending;
mod tree;

use game::{
    Game, SeatPermutation, Values, ValuesOnly,
    toy::{Take, TakeMove, TakeRules},
};

use super::{Descent, DescentMode, DescentOptions};
use crate::{Agent, Limits, Report, Stop};

const BOTH: [DescentMode; 2] = [DescentMode::BestFirst, DescentMode::Descent];

/// An evaluator that knows nothing.
fn blind<G: Game>(_: &G) -> Values {
    Values::default()
}

fn agent<G: Game>(options: DescentOptions) -> Descent<G> {
    Descent::new(ValuesOnly(blind::<G>), options)
}

fn in_mode<G: Game>(mode: DescentMode) -> Descent<G> {
    agent(DescentOptions { mode, ..DescentOptions::default() })
}

fn think<G: Game>(agent: &mut Descent<G>, position: &G, nodes: u64) -> Report<G::Move> {
    agent.think(position, &Limits::nodes(nodes), &Stop::default())
}

fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut child = position.clone();
    child.play(m).unwrap();
    child
}

fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// All possible results of best play, however seats choose between moves that are equal for them.
fn results<G: Game>(position: &G) -> Vec<Values> {
    if let Some(outcome) = position.outcome() {
        return vec![outcome.values()];
    }
    let mover = position.to_move();
    let below: Vec<Vec<Values>> = legal(position).into_iter().map(|m| results_after(position, m)).collect();
    let least = |child: &Vec<Values>| child.iter().map(|values| values.of(mover)).fold(1.0, f32::min);
    let secured = below.iter().map(least).fold(-1.0, f32::max);
    let mut all: Vec<Values> = Vec::new();
    for values in below.into_iter().flatten().filter(|values| values.of(mover) >= secured) {
        if !all.contains(&values) {
            all.push(values);
        }
    }
    all
}

/// The same after a move, in the parent's seat order.
fn results_after<G: Game>(position: &G, m: G::Move) -> Vec<Values> {
    let mut permutation = SeatPermutation::default();
    permutation.advance(position, m);
    results(&after(position, m)).into_iter().map(|values| permutation.to_parent(values)).collect()
}

/// Every position of a game, the finished ones included.
fn positions<G: Game>(start: G) -> Vec<G> {
    let mut all = vec![start];
    let mut next = 0;
    while next < all.len() {
        for m in legal(&all[next]) {
            let child = after(&all[next], m);
            if !all.contains(&child) {
                all.push(child);
            }
        }
        next += 1;
    }
    all
}

/// Every position with at least two legal moves.
fn decisions<G: Game>(start: G) -> Vec<G> {
    let mut all = positions(start);
    all.retain(|position| legal(position).len() > 1);
    all
}

fn pile(tokens: u16, most: u16, seats: u8) -> Take {
    Take::new(&TakeRules { tokens, most, seats })
}

/// A position that no small budget resolves.
fn wide() -> Take {
    after(&pile(60, 5, 3), TakeMove::One)
}

/// One of the report's details, all of which are counts.
fn detail<M>(report: &Report<M>, name: &str) -> usize {
    report.details.iter().find(|detail| detail.0 == name).unwrap().1 as usize
}
