//! Max-n search, with one score per seat.

use std::cmp::Reverse;

use game::{Game, Seat};

use super::{
    Techniques,
    ordering::select_next,
    reduction::reduction,
    score::{Scores, WIN, from_here, from_root, vector},
    stack::{Arrival, SearchStack, TURN, first_to_sort},
    table::{Bound, Table},
};

/// Max-n: every seat maximises its own score.
///
/// Evaluations need not have a constant sum, so a bound on one seat's score does not bound another's. The only sound
/// cutoff is after a move that wins within the turn.
pub(super) struct MaxN<'a, G: Game> {
    pub(super) stack: SearchStack<'a, G>,
    pub(super) table: &'a mut Table<G::Move, Scores>,
    pub(super) techniques: Techniques,
}

impl<G: Game> MaxN<'_, G> {
    /// The scores of the position in the frame at `ply`, in its seat order.
    fn search(&mut self, ply: usize, depth: i32) -> Option<Scores> {
        let frame = &mut self.stack.frames[ply];
        frame.line.clear();
        let (turns, mover, key) = (frame.turns, frame.position.to_move(), frame.position.key());
        let entry = if self.techniques.table { self.table.probe(key).copied() } else { None };
        if let Some(entry) = entry.filter(|entry| i32::from(entry.depth) >= depth) {
            let frame = &mut self.stack.frames[ply];
            frame.line.extend(entry.best.filter(|best| frame.moves.contains(best)));
            return Some(entry.score.map(|score| from_root(score, turns)));
        }
        let known = self.stack.rank_by_history(ply, entry.and_then(|entry| entry.best));
        let to_sort = first_to_sort(depth, known);
        let mut best: Option<(Scores, G::Move)> = None;
        for index in 0..self.stack.frames[ply].ranked.len() {
            if index == to_sort
                && (index == 0 || !self.stack.frames[ply + 1].is_leaf)
                && !self.stack.rank_by_policy(ply, index, depth)
            {
                self.stack.rank_by_evaluation(ply, index, true)?;
            }
            let frame = &mut self.stack.frames[ply];
            select_next(&mut frame.ranked, index);
            let m = frame.ranked[index].m;
            let reduction =
                if self.techniques.reductions { reduction(index, depth, self.stack.cycle) } else { 0 };
            let so_far = best.map(|(scores, _)| scores);
            let scores = self.try_move(ply, m, depth, reduction, so_far)?;
            if so_far.is_none_or(|so_far| is_better(&scores, &so_far, mover)) {
                best = Some((scores, m));
                self.update_pv(ply, m);
                if scores[mover.index()] >= WIN - turns {
                    break;
                }
            }
        }
        let (scores, m) = best.expect("a position with a choice has moves");
        if self.techniques.table {
            let kept = scores.map(|score| from_here(score, turns));
            self.table.store(key, depth, Bound::Exact, kept, Some(m));
        }
        Some(scores)
    }

    /// The scores after `m`, in the seat order of the frame at `ply`. A late move is first searched with its depth
    /// reduced by `reduction`, and at full depth only if it is better than `so_far`.
    pub(super) fn try_move(
        &mut self,
        ply: usize,
        m: G::Move,
        depth: i32,
        reduction: i32,
        so_far: Option<Scores>,
    ) -> Option<Scores> {
        let mover = self.stack.frames[ply].position.to_move();
        if let Some(so_far) = so_far.filter(|_| reduction > 0) {
            let scores = self.enter(ply, m, depth - reduction)?;
            if !is_better(&scores, &so_far, mover) {
                return Some(scores);
            }
        }
        self.enter(ply, m, depth)
    }

    fn enter(&mut self, ply: usize, m: G::Move, depth: i32) -> Option<Scores> {
        let below = match self.stack.enter(ply, Some(m), depth)? {
            Arrival::Node(depth) => self.search(ply + 1, depth)?,
            Arrival::Leaf | Arrival::AllPassed => self.evaluate(ply + 1),
        };
        Some(self.in_parent_order(ply + 1, &below))
    }

    /// The static scores after a root move and the forced moves that follow it.
    pub(super) fn evaluate_move(&mut self, m: G::Move) -> Option<Scores> {
        self.stack.enter(0, Some(m), TURN)?;
        let below = self.evaluate(1);
        Some(self.in_parent_order(1, &below))
    }

    fn evaluate(&mut self, ply: usize) -> Scores {
        let frame = &self.stack.frames[ply];
        let values = self.stack.evaluator.values(ply, &frame.position);
        vector(&frame.position, values, frame.turns)
    }

    /// Converts scores of the frame below `ply` to the seat order of the frame at `ply`.
    fn in_parent_order(&self, ply: usize, below: &Scores) -> Scores {
        let frame = &self.stack.frames[ply];
        let mut scores = [0; game::MAX_SEATS];
        for seat in Seat::all(frame.position.seats()) {
            scores[seat.index()] = below[frame.permutation.of(seat).index()];
        }
        scores
    }

    fn update_pv(&mut self, ply: usize, m: G::Move) {
        let (above, below) = self.stack.frames.split_at_mut(ply + 1);
        let (frame, child) = (&mut above[ply], &below[0]);
        frame.line.clear();
        frame.line.push(m);
        frame.line.extend_from_slice(&child.forced);
        frame.line.extend_from_slice(&child.line);
    }
}

/// Whether `one` is better than `other` for `seat`: by its own score, then by the lower score of the strongest
/// opponent. Remaining ties are broken arbitrarily but consistently, so that the value of a position does not depend on
/// the move order.
pub(super) fn is_better(one: &Scores, other: &Scores, seat: Seat) -> bool {
    let strongest = |scores: &Scores| {
        let others = scores.iter().enumerate().filter(|&(index, _)| index != seat.index());
        others.map(|(_, &score)| score).max()
    };
    let rank = |scores: &Scores| (scores[seat.index()], Reverse(strongest(scores)), *scores);
    rank(one) > rank(other)
}
