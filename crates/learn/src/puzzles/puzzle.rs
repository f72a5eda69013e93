//! The format of puzzles, the built-in set, and puzzles as clients receive them.

use std::sync::LazyLock;

use host::view::View;
use record::Config;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Goal;
use crate::{LearnError, Words};

/// A puzzle: one line of the set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The id of the puzzle.
    pub id: String,
    /// The goal.
    pub goal: Goal,
    /// The difficulty from 1 (easiest) to 5.
    pub difficulty: u8,
    /// The position; the solver has the seat to move.
    pub start: String,
    /// The solver's moves in this turn, up to the last decision in which another move would miss the goal.
    pub solution: Vec<String>,
    /// The game that the position comes from, and the number of moves before it.
    pub source: String,
}

const SET: &str = include_str!("set.jsonl");

static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let read = |line: &str| serde_json::from_str(line).expect("every puzzle is read by the tests");
    SET.lines().map(read).collect()
});

/// All puzzles, easiest first.
pub fn all() -> &'static [Puzzle] {
    &PUZZLES
}

/// The puzzle with this id.
///
/// # Errors
/// Returns an error if there is no such puzzle.
pub fn named(id: &str) -> Result<&'static Puzzle, LearnError> {
    let found = all().iter().find(|puzzle| puzzle.id == id);
    found.ok_or_else(|| LearnError::UnknownPuzzle(id.to_owned()))
}

impl Puzzle {
    /// The game and its options.
    ///
    /// # Errors
    /// Returns an error if the position cannot be opened.
    pub fn config(&self) -> Result<Config, LearnError> {
        Ok(host::open_position(&self.start)?.config())
    }
}

/// A puzzle in the list.
#[derive(Serialize, ToSchema)]
pub struct ListedPuzzle {
    /// The id of the puzzle.
    pub id: &'static str,
    /// The title to display.
    pub title: String,
    /// The board and the number of players.
    pub words: String,
    /// The difficulty from 1 (easiest) to 5.
    pub difficulty: u8,
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub struct PuzzleView {
    /// The entry of the puzzle in the list.
    #[serde(flatten)]
    pub listed: ListedPuzzle,
    /// The goal as a sentence.
    pub goal: Words,
    /// The position as text.
    pub start: &'static str,
    /// The position.
    pub view: View,
    /// The game that the position comes from, and the number of moves before it.
    pub source: &'static str,
}

impl ListedPuzzle {
    /// The entry of a puzzle in the list.
    ///
    /// # Errors
    /// Returns an error if the position cannot be opened.
    pub fn of(puzzle: &'static Puzzle) -> Result<Self, LearnError> {
        let words = match puzzle.config()? {
            Config::RingRift(config) => format!("{}, {} players", config.board, config.rules.seats),
            Config::Go(config) => format!("Go, {} lines", config.rules.size),
        };
        let (title, difficulty) = (puzzle.goal.title(), puzzle.difficulty);
        Ok(Self { id: &puzzle.id, title, words, difficulty })
    }
}

impl PuzzleView {
    /// The view of a puzzle.
    ///
    /// # Errors
    /// Returns an error if the position cannot be opened.
    pub fn of(puzzle: &'static Puzzle) -> Result<Self, LearnError> {
        let view = host::open_position(&puzzle.start)?.view();
        let words = puzzle.goal.task();
        let (start, source) = (puzzle.start.as_str(), puzzle.source.as_str());
        Ok(Self { listed: ListedPuzzle::of(puzzle)?, goal: Words { words }, start, view, source })
    }
}
