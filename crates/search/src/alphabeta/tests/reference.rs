//! Reference searches without pruning: every move of every position, in the order of the legal list.

use game::{Game, Seat, StaticEvaluator};

use crate::alphabeta::{
    Rule,
    maxn::is_better,
    score::{Score, Scores, scalar, vector},
};

/// An exhaustive search by one rule, limited to `most` positions.
pub(crate) struct Reference<E> {
    pub(crate) evaluator: E,
    pub(crate) rule: Rule,
    pub(crate) most: u64,
}

/// A position with the seat of the root's mover and the number of turns since the root.
#[derive(Clone)]
struct Place<G> {
    position: G,
    root_seat: Seat,
    turns: i32,
}

impl<G: Game> Place<G> {
    fn is_ours(&self) -> bool {
        self.position.to_move() == self.root_seat
    }

    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    /// Plays `m` and returns whether it ends the turn or the game.
    fn play(&mut self, m: G::Move) -> bool {
        let mover = self.position.seat_after(m, self.position.to_move());
        self.root_seat = self.position.seat_after(m, self.root_seat);
        self.position.play(m).unwrap();
        self.position.is_over() || self.position.to_move() != mover
    }
}

impl<E> Reference<E> {
    /// The score of every move of `root` for its mover at a depth of `depth` turns, in the order of the list, or `None`
    /// if that exceeds the limit.
    pub(crate) fn scores<G: Game>(&mut self, root: &G, depth: i32) -> Option<Vec<Score>>
    where
        E: StaticEvaluator<G>,
    {
        let root = Place { position: root.clone(), root_seat: root.to_move(), turns: 0 };
        let rule = if root.position.seats() == 2 { Rule::Paranoid } else { self.rule };
        let mover = root.position.to_move();
        let one = |m| match rule {
            Rule::Paranoid => self.after(&root, m, depth, false),
            Rule::Brs => self.after(&root, m, depth, true),
            Rule::MaxN => self.vector_after(&root, m, depth).map(|scores| scores[mover.index()]),
        };
        root.moves().into_iter().map(one).collect()
    }

    fn evaluate<G: Game>(&mut self, place: &Place<G>) -> Score
    where
        E: StaticEvaluator<G>,
    {
        scalar(&place.position, self.evaluator.values(&place.position), place.root_seat, place.turns)
    }

    /// The score after `m` for the root's mover, with all opponents on one side. With `one_reply`, only one opponent
    /// replies between two of its turns.
    fn after<G: Game>(&mut self, place: &Place<G>, m: G::Move, depth: i32, one_reply: bool) -> Option<Score>
    where
        E: StaticEvaluator<G>,
    {
        self.most = self.most.checked_sub(1)?;
        let replies = one_reply && !place.is_ours();
        let mut place = place.clone();
        let mut left = depth;
        let mut next = m;
        loop {
            let ends = place.play(next);
            if place.position.is_over() {
                return Some(self.evaluate(&place));
            }
            if ends && left == depth {
                left -= 1;
                place.turns += 1;
                if left == 0 {
                    return Some(self.evaluate(&place));
                }
            }
            // Once one opponent has replied, the others play their one-ply moves until the root's mover is to move.
            let passes = replies && left < depth && !place.is_ours();
            match place.moves()[..] {
                [only] => next = only,
                _ if passes => next = self.one_ply_move(&place.position),
                _ => break,
            }
        }
        let in_reply = replies && left == depth;
        if place.is_ours() {
            self.best(&place, left, one_reply, true)
        } else if one_reply && !in_reply {
            self.round(&place, left)
        } else {
            self.best(&place, left, one_reply, false)
        }
    }

    fn best<G: Game>(&mut self, place: &Place<G>, depth: i32, one_reply: bool, ours: bool) -> Option<Score>
    where
        E: StaticEvaluator<G>,
    {
        let scores: Option<Vec<Score>> =
            place.moves().into_iter().map(|m| self.after(place, m, depth, one_reply)).collect();
        let scores = scores?;
        if ours { scores.into_iter().max() } else { scores.into_iter().min() }
    }

    /// The worst score that one of the opponents from here on can force while those before it pass.
    fn round<G: Game>(&mut self, place: &Place<G>, depth: i32) -> Option<Score>
    where
        E: StaticEvaluator<G>,
    {
        let mut worst = self.best(place, depth, true, false)?;
        let mut place = place.clone();
        loop {
            // The whole turn by one-ply moves, and the forced moves after it.
            loop {
                let moves = place.moves();
                let m = if moves.len() == 1 { moves[0] } else { self.one_ply_move(&place.position) };
                let ends = place.play(m);
                if place.position.is_over() {
                    return Some(worst.min(self.evaluate(&place)));
                }
                if ends {
                    break;
                }
            }
            while !place.is_ours() && place.moves().len() == 1 {
                let m = place.moves()[0];
                place.play(m);
                if place.position.is_over() {
                    return Some(worst.min(self.evaluate(&place)));
                }
            }
            if place.is_ours() {
                return Some(worst);
            }
            worst = worst.min(self.best(&place, depth, true, false)?);
        }
    }

    fn one_ply_move<G: Game>(&mut self, position: &G) -> G::Move
    where
        E: StaticEvaluator<G>,
    {
        let mover = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = None;
        for m in moves {
            let mut child = position.clone();
            child.play(m).unwrap();
            let score = scalar(&child, self.evaluator.values(&child), position.seat_after(m, mover), 0);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, m));
            }
        }
        best.unwrap().1
    }

    /// The max-n scores after `m`, in the seat order of `place`.
    fn vector_after<G: Game>(&mut self, place: &Place<G>, m: G::Move, depth: i32) -> Option<Scores>
    where
        E: StaticEvaluator<G>,
    {
        self.most = self.most.checked_sub(1)?;
        assert!(Seat::all(place.position.seats()).all(|seat| place.position.seat_after(m, seat) == seat));
        let mut place = place.clone();
        let mut left = depth;
        let mut next = m;
        loop {
            let ends = place.play(next);
            if ends && left == depth && !place.position.is_over() {
                left -= 1;
                place.turns += 1;
            }
            if place.position.is_over() || left == 0 {
                let values = self.evaluator.values(&place.position);
                return Some(vector(&place.position, values, place.turns));
            }
            match place.moves()[..] {
                [only] => next = only,
                _ => break,
            }
        }
        let mover = place.position.to_move();
        let mut best: Option<Scores> = None;
        for m in place.moves() {
            let scores = self.vector_after(&place, m, left)?;
            if best.is_none_or(|best| is_better(&scores, &best, mover)) {
                best = Some(scores);
            }
        }
        best
    }
}
