//! Helpers for tests on the toy game: exact values, and a variant with a pie rule.

use game::{
    Game, Observer, Outcome, Seat, SeatPermutation, Values,
    toy::{Take, TakeFault, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::{Agent, Limits, Report, Stop};

pub(crate) fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The report of an agent with a budget and no time cap.
pub(crate) fn ask<G: Game>(agent: &mut impl Agent<G>, root: &G, nodes: u64) -> Report<G::Move> {
    agent.think(root, &Limits::nodes(nodes), &Stop::default())
}

pub(crate) fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut child = position.clone();
    child.play(m).unwrap();
    child
}

/// Plays forced moves up to the next decision.
pub(crate) fn next_choice<G: Game>(mut position: G) -> G {
    let mut moves = Vec::new();
    loop {
        position.legal_moves(&mut moves);
        let [only] = moves[..] else { return position };
        position = after(&position, only);
    }
}

/// The exact values, or `None` where a seat's equal choices are not equal for the others.
pub(crate) fn exact<G: Game>(position: &G) -> Option<Values> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome.values());
    }
    let mover = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let children: Vec<_> = moves.into_iter().map(|m| exact_after(position, m)).collect();
    if let Some(win) = children.iter().flatten().find(|values| values.of(mover) >= 1.0) {
        return Some(*win);
    }
    // Without a win every choice loses, with equal values for the mover.
    let first = children[0]?;
    children.iter().all(|child| *child == Some(first)).then_some(first)
}

/// The same after a move, in the parent's seat order.
pub(crate) fn exact_after<G: Game>(position: &G, m: G::Move) -> Option<Values> {
    let mut permutation = SeatPermutation::default();
    permutation.advance(position, m);
    exact(&after(position, m)).map(|values| permutation.to_parent(values))
}

/// Every position of a game with at least two legal moves.
pub(crate) fn decisions(rules: TakeRules) -> Vec<Take> {
    let mut all: Vec<Take> = vec![Take::new(&rules)];
    let mut next = 0;
    while next < all.len() {
        let position = all[next].clone();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for m in moves {
            let child = after(&position, m);
            if !all.contains(&child) {
                all.push(child);
            }
        }
        next += 1;
    }
    all.retain(|position| position.is_legal(TakeMove::One) && position.is_legal(TakeMove::Stop));
    all
}

/// Whether a mover that could win still can after the move.
pub(crate) fn keeps_the_win(position: &Take, m: TakeMove) -> bool {
    let (child, mover) = (after(position, m), position.to_move());
    match child.outcome() {
        Some(outcome) => outcome.winner() == Some(mover),
        None => child.mover_wins() == (child.to_move() == mover),
    }
}

/// A position that no small budget solves.
pub(crate) fn wide() -> Take {
    after(&Take::new(&TakeRules { tokens: 60, most: 5, seats: 3 }), TakeMove::One)
}

/// The theory of the game as an evaluator: +½ for the winner, −½ for the others.
pub(crate) fn theory(position: &Take) -> Values {
    let winner = position.to_move().index() ^ usize::from(!position.mover_wins());
    let mut values = Values([-0.5; game::MAX_SEATS]);
    values.0[winner] = 0.5;
    values
}

/// [`Take`] with a pie rule: once per game, instead of taking the first token of a turn, the mover may swap seats with
/// the next participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pie {
    pub(crate) take: Take,
    pub(crate) open: bool,
}

/// `None` is the swap, after which the same seat faces the same pile, but with another participant in it.
pub(crate) type PieMove = Option<TakeMove>;

impl Game for Pie {
    type Config = TakeRules;
    type Move = PieMove;
    type Change = u16;
    type Illegal = TakeFault;

    fn new(config: &TakeRules) -> Self {
        Self { take: Take::new(config), open: true }
    }
    fn config(&self) -> TakeRules {
        self.take.config()
    }
    fn seats(&self) -> usize {
        self.take.seats()
    }
    fn to_move(&self) -> Seat {
        self.take.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.take.outcome()
    }
    fn legal_moves(&self, moves: &mut Vec<PieMove>) {
        moves.clear();
        let all = [Some(TakeMove::One), Some(TakeMove::Stop), None];
        moves.extend(all.into_iter().filter(|&m| self.is_legal(m)));
    }
    fn check(&self, m: PieMove) -> Result<(), TakeFault> {
        match m {
            Some(m) => self.take.check(m),
            None if self.take.is_over() => Err(TakeFault::Over),
            // Only at the start of a turn, where stopping is illegal.
            None if self.open && !self.take.is_legal(TakeMove::Stop) => Ok(()),
            None => Err(TakeFault::NothingTaken),
        }
    }
    fn play_unchecked(&mut self, m: PieMove, _: &mut impl Observer<Self>) {
        match m {
            Some(m) => self.take.play_unchecked(m, &mut ()),
            None => self.open = false,
        }
    }
    fn seat_after(&self, m: PieMove, seat: Seat) -> Seat {
        if m.is_none() { Seat::new((seat.index() + 1) % self.seats()) } else { seat }
    }
    fn key(&self) -> u64 {
        self.key_from_scratch()
    }
    fn key_from_scratch(&self) -> u64 {
        self.take.key() << 1 | u64::from(self.open)
    }
}
