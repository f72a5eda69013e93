//! The search stack: makes moves on copies of positions, counts turns and passes through forced moves.

use std::time::Instant;

use game::{Game, LineEvaluator, Seat, SeatPermutation};

use super::{
    ordering::{FROM_TABLE, History, Ranked, rank_again, rank_all},
    policy::MovePolicy,
    score::{Score, scalar},
};
use crate::Stop;

/// The depth of one turn. Reductions are fractions of a turn.
pub(super) const TURN: i32 = 16;

/// The maximum number of decisions between the root and a leaf. A leaf in mid-turn is better than a stack overflow.
const MAX_PLY: usize = 400;

/// The budget of a search.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    pub(super) nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    stop: &'a Stop,
}

impl<'a> Budget<'a> {
    pub(super) fn new(most: u64, deadline: Option<Instant>, stop: &'a Stop) -> Self {
        Self { nodes: 0, most, deadline, stop }
    }

    /// Ends the budget if the search is to stop or time is up.
    fn check(&mut self) {
        if self.stop.is_raised() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.most = self.nodes;
        }
    }

    /// Counts one node. Returns `None` if the budget is exhausted, which unwinds the search.
    #[inline]
    fn spend(&mut self) -> Option<()> {
        // Often enough to respond without a noticeable delay, even if a node has a thousand moves. Reading the clock
        // takes a small part of the time of 64 nodes.
        if self.nodes.is_multiple_of(64) {
            self.check();
        }
        if self.nodes >= self.most {
            return None;
        }
        self.nodes += 1;
        Some(())
    }
}

/// The state of the opponents' single reply in a best-reply search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Replies {
    /// No opponent has replied to the turn of the root's mover yet.
    Open,
    /// The seat to move is replying.
    Replying,
}

/// A position on the current path, with at least two legal moves, and its search state.
#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub(super) position: G,
    /// The seat of the root's mover in this position.
    pub(super) root_seat: Seat,
    /// Turns since the root.
    pub(super) turns: i32,
    pub(super) replies: Replies,
    /// Maps the seats of the frame above to those of this one.
    pub(super) permutation: SeatPermutation,
    /// The move that led from the frame above to this one.
    pub(super) last: Option<G::Move>,
    /// Whether this is a leaf.
    pub(super) is_leaf: bool,
    /// The forced moves after `last`.
    pub(super) forced: Vec<G::Move>,
    pub(super) moves: Vec<G::Move>,
    pub(super) ranked: Vec<Ranked<G::Move>>,
    pub(super) killers: [Option<G::Move>; 2],
    /// The principal variation from here.
    pub(super) line: Vec<G::Move>,
}

impl<G: Game> Frame<G> {
    pub(super) fn new(position: G) -> Self {
        let root_seat = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        Self {
            position,
            root_seat,
            turns: 0,
            replies: Replies::Open,
            permutation: SeatPermutation::default(),
            last: None,
            is_leaf: false,
            forced: Vec::new(),
            moves,
            ranked: Vec::new(),
            killers: [None; 2],
            line: Vec::new(),
        }
    }

    /// Whether the root's mover is to move.
    pub(super) fn is_ours(&self) -> bool {
        self.position.to_move() == self.root_seat
    }
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// A leaf: the end of the game, or the end of a turn with no depth left.
    Leaf,
    /// A decision, with this depth left.
    Node(i32),
    /// A round in which every opponent passed. It need not be searched, since the last opponent can play the same move
    /// as its reply.
    AllPassed,
}

/// The frames from the root to the current position, with the state that all of them share.
pub(super) struct SearchStack<'a, G: Game> {
    pub(super) evaluator: &'a mut (dyn LineEvaluator<G> + Send),
    pub(super) frames: Vec<Frame<G>>,
    pub(super) history: &'a mut History<G::Move>,
    pub(super) policy: Option<&'a mut MovePolicy<G>>,
    pub(super) budget: Budget<'a>,
    /// Whether only one opponent replies and the others pass.
    pub(super) one_reply: bool,
    /// The depth of the current iteration, in turns.
    pub(super) horizon: i32,
    /// The number of turns after which the same side moves again.
    pub(super) cycle: i32,
    /// The length of the longest line so far, in decisions.
    pub(super) deepest: usize,
}

