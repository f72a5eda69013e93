//! The search with one score: two sides, whoever sits on them.

use game::Game;

use super::{
    Techniques,
    ordering::select_next,
    reduction::{HOPE, reduction},
    score::{ENDLESS, Score, WIN, from_here, from_root, is_proven},
    stack::{Arrival, Replies, SearchStack, TURN, first_to_sort},
    table::{Bound, Entry, Table},
};

/// Principal variation search. Scores are those of the side to move: the root's mover, or everybody else together.
pub(super) struct Scout<'a, G: Game> {
    pub(super) stack: SearchStack<'a, G>,
    pub(super) table: &'a mut Table<G::Move, Score>,
    pub(super) techniques: Techniques,
}

/// How hard to look at a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) depth: i32,
    /// Depth that is taken off at first.
    pub(super) less: i32,
    /// Whether nothing is known yet that it has to be better than.
    pub(super) first: bool,
}

impl<G: Game> Scout<'_, G> {
    /// The score of the decision in the frame at `ply`: exact between `alpha` and `beta`, otherwise a bound on that
    /// side. `None` if the budget ran out.
    fn search(&mut self, ply: usize, depth: i32, mut alpha: Score, beta: Score) -> Option<Score> {
        let frame = &mut self.stack.frames[ply];
        frame.line.clear();
        let turns = frame.turns;
        // Bounds are classified by the window as it came in, before any move narrows it.
        let (floor, is_principal) = (alpha, beta - alpha > 1);
        let key = self.key(ply);
        let entry = if self.techniques.table { self.table.find(key).copied() } else { None };
        // The principal variation is always walked, so that its line is whole.
        if let Some(score) = entry.and_then(|entry| table_score(&entry, depth, turns, alpha, beta))
            && !is_principal
        {
            return Some(score);
        }
        let known = self.stack.rank_by_history(ply, entry.and_then(|entry| entry.best));

        let mut best = -ENDLESS;
        let mut best_move = None;
        let to_sort = first_to_sort(depth, known);
        let mut may_leave_out = false;
        for index in 0..self.stack.frames[ply].ranked.len() {
            // In the last turn, what the rest of it can hardly make good is left out.
            if index == to_sort && (index == 0 || !self.stack.frames[ply + 1].is_leaf) {
                self.stack.rank_by_evaluation(ply, index, false)?;
                may_leave_out = depth <= TURN && self.techniques.reductions && !is_principal;
            }
            let frame = &mut self.stack.frames[ply];
            select_next(&mut frame.ranked, index);
            let m = frame.ranked[index].m;
            if may_leave_out && !is_proven(alpha) && frame.ranked[index].rank() <= alpha - HOPE {
                best = best.max(frame.ranked[index].rank() + HOPE);
                break;
            }
            let less = if self.techniques.reductions { reduction(index, depth, self.stack.cycle) } else { 0 };
            let score =
                self.try_move(ply, Some(m), Effort { depth, less, first: index == 0 }, alpha, beta)?;
            if score > best {
                best = score;
                best_move = Some(m);
            }
            if score > alpha {
                alpha = score;
                if is_principal {
                    self.take_over_line(ply, Some(m));
                }
            }
            if alpha >= beta {
                self.stack.update_history(ply, index, depth);
                break;
            }
            if best >= WIN - turns {
                // Won within this turn: nothing is nearer.
                break;
            }
        }
        let frame = &self.stack.frames[ply];
        let may_pass = self.stack.one_reply && !frame.is_ours() && frame.replies == Replies::Open;
        if may_pass && alpha < beta {
            let score = self.try_move(ply, None, Effort { depth, less: 0, first: false }, alpha, beta)?;
            if score > best {
                best = score;
                best_move = None;
            }
            if score > alpha && is_principal {
                self.take_over_line(ply, None);
            }
        }
        if self.techniques.table {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > floor => Bound::Exact,
                _ => Bound::Upper,
            };
            self.table.keep(key, depth, bound, from_here(best, turns), best_move);
        }
        Some(best)
    }

    /// The score of `m` in the frame at `ply` (of a pass, if there is none), for the side that plays it.
    ///
    /// All but the first move are asked only whether they are better than the best so far, late ones at first with
    /// less depth; what seems better is looked at again in full.
    pub(super) fn try_move(
        &mut self,
        ply: usize,
        m: Option<G::Move>,
        effort: Effort,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let Effort { depth, less, first } = effort;
        if less > 0 {
            let arrival = self.stack.enter(ply, m, depth - less)?;
            let score = self.score_of(ply, arrival, alpha, alpha + 1)?;
            if score <= alpha {
                return Some(score);
            }
        }
        let arrival = self.stack.enter(ply, m, depth)?;
        if !first && self.techniques.scouts && matches!(arrival, Arrival::Node(_)) && beta - alpha > 1 {
            let score = self.score_of(ply, arrival, alpha, alpha + 1)?;
            if score <= alpha || score >= beta {
                return Some(score);
            }
        }
        self.score_of(ply, arrival, alpha, beta)
    }

    /// The score of what was entered from the frame at `ply`, for the side to move there.
    fn score_of(&mut self, ply: usize, arrival: Arrival, alpha: Score, beta: Score) -> Option<Score> {
        let ours = self.stack.frames[ply].is_ours();
        match arrival {
            Arrival::Nobody => Some(-ENDLESS),
            Arrival::Leaf => {
                let score = self.stack.evaluate(ply + 1);
                Some(if ours { score } else { -score })
            }
            Arrival::Node(depth) if self.stack.frames[ply + 1].is_ours() == ours => {
                self.search(ply + 1, depth, alpha, beta)
            }
            Arrival::Node(depth) => Some(-self.search(ply + 1, depth, -beta, -alpha)?),
        }
    }

    /// The line through `m` is the best one in the frame at `ply`.
    fn take_over_line(&mut self, ply: usize, m: Option<G::Move>) {
        let (above, below) = self.stack.frames.split_at_mut(ply + 1);
        let (frame, child) = (&mut above[ply], &below[0]);
        frame.line.clear();
        frame.line.extend(m);
        frame.line.extend_from_slice(&child.forced);
        frame.line.extend_from_slice(&child.line);
    }

    /// Of two sides by two seats, the position says all. Otherwise it matters whose value is meant, and whether the
    /// seat to move may still pass.
    fn key(&self, ply: usize) -> u64 {
        let frame = &self.stack.frames[ply];
        let key = frame.position.key();
        if frame.position.seats() == 2 {
            return key;
        }
        let meaning = 1 + 2 * frame.hero.index() as u64 + u64::from(frame.replies == Replies::Replying);
        key ^ meaning.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// What the table says, if that settles the question: deep enough or certain, and on the right side of the window.
fn table_score<M>(
    entry: &Entry<M, Score>,
    depth: i32,
    turns: i32,
    alpha: Score,
    beta: Score,
) -> Option<Score> {
    let score = from_root(entry.score, turns);
    let deep = i32::from(entry.depth) >= depth;
    let settles = match entry.bound {
        Bound::Exact => deep || is_proven(score),
        Bound::Lower => score >= beta && (deep || is_proven(score) && score > 0),
        Bound::Upper => score <= alpha && (deep || is_proven(score) && score < 0),
    };
    settles.then_some(score)
}
