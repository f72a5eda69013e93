//! Principal variation search with one score: the root's mover against all other seats.

use game::Game;

use super::{
    Techniques,
    ordering::select_next,
    reduction::{FUTILITY_MARGIN, reduction},
    score::{INFINITY, Score, WIN, from_here, from_root, is_proven},
    stack::{Arrival, Replies, SearchStack, TURN, first_to_sort},
    table::{Bound, Entry, Table},
};

/// Principal variation search. Scores are relative to the side to move: the root's mover, or all opponents together.
pub(super) struct Scout<'a, G: Game> {
    pub(super) stack: SearchStack<'a, G>,
    pub(super) table: &'a mut Table<G::Move, Score>,
    pub(super) techniques: Techniques,
}

/// How to search a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) depth: i32,
    /// The initial reduction of the depth.
    pub(super) reduction: i32,
    /// Whether this is the first move, which is searched with an open window.
    pub(super) first: bool,
}

impl<G: Game> Scout<'_, G> {
    /// The score of the position in the frame at `ply` (fail-soft): exact between `alpha` and `beta`, otherwise a
    /// bound. `None` if the budget ran out.
    fn search(&mut self, ply: usize, depth: i32, mut alpha: Score, beta: Score) -> Option<Score> {
        let frame = &mut self.stack.frames[ply];
        frame.line.clear();
        let turns = frame.turns;
        // Bounds are classified by the original window, before any move narrows it.
        let (floor, is_principal) = (alpha, beta - alpha > 1);
        let key = self.key(ply);
        let entry = if self.techniques.table { self.table.probe(key).copied() } else { None };
        // There are no table cutoffs on the principal variation, so that it is complete.
        if let Some(score) = entry.and_then(|entry| table_score(&entry, depth, turns, alpha, beta))
            && !is_principal
        {
            return Some(score);
        }
        let known = self.stack.rank_by_history(ply, entry.and_then(|entry| entry.best));

        let mut best = -INFINITY;
        let mut best_move = None;
        let to_sort = first_to_sort(depth, known);
        let mut may_prune = false;
        for index in 0..self.stack.frames[ply].ranked.len() {
            // Futility pruning: in the last turn, moves are skipped if the rest of the turn can hardly raise them to
            // alpha.
            if index == to_sort
                && (index == 0 || !self.stack.frames[ply + 1].is_leaf)
                && !self.stack.rank_by_policy(ply, index, depth)
            {
                self.stack.rank_by_evaluation(ply, index, false)?;
                may_prune = depth <= TURN && self.techniques.reductions && !is_principal;
            }
            let frame = &mut self.stack.frames[ply];
            select_next(&mut frame.ranked, index);
            let m = frame.ranked[index].m;
            if may_prune && !is_proven(alpha) && frame.ranked[index].rank() <= alpha - FUTILITY_MARGIN {
                best = best.max(frame.ranked[index].rank() + FUTILITY_MARGIN);
                break;
            }
            let reduction =
                if self.techniques.reductions { reduction(index, depth, self.stack.cycle) } else { 0 };
            let score =
                self.try_move(ply, Some(m), Effort { depth, reduction, first: index == 0 }, alpha, beta)?;
            if score > best {
                best = score;
                best_move = Some(m);
            }
            if score > alpha {
                alpha = score;
                if is_principal {
                    self.update_pv(ply, Some(m));
                }
            }
            if alpha >= beta {
                self.stack.update_history(ply, index, depth);
                break;
            }
            if best >= WIN - turns {
                // A win within this turn: no other can be nearer.
                break;
            }
        }
        let frame = &self.stack.frames[ply];
        let may_pass = self.stack.one_reply && !frame.is_ours() && frame.replies == Replies::Open;
        if may_pass && alpha < beta {
            let score =
                self.try_move(ply, None, Effort { depth, reduction: 0, first: false }, alpha, beta)?;
            if score > best {
                best = score;
                best_move = None;
            }
            if score > alpha && is_principal {
                self.update_pv(ply, None);
            }
        }
        if self.techniques.table {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > floor => Bound::Exact,
                _ => Bound::Upper,
            };
            self.table.store(key, depth, bound, from_here(best, turns), best_move);
        }
        Some(best)
    }

    /// The score of `m`, or of a pass if `m` is `None`, in the frame at `ply`, for the side that plays it.
    ///
    /// All moves but the first are searched with a null window, and late ones at a reduced depth at first; moves that
    /// look better are searched again at full depth and with the full window.
    pub(super) fn try_move(
        &mut self,
        ply: usize,
        m: Option<G::Move>,
        effort: Effort,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let Effort { depth, reduction, first } = effort;
        if reduction > 0 {
            let arrival = self.stack.enter(ply, m, depth - reduction)?;
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

    /// The score of the frame below `ply`, for the side to move in the frame at `ply`.
    fn score_of(&mut self, ply: usize, arrival: Arrival, alpha: Score, beta: Score) -> Option<Score> {
        let ours = self.stack.frames[ply].is_ours();
        match arrival {
            Arrival::AllPassed => Some(-INFINITY),
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

    /// Makes `m` and the line below it the principal variation of the frame at `ply`.
    fn update_pv(&mut self, ply: usize, m: Option<G::Move>) {
        let (above, below) = self.stack.frames.split_at_mut(ply + 1);
        let (frame, child) = (&mut above[ply], &below[0]);
        frame.line.clear();
        frame.line.extend(m);
        frame.line.extend_from_slice(&child.forced);
        frame.line.extend_from_slice(&child.line);
    }

    /// The key in the transposition table. With two seats this is the key of the position. Otherwise the key includes
    /// the seat of the root's mover and whether the seat to move may still pass.
    fn key(&self, ply: usize) -> u64 {
        let frame = &self.stack.frames[ply];
        let key = frame.position.key();
        if frame.position.seats() == 2 {
            return key;
        }
        let meaning = 1 + 2 * frame.root_seat.index() as u64 + u64::from(frame.replies == Replies::Replying);
        key ^ meaning.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The score of a table entry, if it causes a cutoff: the entry is deep enough or proven, and its bound suits the
/// window.
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