impl<G: Game> SearchStack<'_, G> {
    /// Plays `m` in the frame at `ply`, or a pass if `m` is `None`, and then forced moves up to the next decision or
    /// the end of `depth`.
    ///
    /// A turn ends when another participant is to move. The first end of a turn costs depth; forced moves after it are
    /// free, even if they make up a whole turn.
    pub(super) fn enter(&mut self, ply: usize, m: Option<G::Move>, depth: i32) -> Option<Arrival> {
        self.descend(ply)?;
        self.deepest = self.deepest.max(ply + 1);
        let arrival = self.arrive(ply, m, depth)?;
        self.frames[ply + 1].is_leaf = arrival == Arrival::Leaf;
        Some(arrival)
    }

    fn arrive(&mut self, ply: usize, m: Option<G::Move>, mut depth: i32) -> Option<Arrival> {
        let replying = self.one_reply && m.is_some() && !self.frames[ply].is_ours();
        let child = &mut self.frames[ply + 1];
        child.last = m;
        if replying {
            child.replies = Replies::Replying;
        }
        let passed = m.is_none();
        // Whether the seat to move passes: it plays its best move by a one-ply search.
        let mut passing = passed;
        let mut charged = false;
        let mut next = m;
        loop {
            if let Some(m) = next {
                let child = &mut self.frames[ply + 1];
                // The mover's seat after the move.
                let mover = child.position.seat_after(m, child.position.to_move());
                child.permutation.advance(&child.position, m);
                child.root_seat = child.position.seat_after(m, child.root_seat);
                self.evaluator.play(ply + 1, &mut child.position, m);
                if child.position.is_over() {
                    return Some(Arrival::Leaf);
                }
                let turn_ends = child.position.to_move() != mover;
                if turn_ends && passed {
                    if child.is_ours() {
                        return Some(Arrival::AllPassed);
                    }
                    passing = false;
                } else if turn_ends {
                    if !charged {
                        charged = true;
                        child.turns += 1;
                        depth -= TURN;
                        // A reduced search ends a whole cycle of turns early, not in between, since static evaluation
                        // overrates the side that has just moved.
                        let in_phase = (self.horizon - child.turns) % self.cycle == 0;
                        if in_phase && depth <= (self.cycle - 1) * TURN {
                            return Some(Arrival::Leaf);
                        }
                    }
                    if child.is_ours() {
                        child.replies = Replies::Open;
                    }
                    // Once one opponent has replied, the others pass.
                    passing = child.replies == Replies::Replying;
                }
            }
            let child = &mut self.frames[ply + 1];
            child.position.legal_moves(&mut child.moves);
            let step = match child.moves[..] {
                [only] => only,
                _ if passing => self.one_ply_move(ply + 1)?,
                _ => break,
            };
            self.frames[ply + 1].forced.push(step);
            next = Some(step);
        }
        if ply + 1 >= MAX_PLY {
            return Some(Arrival::Leaf);
        }
        Some(Arrival::Node(depth))
    }

    /// Copies the frame at `ply` into the one below. This costs a node.
    fn descend(&mut self, ply: usize) -> Option<()> {
        self.budget.spend()?;
        if self.frames.len() == ply + 1 {
            let frame = &self.frames[ply];
            self.frames.push(Frame::new(frame.position.clone()));
        }
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let (parent, child) = (&above[ply], &mut below[0]);
        child.position.clone_from(&parent.position);
        self.evaluator.descend(ply + 1);
        child.root_seat = parent.root_seat;
        child.turns = parent.turns;
        child.replies = parent.replies;
        child.permutation = SeatPermutation::default();
        child.forced.clear();
        child.line.clear();
        Some(())
    }

    /// The static score of the frame at `ply` for the root's mover.
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        let frame = &self.frames[ply];
        let values = self.evaluator.values(ply, &frame.position);
        scalar(&frame.position, values, frame.root_seat, frame.turns)
    }

    /// Ranks the moves of the frame at `ply` by history statistics, with the table move `known` first. Returns whether
    /// `known` is one of the moves.
    pub(super) fn rank_by_history(&mut self, ply: usize, known: Option<G::Move>) -> bool {
        let frame = &mut self.frames[ply];
        let (seat, killers) = (frame.position.to_move(), frame.killers);
        let countermove = self.history.countermove(seat, frame.last);
        let mut found = false;
        rank_all(&frame.moves, &mut frame.ranked, |m| {
            if known == Some(m) {
                found = true;
                return FROM_TABLE;
            }
            self.history.rank(seat, m, &killers, countermove)
        });
        found
    }

    /// Updates the ordering statistics after the move at `index` of the frame at `ply` caused a cutoff.
    pub(super) fn update_history(&mut self, ply: usize, index: usize, depth: i32) {
        let frame = &mut self.frames[ply];
        let m = frame.ranked[index].m;
        self.history.update(frame.position.to_move(), m, &frame.ranked[..index], frame.last, depth);
        if frame.killers[0] != Some(m) {
            frame.killers = [Some(m), frame.killers[0]];
        }
    }

    /// Ranks the moves of the frame at `ply` from `index` on by the policy, if there is one for this depth. Returns whether
    /// it did.
    pub(super) fn rank_by_policy(&mut self, ply: usize, index: usize, depth: i32) -> bool {
        let Some(policy) = self.policy.as_mut().filter(|policy| policy.covers(depth)) else { return false };
        let frame = &mut self.frames[ply];
        let ranked = policy.rank(&frame.position, &frame.moves, &mut frame.ranked[index..]);
        // A policy takes as long as hundreds of nodes.
        self.budget.check();
        ranked
    }

    /// Ranks the moves of the frame at `ply` from `index` on by the static evaluation of the positions after them.
    pub(super) fn rank_by_evaluation(&mut self, ply: usize, index: usize, own_view: bool) -> Option<()> {
        let mut ranked = std::mem::take(&mut self.frames[ply].ranked);
        let done = rank_again(&mut ranked[index..], |m| self.static_score(ply, m, own_view));
        self.frames[ply].ranked = ranked;
        done
    }

    /// The static score of the position after `m`, for the side that plays it or, with `own_view`, for the mover alone.
    fn static_score(&mut self, ply: usize, m: G::Move, own_view: bool) -> Option<Score> {
        self.descend(ply)?;
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let (parent, child) = (&above[ply], &mut below[0]);
        let mover = parent.position.to_move();
        let seat = if own_view { mover } else { parent.root_seat };
        let seat_below = parent.position.seat_after(m, seat);
        self.evaluator.play(ply + 1, &mut child.position, m);
        let values = self.evaluator.values(ply + 1, &child.position);
        let score = scalar(&child.position, values, seat_below, child.turns);
        Some(if seat == mover { score } else { -score })
    }

    /// The best move for the mover of the frame at `ply` by a one-ply search, which is what an opponent plays that does
    /// not reply.
    ///
    /// It depends on the position alone, so that the value of a position does not depend on the course of the search.
    fn one_ply_move(&mut self, ply: usize) -> Option<G::Move> {
        let frame = &self.frames[ply];
        let key = frame.position.key();
        if let Some(m) = self.history.one_ply_move(key).filter(|m| frame.moves.contains(m)) {
            return Some(m);
        }
        let mut best: Option<(Score, G::Move)> = None;
        for index in 0..self.frames[ply].moves.len() {
            let m = self.frames[ply].moves[index];
            let score = self.static_score(ply, m, true)?;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, m));
            }
        }
        let (_, m) = best.expect("a position with a choice has moves");
        self.history.store_one_ply_move(key, m);
        Some(m)
    }
}

/// The index from which moves are ordered by static evaluation instead of history. If whole turns are left, right after
/// the table move; in the last turn, where ordering saves less, after a few moves.
pub(super) fn first_to_sort(depth: i32, known: bool) -> usize {
    if depth > TURN { usize::from(known) } else { 4 }
}
