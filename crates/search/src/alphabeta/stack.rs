//! Going down the tree: positions by copy, turns counted, steps without a choice passed through.

use std::time::Instant;

use game::{Game, LineEvaluator, Seat, SeatPermutation};

use super::{
    ordering::{FROM_TABLE, History, Ranked, rank_again, rank_all},
    score::{Score, scalar},
};
use crate::Stop;

/// The depth of one turn. Late moves are charged parts of one.
pub(super) const TURN: i32 = 16;

/// Decisions from the root to the deepest leaf. A leaf in mid-turn is better than an overflowing stack.
const DEEPEST: usize = 400;

/// What a search may still spend.
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

    /// One more node, unless there is none left: then the search ends, without a result of what is under way.
    #[inline]
    fn spend(&mut self) -> Option<()> {
        // Whoever asks to stop is heard at once by human measure; the clock costs more to read.
        if self.nodes.is_multiple_of(64) && self.stop.is_raised() {
            self.most = self.nodes;
        }
        if self.nodes.is_multiple_of(512) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.most = self.nodes;
        }
        if self.nodes >= self.most {
            return None;
        }
        self.nodes += 1;
        Some(())
    }
}

/// How far the opponents are with their one reply, in a search where only one of them replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Replies {
    /// Nobody has replied to the root's turn yet.
    Open,
    /// The seat to move is replying.
    Replying,
}

/// A position on the way, with a choice, and what the search keeps beside it.
#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub(super) position: G,
    /// Where the root's mover sits here.
    pub(super) hero: Seat,
    /// Turns since the root.
    pub(super) turns: i32,
    pub(super) replies: Replies,
    /// Where everybody of the frame above sits here.
    pub(super) permutation: SeatPermutation,
    /// The decision above that led here.
    pub(super) last: Option<G::Move>,
    /// Whether the search goes no further.
    pub(super) is_leaf: bool,
    /// The steps without a choice after it.
    pub(super) forced: Vec<G::Move>,
    pub(super) moves: Vec<G::Move>,
    pub(super) ranked: Vec<Ranked<G::Move>>,
    pub(super) killers: [Option<G::Move>; 2],
    /// The best line from here, as far as it is known.
    pub(super) line: Vec<G::Move>,
}

impl<G: Game> Frame<G> {
    pub(super) fn new(position: G) -> Self {
        let hero = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        Self {
            position,
            hero,
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

    /// Whether the root's mover decides here.
    pub(super) fn is_ours(&self) -> bool {
        self.position.to_move() == self.hero
    }
}

/// What a move led to, in the frame below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// The end of the game, or of the depth at the end of a turn.
    Leaf,
    /// A decision, with this depth left.
    Node(i32),
    /// A round in which every opponent passed, which is not worth looking at: the last of them has the same move
    /// as a reply.
    Nobody,
}

/// The way down, and everything that is needed to go on.
pub(super) struct SearchStack<'a, G: Game> {
    pub(super) evaluator: &'a mut (dyn LineEvaluator<G> + Send),
    pub(super) frames: Vec<Frame<G>>,
    pub(super) history: &'a mut History<G::Move>,
    pub(super) budget: Budget<'a>,
    /// Whether only one opponent replies and the others pass.
    pub(super) one_reply: bool,
    /// Turns of the present iteration.
    pub(super) horizon: i32,
    /// Turns after which the same side has just moved.
    pub(super) cycle: i32,
    /// The most decisions seen below the root.
    pub(super) deepest: usize,
}

