//! Iterative deepening at the root, and the report on its moves.

use std::time::Instant;

use game::{Game, SeatPermutation, Values};

use super::{
    maxn::{MaxN, is_better},
    reduction::reduction,
    score::{self, INFINITY, Score, Scores, WIN, is_proven, turns_to_end},
    scout::{Effort, Scout},
    stack::TURN,
};
use crate::{Candidate, Report};

/// A move of the root with its statistics.
#[derive(Clone, Debug)]
struct RootMove<M> {
    m: M,
    nodes: u64,
    /// The exact values found by the last search of this move, or `None` if it only found a bound.
    values: Option<Values>,
    solved: bool,
    line: Vec<M>,
    /// The static score, by which moves are sorted before the first iteration.
    score: Score,
}

/// The moves of the root, the best so far first.
pub(super) struct RootMoves<M> {
    moves: Vec<RootMove<M>>,
    /// The depth of the last completed iteration, in turns.
    pub(super) depth: u32,
    /// The score of the first move in the last completed iteration.
    score: Score,
}

/// A search that can be deepened one turn at a time.
pub(super) trait Deepen<G: Game> {
    /// Sorts the moves by the static evaluation of the positions after them. Returns `None` if the budget ran out.
    fn evaluate_moves(&mut self, roots: &mut RootMoves<G::Move>) -> Option<()>;

    /// Searches all moves to a depth of `turns` turns. Returns `None` if the budget ran out. The first move has then
    /// changed only if another one was found better at the same depth.
    fn deepen(&mut self, roots: &mut RootMoves<G::Move>, turns: u32) -> Option<()>;

    /// The number of nodes spent, and the length of the longest line in decisions.
    fn spent(&self) -> (u64, usize);
}

impl<M: Copy> RootMoves<M> {
    pub(super) fn new(moves: &[M]) -> Self {
        let root =
            |&m: &M| RootMove { m, nodes: 0, values: None, solved: false, line: vec![m], score: -INFINITY };
        Self { moves: moves.iter().map(root).collect(), depth: 0, score: 0 }
    }

    /// Whether the first move is proven to win or lose, so that deeper searches would find the same.
    pub(super) fn is_decided(&self) -> bool {
        self.depth > 0 && is_proven(self.score)
    }

    fn put_first(&mut self, index: usize) {
        self.moves[..=index].rotate_right(1);
    }

    fn sort(&mut self) {
        self.moves.sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    pub(super) fn report(&self, engine: &'static str, spent: (u64, usize), start: Instant) -> Report<M> {
        let (nodes, plies) = spent;
        let candidate = |root: &RootMove<M>| Candidate {
            visits: root.nodes,
            share: root.nodes as f32 / nodes.max(1) as f32,
            values: root.values,
            solved: root.solved,
            ..Candidate::new(root.m)
        };
        let candidates = self.moves.iter().map(candidate).collect();
        let best = &self.moves[0];
        let line = if best.values.is_some() { best.line.clone() } else { Vec::new() };
        let mut details = vec![("depth", f64::from(self.depth)), ("plies", plies as f64)];
        let end = turns_to_end(best.score).filter(|_| best.values.is_some());
        details.extend(end.map(|turns| ("turns_to_end", f64::from(turns))));
        let values = best.values;
        Report { nodes, time: start.elapsed(), values, line, details, ..Report::new(engine, candidates) }
    }
}

impl<G: Game> Scout<'_, G> {
    /// The values at the end of the principal variation of `m`, which was just searched, in the seat order of the root.
    fn values_of(&mut self, m: G::Move, line: &mut Vec<G::Move>) -> Values {
        let child = &self.stack.frames[1];
        line.clear();
        line.push(m);
        line.extend_from_slice(&child.forced);
        line.extend_from_slice(&child.line);
        let (mut position, mut permutation) =
            (self.stack.frames[0].position.clone(), SeatPermutation::default());
        // The first ply is re-entered before any further search, so its slot is free.
        self.stack.evaluator.descend(1);
        for &m in line.iter() {
            permutation.advance(&position, m);
            self.stack.evaluator.play(1, &mut position, m);
        }
        permutation.to_parent(self.stack.evaluator.values(1, &position))
    }

    /// Aspiration search: the exact score of the first move, expected to be near `guess`.
    fn aspiration_search(&mut self, m: G::Move, effort: Effort, guess: Score) -> Option<Score> {
        const WINDOW: Score = 60_000;
        let (low, high) = (guess - WINDOW, guess + WINDOW);
        let score = self.try_move(0, Some(m), effort, low, high)?;
        if score > low && score < high {
            return Some(score);
        }
        self.try_move(0, Some(m), effort, -INFINITY, INFINITY)
    }

    /// Stores the exact score of the move that was just searched.
    fn record(&mut self, root: &mut RootMove<G::Move>, score: Score) {
        let mut line = std::mem::take(&mut root.line);
        root.values = Some(self.values_of(root.m, &mut line));
        root.line = line;
        root.score = score;
        root.solved = match self.stack.frames[0].position.seats() {
            2 => is_proven(score),
            // Opponents that passed in this search might play differently.
            _ if self.stack.one_reply => score >= WIN,
            // A loss is not proven: it assumes that all opponents cooperate.
            _ => is_proven(score) && score > 0,
        };
    }
}

