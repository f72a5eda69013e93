//! Endgame positions on 5×5 with the proven value of every move, and a measure of how well an agent plays them.
//!
//! The set is in `tests/late5.txt`: positions from random games and from games with playout-guided moves, with the area
//! value of every legal move without komi, under positional superko and without suicide. The history of each position
//! begins with the first board of its line. `cargo run --release -p go --example late` generates and proves the set.
//!
//! An agent is given the position with a [komi](Proven::question) for which exactly the moves that keep the value win,
//! so that agents that maximise the winning probability and agents that maximise the score face the same task.

use std::fmt;

use game::{Game, Notation, Setup};

use crate::{
    Colour, Komi, Move, Position, Rules, Small,
    solve::{OutOfNodes, Solver},
};

/// A position with the proven value of every legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The position, without komi.
    pub position: Position<Small>,
    /// Every legal move with its value: Black's area minus White's under best play.
    pub values: Vec<(Move, i32)>,
}

/// An error for a line that is not a proven position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct BadLine {
    /// The line number, counted from 1.
    pub line: usize,
    /// A description of the error.
    pub fault: String,
}

impl Proven {
    /// Proves the value of every move by search, respecting the history of the position.
    ///
    /// # Errors
    /// Returns an error if all moves together take more than `nodes`.
    pub fn prove(position: &Position<Small>, nodes: u64) -> Result<Self, OutOfNodes> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let (mut solver, mut values) = (Solver::new(nodes), Vec::new());
        for m in moves {
            let mut after = position.clone();
            after.play_unchecked(m, &mut ());
            values.push((m, solver.value(&after)?));
        }
        Ok(Self { position: position.clone(), values })
    }

    /// The test set of endgame positions on 5×5.
    ///
    /// # Panics
    /// Never: a test parses the set.
    pub fn late5() -> Vec<Self> {
        Self::parse_all(include_str!("../tests/late5.txt")).expect("a test parses the set")
    }

    /// Parses a set with one position per line in the format of [`Display`](fmt::Display). Skips empty lines and lines
    /// that start with `#`.
    ///
    /// # Errors
    /// Returns the first line that is not a proven position.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, BadLine> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|(index, line)| Self::parse(line).map_err(|fault| BadLine { line: index + 1, fault }))
            .collect()
    }

    fn parse(line: &str) -> Result<Self, String> {
        let (position, values) = line.split_once(" : ").ok_or("expected a position, a colon and values")?;
        let position = Position::<Small>::from_text(position).map_err(|faults| faults.to_string())?;
        let mut proven = Self { position, values: Vec::new() };
        for word in values.split_whitespace() {
            let (m, value) = word
                .split_once('=')
                .ok_or_else(|| format!("{word:?}: expected a move and its value, as in A1=3"))?;
            let m = proven.position.parse_move(m).map_err(|fault| fault.to_string())?;
            proven.values.push((m, value.parse().map_err(|_| format!("{value:?}: expected an integer"))?));
        }
        Ok(proven)
    }

    /// The value of the position: Black's area minus White's under best play.
    pub fn value(&self) -> i32 {
        let values = self.values.iter().map(|&(_, value)| value);
        let best = if self.position.turn() == Colour::Black { values.max() } else { values.min() };
        best.unwrap_or_else(|| self.position.board().area())
    }

    /// Whether a move keeps the value of the position.
    pub fn keeps(&self, m: Move) -> bool {
        self.values.contains(&(m, self.value()))
    }

    /// The number of moves that keep the value.
    pub fn keepers(&self) -> usize {
        self.values.iter().filter(|&&(_, value)| value == self.value()).count()
    }

    /// The position with a komi for which exactly the moves that keep the value win.
    ///
    /// # Panics
    /// Never: a position that was set up once can be set up with another komi.
    #[must_use]
    pub fn question(&self) -> Position<Small> {
        let less = if self.position.turn() == Colour::Black { -1 } else { 1 };
        let komi = Komi::from_half_points((2 * self.value() + less) as i16);
        let rules = Rules { komi, ..*self.position.rules() };
        let mut question = Position::set_up(&rules, &self.position.start())
            .expect("komi does not affect what can be set up");
        for m in self.position.moves() {
            question.play_unchecked(m, &mut ());
        }
        question
    }
}

/// Writes `go 5 b rows=… komi=0 moves=… : A1=3 B2=-25 pass=1`.
impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} :", self.position.to_text())?;
        self.values.iter().try_for_each(|(m, value)| write!(f, " {m}={value}"))
    }
}

/// How often an agent's moves kept the value, over a set of positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Kept {
    /// The number of positions.
    pub asked: u32,
    /// The number of moves that kept the value.
    pub kept: u32,
    /// The number of positions in which only one move keeps the value.
    pub asked_only: u32,
    /// The number of moves that kept the value in those positions.
    pub kept_only: u32,
    /// The total number of points lost.
    pub lost: u32,
    /// The expected number of uniformly random moves that would have kept the value.
    pub by_chance: f64,
}

impl Kept {
    /// Measures an agent on a set: `choose` receives the [question](Proven::question) of each position and returns a
    /// legal move.
    ///
    /// # Panics
    /// If `choose` returns an illegal move.
    pub fn by(set: &[Proven], mut choose: impl FnMut(&Position<Small>) -> Move) -> Self {
        let mut kept = Self::default();
        for proven in set {
            let answer = choose(&proven.question());
            let found = proven.values.iter().find(|(m, _)| *m == answer);
            let (_, value) = found.unwrap_or_else(|| panic!("{answer} is not a legal move of {proven}"));
            let loss = value.abs_diff(proven.value());
            let (keeps, keepers) = (u32::from(loss == 0), proven.keepers());
            kept.asked += 1;
            kept.kept += keeps;
            if keepers == 1 {
                kept.asked_only += 1;
                kept.kept_only += keeps;
            }
            kept.lost += loss;
            kept.by_chance += keepers as f64 / proven.values.len() as f64;
        }
        kept
    }

    /// The share of moves that kept the value.
    pub fn share(&self) -> f64 {
        f64::from(self.kept) / f64::from(self.asked.max(1))
    }
}

#[cfg(test)]
mod tests;