impl<G: Game> SearchStack<'_, G> {
    /// Plays `m` in the frame at `ply`, or lets its mover pass, and follows steps without a choice to the next
    /// decision or to the end of `depth`.
    ///
    /// A turn ends when the next step is somebody else's. The first end of a turn on the way costs depth; what is
    /// forced after it, be it a whole turn, is free.
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
        // Whether the seat to move plays the best move by one ply.
        let mut passing = passed;
        let mut charged = false;
        let mut next = m;
        loop {
            if let Some(m) = next {
                let child = &mut self.frames[ply + 1];
                // Where the mover goes on, unless the turn ends.
                let mover = child.position.seat_after(m, child.position.to_move());
                child.permutation.advance(&child.position, m);
                child.hero = child.position.seat_after(m, child.hero);
                self.evaluator.play(ply + 1, &mut child.position, m);
                if child.position.is_over() {
                    return Some(Arrival::Leaf);
                }
                let turn_ends = child.position.to_move() != mover;
                if turn_ends && passed {
                    if child.is_ours() {
                        return Some(Arrival::Nobody);
                    }
                    passing = false;
                } else if turn_ends {
                    if !charged {
                        charged = true;
                        child.turns += 1;
                        depth -= TURN;
                        // Depth that was taken off ends the search a whole cycle of turns early, not in between:
                        // whoever has just moved looks better than is true.
                        let in_phase = (self.horizon - child.turns) % self.cycle == 0;
                        if in_phase && depth <= (self.cycle - 1) * TURN {
                            return Some(Arrival::Leaf);
                        }
                    }
                    if child.is_ours() {
                        child.replies = Replies::Open;
                    }
                    // One opponent has replied: the others pass.
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
        if ply + 1 >= DEEPEST {
            return Some(Arrival::Leaf);
        }
        Some(Arrival::Node(depth))
    }

    /// Copies the frame at `ply` into the one below, which costs a node.
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
        child.hero = parent.hero;
        child.turns = parent.turns;
        child.replies = parent.replies;
        child.permutation = SeatPermutation::default();
        child.forced.clear();
        child.line.clear();
        Some(())
    }

    /// The score of the frame at `ply` for the root's mover, without looking further.
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        let frame = &self.frames[ply];
        let values = self.evaluator.values(ply, &frame.position);
        scalar(&frame.position, values, frame.hero, frame.turns)
    }

    /// Ranks the moves of the frame at `ply` by what has been good elsewhere. Says whether `known`, from the table, is
    /// one of them: then it is the first.
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

    /// Remembers that the move at `index` of the frame at `ply` was good enough where all before it were not.
    pub(super) fn update_history(&mut self, ply: usize, index: usize, depth: i32) {
        let frame = &mut self.frames[ply];
        let m = frame.ranked[index].m;
        self.history.update(frame.position.to_move(), m, &frame.ranked[..index], frame.last, depth);
        if frame.killers[0] != Some(m) {
            frame.killers = [Some(m), frame.killers[0]];
        }
    }

    /// Ranks the moves of the frame at `ply` from `index` on by how the positions look right after them.
    pub(super) fn rank_by_evaluation(&mut self, ply: usize, index: usize, own_view: bool) -> Option<()> {
        let mut ranked = std::mem::take(&mut self.frames[ply].ranked);
        let done = rank_again(&mut ranked[index..], |m| self.static_score(ply, m, own_view));
        self.frames[ply].ranked = ranked;
        done
    }

    /// How the position right after `m` looks to the side that plays it, or to the mover alone.
    fn static_score(&mut self, ply: usize, m: G::Move, own_view: bool) -> Option<Score> {
        self.descend(ply)?;
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let (parent, child) = (&above[ply], &mut below[0]);
        let mover = parent.position.to_move();
        let seat = if own_view { mover } else { parent.hero };
        let seat_below = parent.position.seat_after(m, seat);
        self.evaluator.play(ply + 1, &mut child.position, m);
        let values = self.evaluator.values(ply + 1, &child.position);
        let score = scalar(&child.position, values, seat_below, child.turns);
        Some(if seat == mover { score } else { -score })
    }

    /// The move that looks best to the mover of the frame at `ply`: what somebody plays who is not replying.
    ///
    /// A function of the position alone, so that the value of a position does not depend on the way of the search.
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
        self.history.keep_one_ply_move(key, m);
        Some(m)
    }
}

/// The place in the order of moves from which on moves are sorted by the positions after them: where whole turns
/// hang on it, as soon as the move from the table was tried; in the last turn, after a few that were good elsewhere.
pub(super) fn first_to_sort(depth: i32, known: bool) -> usize {
    if depth > TURN { usize::from(known) } else { 4 }
}
