//! The moves of the root, from iteration to iteration.

use std::time::Instant;

use game::{Game, SeatPermutation, Values};

use super::{
    maxn::{MaxN, is_better},
    reduction::reduction,
    score::{self, ENDLESS, Score, Scores, WIN, is_proven, turns_to_end},
    scout::{Effort, Scout},
    stack::TURN,
};
use crate::{Candidate, Report};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove<M> {
    m: M,
    nodes: u64,
    /// Exact values by the last search of this move; `None` if that gave a bound only.
    values: Option<Values>,
    solved: bool,
    line: Vec<M>,
    /// For sorting before the first deep iteration.
    score: Score,
}

/// The moves of the root, the best so far first.
pub(super) struct RootMoves<M> {
    moves: Vec<RootMove<M>>,
    /// Turns of the last finished iteration.
    pub(super) depth: u32,
    /// The score of the first move by the last finished iteration.
    score: Score,
}

/// A way to search the root one turn deeper.
pub(super) trait Deepen<G: Game> {
    /// Evaluates the position after every move and sorts the moves by that. `None` if the budget ran out.
    fn evaluate_moves(&mut self, roots: &mut RootMoves<G::Move>) -> Option<()>;

    /// Searches all moves to the end of `turns` turns. `None` if the budget ran out: then only what was found better
    /// than the best move before, to the same depth as that, has come first.
    fn deepen(&mut self, roots: &mut RootMoves<G::Move>, turns: u32) -> Option<()>;

    /// Nodes spent, and the most decisions seen in one line.
    fn spent(&self) -> (u64, usize);
}

impl<M: Copy> RootMoves<M> {
    pub(super) fn new(moves: &[M]) -> Self {
        let root =
            |&m: &M| RootMove { m, nodes: 0, values: None, solved: false, line: vec![m], score: -ENDLESS };
        Self { moves: moves.iter().map(root).collect(), depth: 0, score: 0 }
    }

    /// Whether the first move is known to win or lose by force: deeper searches would find the same.
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
    /// The values at the end of the line through `m` that was just searched, in the seat order of the root.
    fn values_of(&mut self, m: G::Move, line: &mut Vec<G::Move>) -> Values {
        let child = &self.stack.frames[1];
        line.clear();
        line.push(m);
        line.extend_from_slice(&child.forced);
        line.extend_from_slice(&child.line);
        let (mut position, mut permutation) =
            (self.stack.frames[0].position.clone(), SeatPermutation::default());
        // The first ply is entered again before anything else is searched, so its slot is free.
        self.stack.evaluator.descend(1);
        for &m in line.iter() {
            permutation.advance(&position, m);
            self.stack.evaluator.play(1, &mut position, m);
        }
        permutation.to_parent(self.stack.evaluator.values(1, &position))
    }

    /// The exact score of the first move, expected to be near `guess`.
    fn aspire(&mut self, m: G::Move, effort: Effort, guess: Score) -> Option<Score> {
        const WINDOW: Score = 60_000;
        let (low, high) = (guess - WINDOW, guess + WINDOW);
        let score = self.try_move(0, Some(m), effort, low, high)?;
        if score > low && score < high {
            return Some(score);
        }
        self.try_move(0, Some(m), effort, -ENDLESS, ENDLESS)
    }

    /// Takes down the exact score of the move that was just searched.
    fn note(&mut self, root: &mut RootMove<G::Move>, score: Score) {
        let mut line = std::mem::take(&mut root.line);
        root.values = Some(self.values_of(root.m, &mut line));
        root.line = line;
        root.score = score;
        root.solved = match self.stack.frames[0].position.seats() {
            2 => is_proven(score),
            // Opponents that only passed might have done something else.
            _ if self.stack.one_reply => score >= WIN,
            // A loss is certain only if all others agree on it.
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
                self.note(&mut roots.moves[index], score);
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
        let mut alpha = -ENDLESS;
        for index in 0..roots.moves.len() {
            let (m, before) = (roots.moves[index].m, self.stack.budget.nodes);
            // A turn of one's own has nothing to cut off, so its moves may as well be known exactly: a better order
            // for the deeper iterations.
            let open = turns == 1;
            let late = self.techniques.reductions && !open;
            let less = if late { reduction(index, depth, self.stack.cycle) } else { 0 };
            let effort = Effort { depth, less, first: open || index == 0 };
            let found = match index {
                _ if open => self.try_move(0, Some(m), effort, -ENDLESS, ENDLESS),
                0 if self.techniques.aspiration => self.aspire(m, effort, roots.score),
                _ => self.try_move(0, Some(m), effort, alpha, ENDLESS),
            };
            let root = &mut roots.moves[index];
            root.nodes += self.stack.budget.nodes - before;
            let score = found?;
            if score > alpha || open {
                self.note(root, score);
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
    /// Takes down the scores of the move that was just searched.
    fn note(&mut self, root: &mut RootMove<G::Move>, scores: Scores) {
        let (frame, child) = (&self.stack.frames[0], &self.stack.frames[1]);
        root.line.clear();
        root.line.push(root.m);
        root.line.extend_from_slice(&child.forced);
        root.line.extend_from_slice(&child.line);
        root.values = Some(score::values(scores));
        root.score = scores[frame.position.to_move().index()];
        // What is farther away rests on how losers choose between losses.
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
                Some(scores) => self.note(root, scores),
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
            let less = if self.techniques.reductions { reduction(index, depth, self.stack.cycle) } else { 0 };
            let found = self.try_move(0, roots.moves[index].m, depth, less, best);
            let root = &mut roots.moves[index];
            root.nodes += self.stack.budget.nodes - before;
            let scores = found?;
            self.note(root, scores);
            if best.is_none_or(|best| is_better(&scores, &best, mover)) {
                best = Some(scores);
                roots.score = roots.moves[index].score;
                roots.put_first(index);
            } else if less > 0 {
                // Searched less deep than the others.
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
