//! Proofs: whether a goal can be reached against everything.

use std::collections::HashMap;

use game::{Game, Notation, Seat};
use ringrift::{Geometry, Move, Position};

use super::Goal;

/// A goal in a position, for the seat to move there.
#[derive(Clone, Debug)]
pub struct Task<B: Geometry> {
    start: Position<B>,
    solver: Seat,
    goal: Goal,
    /// What is known of positions, with the turn they stand in: whether the goal can be forced.
    known: HashMap<(u64, u32), bool>,
    /// In how many of the solver's decisions it can be forced, where that was asked.
    lengths: HashMap<(u64, u32), u32>,
    /// Moves that may still be looked at.
    left: u64,
}

/// A proof that takes more moves than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the proof takes too many moves")]
pub struct TooHard;

/// The only way to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What the solver has to choose in this turn, as long as something else would miss the goal.
    pub line: Vec<String>,
    /// How many moves there were to choose from, for each of them.
    pub choices: Vec<usize>,
}

impl<B: Geometry> Task<B> {
    /// A task whose proofs look at no more than `budget` moves together.
    pub fn new(start: Position<B>, goal: Goal, budget: u64) -> Self {
        let solver = start.to_move();
        Self { start, solver, goal, known: HashMap::new(), lengths: HashMap::new(), left: budget }
    }

    /// The seat that has to reach the goal.
    pub fn solver(&self) -> Seat {
        self.solver
    }

    /// Whether the goal is reached or missed for good, as far as that can be seen without looking ahead.
    pub fn settled(&self, position: &Position<B>) -> Option<bool> {
        let ended = position.turns() - self.start.turns();
        let seats = position.seats() as u32;
        let won = position.end().map(|end| end.winner == Some(self.solver));
        match self.goal {
            Goal::Win(turns) => won.or_else(|| (ended > (turns - 1) * seats).then_some(false)),
            Goal::Hold => won.or_else(|| (ended >= seats).then_some(true)),
            Goal::Rings(rings) => {
                let enough = self.gained(position) >= rings;
                (enough || won.is_some() || ended > 0).then_some(enough)
            }
        }
    }

    /// Rings credited to the solver since the start.
    fn gained(&self, position: &Position<B>) -> u32 {
        position.credits(self.solver) - self.start.credits(self.solver)
    }

    /// Whether the solver can force the goal from here.
    ///
    /// # Errors
    /// If that takes more moves than are left.
    pub fn can_force(&mut self, position: &Position<B>) -> Result<bool, TooHard> {
        if let Some(settled) = self.settled(position) {
            return Ok(settled);
        }
        let place = (position.key(), position.turns());
        if let Some(&known) = self.known.get(&place) {
            return Ok(known);
        }
        let ours = position.to_move() == self.solver;
        let mut forced = !ours;
        for m in legal(position) {
            let next = self.after(position, m)?;
            if self.can_force(&next)? == ours {
                forced = ours;
                break;
            }
        }
        self.known.insert(place, forced);
        Ok(forced)
    }

    /// In how many of the solver's decisions the goal is forced from a position from which it can be: the solver hurries,
    /// the others delay.
    ///
    /// # Errors
    /// If that takes more moves than are left.
    pub fn length(&mut self, position: &Position<B>) -> Result<u32, TooHard> {
        if self.settled(position).is_some() {
            return Ok(0);
        }
        let place = (position.key(), position.turns());
        if let Some(&length) = self.lengths.get(&place) {
            return Ok(length);
        }
        let ours = position.to_move() == self.solver;
        let moves = legal(position);
        let decides = u32::from(ours && moves.len() > 1);
        let mut best: Option<u32> = None;
        for m in moves {
            let next = self.after(position, m)?;
            if self.can_force(&next)? {
                let length = decides + self.length(&next)?;
                best =
                    Some(best.map_or(length, |best| if ours { best.min(length) } else { best.max(length) }));
            }
        }
        let length = best.unwrap_or(0);
        self.lengths.insert(place, length);
        Ok(length)
    }

    /// The moves of the solver here from which the goal can be forced.
    ///
    /// # Errors
    /// If that takes more moves than are left.
    pub fn forcing(&mut self, position: &Position<B>) -> Result<Vec<Move>, TooHard> {
        let mut forcing = Vec::new();
        for m in legal(position) {
            let next = self.after(position, m)?;
            if self.can_force(&next)? {
                forcing.push(m);
            }
        }
        Ok(forcing)
    }

    /// The most rings that can be credited to the seat to move in this turn.
    ///
    /// # Errors
    /// If finding out takes more moves than are left.
    pub fn most_rings(&mut self) -> Result<u32, TooHard> {
        let mut seen = HashMap::new();
        let start = self.start;
        self.most_from(&start, &mut seen)
    }

    fn most_from(&mut self, position: &Position<B>, seen: &mut HashMap<u64, u32>) -> Result<u32, TooHard> {
        if position.is_over() || position.turns() != self.start.turns() {
            return Ok(self.gained(position));
        }
        if let Some(&most) = seen.get(&position.key()) {
            return Ok(most);
        }
        let mut most = 0;
        for m in legal(position) {
            let next = self.after(position, m)?;
            most = most.max(self.most_from(&next, seen)?);
        }
        seen.insert(position.key(), most);
        Ok(most)
    }

    /// The only way to the goal, if there is exactly one: in every decision of this turn one move forces it and no other
    /// does, until all of them do. Moves that come to the same position are one.
    ///
    /// # Errors
    /// If the proof takes more moves than are left.
    pub fn solve(&mut self) -> Result<Option<Solution>, TooHard> {
        let (mut line, mut choices) = (Vec::new(), Vec::new());
        // Whether every move led to the goal in some decision already: from then on nothing may miss it.
        let mut free = false;
        let mut position = self.start;
        while self.settled(&position).is_none() && position.turns() == self.start.turns() {
            let moves = legal(&position);
            let forcing = self.forcing(&position)?;
            let Some(&first) = forcing.first() else { return Ok(None) };
            if forcing.len() == moves.len() {
                free |= moves.len() > 1;
            } else {
                if free {
                    return Ok(None);
                }
                let next = self.after(&position, first)?;
                for &other in &forcing[1..] {
                    if self.after(&position, other)? != next {
                        return Ok(None);
                    }
                }
                line.push(position.move_text(first));
                choices.push(moves.len());
            }
            position.play_unchecked(first, &mut ());
        }
        Ok((!line.is_empty()).then_some(Solution { line, choices }))
    }

    fn after(&mut self, position: &Position<B>, m: Move) -> Result<Position<B>, TooHard> {
        self.left = self.left.checked_sub(1).ok_or(TooHard)?;
        let mut next = *position;
        next.play_unchecked(m, &mut ());
        Ok(next)
    }
}

/// The legal moves.
pub(super) fn legal<B: Geometry>(position: &Position<B>) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}
