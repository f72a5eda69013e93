//! Proofs that a goal can or cannot be forced, by exhaustive search.

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
    /// Whether the goal can be forced, by position and turn.
    known: HashMap<(u64, u32), bool>,
    /// The number of the solver's decisions to the goal, by position and turn.
    lengths: HashMap<(u64, u32), u32>,
    /// The number of moves that may still be examined.
    left: u64,
}

/// A proof exceeds its budget of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the proof exceeds its budget of moves")]
pub struct TooHard;

/// The only solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The solver's moves in this turn, up to the last decision in which another move would miss the goal.
    pub line: Vec<String>,
    /// The number of legal moves in each of these decisions.
    pub choices: Vec<usize>,
}

impl<B: Geometry> Task<B> {
    /// Creates a task whose proofs together examine at most `budget` moves.
    pub fn new(start: Position<B>, goal: Goal, budget: u64) -> Self {
        let solver = start.to_move();
        Self { start, solver, goal, known: HashMap::new(), lengths: HashMap::new(), left: budget }
    }

    /// The seat that has to reach the goal.
    pub fn solver(&self) -> Seat {
        self.solver
    }

    /// Whether the goal is reached or missed, if the position itself decides it.
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

    /// Rings eliminated by the solver since the start.
    fn gained(&self, position: &Position<B>) -> u32 {
        position.credits(self.solver) - self.start.credits(self.solver)
    }

    /// Whether the solver can force the goal from `position`.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn can_force(&mut self, position: &Position<B>) -> Result<bool, TooHard> {
        if let Some(settled) = self.settled(position) {
            return Ok(settled);
        }
        let key = (position.key(), position.turns());
        if let Some(&known) = self.known.get(&key) {
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
        self.known.insert(key, forced);
        Ok(forced)
    }

    /// The number of the solver's decisions until the goal is forced, if the solver minimises it and the others maximise it.
    /// The goal must be forcible from `position`.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn length(&mut self, position: &Position<B>) -> Result<u32, TooHard> {
        if self.settled(position).is_some() {
            return Ok(0);
        }
        let key = (position.key(), position.turns());
        if let Some(&length) = self.lengths.get(&key) {
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
        self.lengths.insert(key, length);
        Ok(length)
    }

    /// The legal moves after which the goal can be forced.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
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

    /// The maximum number of rings that the seat to move can eliminate in this turn.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn max_rings(&mut self) -> Result<u32, TooHard> {
        let mut seen = HashMap::new();
        let start = self.start;
        self.max_rings_from(&start, &mut seen)
    }

    fn max_rings_from(
        &mut self,
        position: &Position<B>,
        seen: &mut HashMap<u64, u32>,
    ) -> Result<u32, TooHard> {
        if position.is_over() || position.turns() != self.start.turns() {
            return Ok(self.gained(position));
        }
        if let Some(&most) = seen.get(&position.key()) {
            return Ok(most);
        }
        let mut most = 0;
        for m in legal(position) {
            let next = self.after(position, m)?;
            most = most.max(self.max_rings_from(&next, seen)?);
        }
        seen.insert(position.key(), most);
        Ok(most)
    }

    /// The solution, if there is exactly one: in every decision of this turn exactly one move forces the goal, until all
    /// moves do. Moves that lead to the same position count as one.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn solve(&mut self) -> Result<Option<Solution>, TooHard> {
        let (mut line, mut choices) = (Vec::new(), Vec::new());
        // Whether all moves have forced the goal in an earlier decision. After that, no move may miss it.
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

/// The legal moves of a position.
pub(super) fn legal<B: Geometry>(position: &Position<B>) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}
