//! An exhaustive solver.

use std::{collections::HashMap, rc::Rc};

use game::{Game, Seat, SeatPermutation, Values};

/// Searches every move of every position to the end of the game, each position once.
///
/// Deliberately simple: no pruning, move ordering or bounds. Positions are compared for equality; the key only selects
/// the bucket. Gives up after `most` positions.
pub(crate) struct Solver<G> {
    seen: HashMap<u64, Vec<(G, Rc<Solution>)>>,
    positions: usize,
    most: usize,
}

/// The solution of one position.
pub(crate) struct Solution {
    /// All possible results of best play, however seats choose between moves that are equal for them. With two seats
    /// there is one result; with more there can be several if a losing seat can choose the winner.
    pub(crate) results: Vec<Values>,
    /// If one seat is sure to win, the number of turns it needs while the others delay the win as long as possible.
    pub(crate) turns: u32,
}

impl Solution {
    /// The result, if it is unique.
    pub(crate) fn only(&self) -> Option<Values> {
        match self.results[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl<G: Game> Solver<G> {
    pub(crate) fn new(most: usize) -> Self {
        Self { seen: HashMap::new(), positions: 0, most }
    }

    /// The number of distinct positions visited.
    pub(crate) fn positions(&self) -> usize {
        self.positions
    }

    /// Whether any visited position satisfies the predicate.
    pub(crate) fn any(&self, mut is: impl FnMut(&G) -> bool) -> bool {
        self.seen.values().flatten().any(|(position, _)| is(position))
    }

    /// Solves a position, or returns `None` if that takes too many positions.
    pub(crate) fn solve(&mut self, position: &G) -> Option<Rc<Solution>> {
        let same = self.seen.get(&position.key()).into_iter().flatten().find(|(seen, _)| seen == position);
        if let Some((_, solution)) = same {
            return Some(solution.clone());
        }
        self.positions += 1;
        if self.positions > self.most {
            return None;
        }
        let solution = Rc::new(match position.outcome() {
            Some(outcome) => Solution { results: vec![outcome.values()], turns: 0 },
            None => self.choose(position)?,
        });
        self.seen.entry(position.key()).or_default().push((position.clone(), solution.clone()));
        Some(solution)
    }

    /// The position after a move, and its results in the parent's seat order.
    pub(crate) fn after(&mut self, position: &G, m: G::Move) -> Option<(G, Solution)> {
        let (mut child, mut permutation) = (position.clone(), SeatPermutation::default());
        permutation.advance(position, m);
        child.play(m).expect("a listed move is legal");
        let found = self.solve(&child)?;
        let results = found.results.iter().map(|&values| permutation.to_parent(values)).collect();
        Some((child, Solution { results, turns: found.turns }))
    }

    fn choose(&mut self, position: &G) -> Option<Solution> {
        let mover = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let below: Vec<_> = moves.into_iter().map(|m| self.after(position, m)).collect::<Option<_>>()?;
        let least =
            |solution: &Solution| solution.results.iter().map(|all| all.of(mover)).fold(1.0, f32::min);
        let secured = below.iter().map(|(_, solution)| least(solution)).fold(-1.0, f32::max);
        let mut results: Vec<Values> = Vec::new();
        for values in below.iter().flat_map(|(_, solution)| &solution.results) {
            if values.of(mover) >= secured && !results.contains(values) {
                results.push(*values);
            }
        }
        let mut solution = Solution { results, turns: 0 };
        let winner = solution.only().and_then(|values| winner(&values, position.seats()));
        if let Some(winner) = winner {
            let winning = below.iter().filter(|(_, child)| child.results == solution.results);
            // A turn of the winner is counted when it ends: another seat is to move, or the game is over.
            let turns = winning.map(|(child, found)| {
                found.turns + u32::from(mover == winner && (child.is_over() || child.to_move() != winner))
            });
            solution.turns = if mover == winner { turns.min() } else { turns.max() }.unwrap_or(0);
        }
        Some(solution)
    }
}

/// The sole winner.
pub(crate) fn winner(values: &Values, seats: usize) -> Option<Seat> {
    Seat::all(seats).find(|&seat| values.of(seat) >= 1.0)
}
