//! Reading, writing and verifying the solved positions.
//!
//! A case consists of a line with a position, a line that describes it, and one line per result with the moves that
//! lead to it. A result is one value per seat, in turn order.

use std::{collections::BTreeMap, fs, path::PathBuf};

use game::{Game, MAX_SEATS, Notation, Setup, Values};
use ringrift::{Board, Geometry, Move, Phase, Position};

use crate::solver::{Solver, winner};

/// A position with the exact result of each of its moves.
pub(crate) struct Case<B: Geometry> {
    pub(crate) position: Position<B>,
    /// Every legal move, with the result of best play after it.
    pub(crate) moves: Vec<(Move, Values)>,
}

/// The file with all cases.
pub(crate) fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "ringrift", "positions.txt"].iter().collect()
}

/// The texts of all cases, each with its board.
pub(crate) fn all() -> Vec<(Board, String)> {
    let text = fs::read_to_string(path()).expect("positions.txt is next to the tests");
    let cases = text.split("\n\n").map(str::trim_end).filter(|case| !case.is_empty());
    cases.map(|case| (Board::of_text(case).expect("a case begins with a board"), case.to_owned())).collect()
}

impl<B: Geometry> Case<B> {
    /// Parses a case.
    pub(crate) fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let position = Position::<B>::from_text(lines.next().unwrap()).unwrap();
        let mut moves = Vec::new();
        for line in lines.skip(1) {
            let (result, texts) = line.split_once(": ").unwrap();
            let mut values = Values([0.0; MAX_SEATS]);
            for (value, word) in values.0.iter_mut().zip(result.split_whitespace()) {
                *value = word.parse().unwrap();
            }
            moves.extend(texts.split(' ').map(|text| (position.parse_move(text).unwrap(), values)));
        }
        Self { position, moves }
    }

    /// The mover's value with best play.
    pub(crate) fn value(&self) -> f32 {
        self.moves.iter().map(|(_, values)| values.of(self.position.to_move())).fold(-1.0, f32::max)
    }

    /// The result after a move.
    pub(crate) fn after(&self, m: Move) -> Values {
        self.moves.iter().find(|(other, _)| *other == m).expect("every legal move has its result").1
    }
}

/// Why a position is not suitable as a case.
pub(crate) enum Unfit {
    /// There are too many positions below it.
    Large,
    /// All moves have the same value for the mover, or their values depend on arbitrary choices of others.
    Dull,
}

/// The number of turns that the mover needs to win, or 0 if it does not win.
pub(crate) fn fitness<B: Geometry>(
    position: &Position<B>,
    solver: &mut Solver<Position<B>>,
) -> Result<u32, Unfit> {
    let mover = position.to_move();
    let solution = solver.solve(position).ok_or(Unfit::Large)?;
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut values = Vec::new();
    for m in legal {
        let (_, after) = solver.after(position, m).ok_or(Unfit::Large)?;
        values.push(after.only().ok_or(Unfit::Dull)?.of(mover));
    }
    if values.iter().all(|value| value.total_cmp(&values[0]).is_eq()) {
        return Err(Unfit::Dull);
    }
    let result = solution.only().ok_or(Unfit::Dull)?;
    Ok(if winner(&result, position.seats()) == Some(mover) { solution.turns } else { 0 })
}

/// Solves a position and formats the case.
pub(crate) fn write<B: Geometry>(position: &Position<B>, most: usize) -> Result<String, Unfit> {
    let mut solver = Solver::new(most);
    let turns = fitness(position, &mut solver)?;
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut moves_by_result: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for &m in &legal {
        let (_, after) = solver.after(position, m).ok_or(Unfit::Large)?;
        let values = after.only().ok_or(Unfit::Dull)?.0;
        let result = values[..position.seats()].iter().map(f32::to_string).collect::<Vec<_>>().join(" ");
        moves_by_result.entry(result).or_default().push(position.move_text(m));
    }
    let positions = solver.positions();
    let won = if turns > 0 { format!(", won in {turns}") } else { String::new() };
    let mover = position.to_move();
    let chain = |own: bool, name: &str| {
        let below = |below: &Position<B>| (below.to_move() == mover) == own && goes_on_capturing(below);
        if solver.any(below) { format!(", {name} chains") } else { String::new() }
    };
    let chains = chain(true, "own") + &chain(false, "opposing");
    let mut text = format!("{}\n  {positions} positions{won}{chains}", position.to_text());
    for (result, moves) in moves_by_result {
        text += &format!("\n  {result}: {}", moves.join(" "));
    }
    Ok(text)
}

/// Whether the mover is in a capture chain and has a choice.
fn goes_on_capturing<B: Geometry>(position: &Position<B>) -> bool {
    let mut moves = Vec::new();
    matches!(position.phase(), Phase::Capture | Phase::ChainCapture) && {
        position.legal_moves(&mut moves);
        moves.len() > 1
    }
}