impl<G: Game> Deepen<G> for Scout<'_, G> {
    fn evaluate_moves(&mut self, roots: &mut RootMoves<G::Move>) -> Option<()> {
        self.stack.horizon = 1;
        for index in 0..roots.moves.len() {
            let before = self.stack.budget.nodes;
            let m = roots.moves[index].m;
            let looked = self.stack.enter(0, Some(m), TURN);
            if looked.is_some() {
                let score = self.stack.evaluate(1);
                self.record(&mut roots.moves[index], score);
            }
            roots.moves[index].nodes += self.stack.budget.nodes - before;
            if looked.is_none() {
                roots.sort();
            }
            looked?;
        }
        roots.sort();
        Some(())
    }

    fn deepen(&mut self, roots: &mut RootMoves<G::Move>, turns: u32) -> Option<()> {
        self.stack.horizon = turns as i32;
        let depth = turns as i32 * TURN;
        let mut alpha = -INFINITY;
        for index in 0..roots.moves.len() {
            let (m, before) = (roots.moves[index].m, self.stack.budget.nodes);
            // The mover's own turn has no cutoffs, so searching its moves with an open window costs little and improves
            // the order for deeper iterations.
            let open = turns == 1;
            let late = self.techniques.reductions && !open;
            let reduction = if late { reduction(index, depth, self.stack.cycle) } else { 0 };
            let effort = Effort { depth, reduction, first: open || index == 0 };
            let found = match index {
                _ if open => self.try_move(0, Some(m), effort, -INFINITY, INFINITY),
                0 if self.techniques.aspiration => self.aspiration_search(m, effort, roots.score),
                _ => self.try_move(0, Some(m), effort, alpha, INFINITY),
            };
            let root = &mut roots.moves[index];
            root.nodes += self.stack.budget.nodes - before;
            let score = found?;
            if score > alpha || open {
                self.record(root, score);
            } else {
                root.values = None;
                root.solved = false;
            }
            if score > alpha {
                alpha = score;
                roots.put_first(index);
            }
            if alpha >= WIN {
                break;
            }
        }
        roots.score = alpha;
        roots.depth = turns;
        if turns == 1 {
            roots.sort();
        }
        Some(())
    }

    fn spent(&self) -> (u64, usize) {
        (self.stack.budget.nodes, self.stack.deepest)
    }
}

impl<G: Game> MaxN<'_, G> {
    /// Stores the scores of the move that was just searched.
    fn record(&mut self, root: &mut RootMove<G::Move>, scores: Scores) {
        let (frame, child) = (&self.stack.frames[0], &self.stack.frames[1]);
        root.line.clear();
        root.line.push(root.m);
        root.line.extend_from_slice(&child.forced);
        root.line.extend_from_slice(&child.line);
        root.values = Some(score::values(scores));
        root.score = scores[frame.position.to_move().index()];
        // More distant wins depend on how losing seats choose between losses.
        root.solved = root.score >= WIN;
    }
}

impl<G: Game> Deepen<G> for MaxN<'_, G> {
    fn evaluate_moves(&mut self, roots: &mut RootMoves<G::Move>) -> Option<()> {
        self.stack.horizon = 1;
        for index in 0..roots.moves.len() {
            let before = self.stack.budget.nodes;
            let looked = self.evaluate_move(roots.moves[index].m);
            let root = &mut roots.moves[index];
            root.nodes += self.stack.budget.nodes - before;
            match looked {
                Some(scores) => self.record(root, scores),
                None => roots.sort(),
            }
            looked?;
        }
        roots.sort();
        Some(())
    }

    fn deepen(&mut self, roots: &mut RootMoves<G::Move>, turns: u32) -> Option<()> {
        self.stack.horizon = turns as i32;
        let depth = turns as i32 * TURN;
        let mover = self.stack.frames[0].position.to_move();
        let mut best: Option<Scores> = None;
        for index in 0..roots.moves.len() {
            let before = self.stack.budget.nodes;
            let reduction =
                if self.techniques.reductions { reduction(index, depth, self.stack.cycle) } else { 0 };
            let found = self.try_move(0, roots.moves[index].m, depth, reduction, best);
            let root = &mut roots.moves[index];
            root.nodes += self.stack.budget.nodes - before;
            let scores = found?;
            self.record(root, scores);
            if best.is_none_or(|best| is_better(&scores, &best, mover)) {
                best = Some(scores);
                roots.score = roots.moves[index].score;
                roots.put_first(index);
            } else if reduction > 0 {
                // These moves were searched at a reduced depth.
                root.values = None;
                root.solved = false;
            }
        }
        roots.depth = turns;
        if turns == 1 {
            roots.sort();
        }
        Some(())
    }

    fn spent(&self) -> (u64, usize) {
        (self.stack.budget.nodes, self.stack.deepest)
    }
}
