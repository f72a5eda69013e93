//! Late positions on five lines whose every move has been proved, and how well somebody plays them.
//!
//! The set lies in `tests/late5.txt`: positions from random and from better games with the value of every legal move,
//! by area and without komi, under positional superko, suicide forbidden, the first board of each line being the first
//! of its game. `cargo run --release -p go --example late` found it and proves it again.
//!
//! Whoever is asked gets the position with a [komi](Proven::question) by which exactly the moves that keep the value win:
//! who plays for winning and who plays for points are asked the same.

use std::fmt;

use game::{Game, Notation, Setup};

use crate::{
    Colour, Komi, Move, Position, Rules, Small,
    solve::{OutOfNodes, Solver},
};

/// A position with the proved value of every legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The position, without komi.
    pub position: Position<Small>,
    /// Every legal move, and Black's area less White's after it if both play as well as possible.
    pub values: Vec<(Move, i32)>,
}

/// A line that is no proven position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct BadLine {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

impl Proven {
    /// Proves every move of a position by search with its own history.
    ///
    /// # Errors
    /// If all moves together take more than `nodes`.
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

    /// The late positions of five lines that are kept as a test set.
    ///
    /// # Panics
    /// If the set does not read, which is tested.
    pub fn late5() -> Vec<Self> {
        Self::parse_all(include_str!("../tests/late5.txt")).expect("the test set reads, which is tested")
    }

    /// Reads a set, a position a line as it is [written](fmt::Display); lines that start with `#` are skipped.
    ///
    /// # Errors
    /// The first line that is none.
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
            let (m, value) =
                word.split_once('=').ok_or_else(|| format!("{word:?} is no move with a value"))?;
            let m = proven.position.parse_move(m).map_err(|fault| fault.to_string())?;
            proven.values.push((m, value.parse().map_err(|_| format!("{value:?} is no number"))?));
        }
        Ok(proven)
    }

    /// Black's area less White's if both play as well as possible.
    pub fn value(&self) -> i32 {
        let values = self.values.iter().map(|&(_, value)| value);
        let best = if self.position.turn() == Colour::Black { values.max() } else { values.min() };
        best.unwrap_or_else(|| self.position.board().area())
    }

    /// Whether a move keeps the value.
    pub fn keeps(&self, m: Move) -> bool {
        self.values.contains(&(m, self.value()))
    }

    /// How many moves keep the value.
    pub fn keepers(&self) -> usize {
        self.values.iter().filter(|&&(_, value)| value == self.value()).count()
    }

    /// The position with a komi by which the mover wins with the moves that keep the value, and with no other.
    ///
    /// # Panics
    /// Never: what was set up once can be set up with another komi.
    #[must_use]
    pub fn question(&self) -> Position<Small> {
        let less = if self.position.turn() == Colour::Black { -1 } else { 1 };
        let komi = Komi::from_half_points((2 * self.value() + less) as i16);
        let rules = Rules { komi, ..*self.position.rules() };
        let mut question = Position::set_up(&rules, &self.position.start())
            .expect("komi does not matter to what can be set up");
        for m in self.position.moves() {
            question.play_unchecked(m, &mut ());
        }
        question
    }
}

/// `go 5 b rows=… komi=0 moves=… : A1=3 B2=-25 pass=1`.
impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} :", self.position.to_text())?;
        self.values.iter().try_for_each(|(m, value)| write!(f, " {m}={value}"))
    }
}

/// How often moves kept the value, over a set.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Kept {
    /// Positions asked about.
    pub asked: u32,
    /// Moves that kept the value.
    pub kept: u32,
    /// Positions where only one move does.
    pub asked_only: u32,
    /// Moves that kept the value there.
    pub kept_only: u32,
    /// Points lost in all.
    pub lost: u32,
    /// What a random legal move would have kept on average.
    pub by_chance: f64,
}

impl Kept {
    /// Asks about every position of a set: `choose` gets [the question](Proven::question) and answers with a legal move.
    ///
    /// # Panics
    /// If an answer is no legal move.
    pub fn by(set: &[Proven], mut choose: impl FnMut(&Position<Small>) -> Move) -> Self {
        let mut kept = Self::default();
        for proven in set {
            let answer = choose(&proven.question());
            let found = proven.values.iter().find(|(m, _)| *m == answer);
            let (_, value) = found.unwrap_or_else(|| panic!("{answer} is no legal move of {proven}"));
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
