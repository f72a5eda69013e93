//! The set of puzzles, and how they are shown.

use std::sync::LazyLock;

use host::view::View;
use record::Config;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Goal;
use crate::{LearnError, Words};

/// A puzzle, a line of the set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Its name.
    pub id: String,
    /// What to bring about.
    pub goal: Goal,
    /// From 1, the easiest, to 5.
    pub difficulty: u8,
    /// The position; the seat to move solves.
    pub start: String,
    /// What the solver has to choose in this turn, as long as something else would miss the goal.
    pub solution: Vec<String>,
    /// The game it comes from, and after how many moves.
    pub source: String,
}

const SET: &str = include_str!("set.jsonl");

static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let read = |line: &str| serde_json::from_str(line).expect("every puzzle is read by the tests");
    SET.lines().map(read).collect()
});

/// All puzzles, the easiest first.
pub fn all() -> &'static [Puzzle] {
    &PUZZLES
}

/// One puzzle.
///
/// # Errors
/// If there is none of that name.
pub fn named(id: &str) -> Result<&'static Puzzle, LearnError> {
    let found = all().iter().find(|puzzle| puzzle.id == id);
    found.ok_or_else(|| LearnError::UnknownPuzzle(id.to_owned()))
}

impl Puzzle {
    /// What is played.
    ///
    /// # Errors
    /// If its position cannot be read.
    pub fn config(&self) -> Result<Config, LearnError> {
        Ok(host::open_position(&self.start)?.config())
    }
}

/// A puzzle in the list.
#[derive(Serialize, ToSchema)]
pub struct ListedPuzzle {
    /// Its name.
    pub id: &'static str,
    /// What people call it.
    pub title: String,
    /// Where it is played.
    pub words: String,
    /// From 1, the easiest, to 5.
    pub difficulty: u8,
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub struct PuzzleView {
    /// What the list tells of it.
    #[serde(flatten)]
    pub listed: ListedPuzzle,
    /// What to do.
    pub goal: Words,
    /// The position as text.
    pub start: &'static str,
    /// The position.
    pub view: View,
    /// The game it comes from, and after how many moves.
    pub source: &'static str,
}

impl ListedPuzzle {
    /// What the list tells of a puzzle.
    ///
    /// # Errors
    /// If its position cannot be read.
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
    /// What a puzzle shows.
    ///
    /// # Errors
    /// If its position cannot be read.
    pub fn of(puzzle: &'static Puzzle) -> Result<Self, LearnError> {
        let view = host::open_position(&puzzle.start)?.view();
        let words = puzzle.goal.task();
        let (start, source) = (puzzle.start.as_str(), puzzle.source.as_str());
        Ok(Self { listed: ListedPuzzle::of(puzzle)?, goal: Words { words }, start, view, source })
    }
}
