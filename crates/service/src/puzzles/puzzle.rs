//! The set of puzzles, and how they are shown.

use std::sync::LazyLock;

use host::view::View;
use record::Config;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Goal;
use crate::{Refusal, Setup, learn::Words};

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
pub(crate) fn all() -> &'static [Puzzle] {
    &PUZZLES
}

/// One puzzle.
///
/// # Errors
/// If there is none of that name.
pub(crate) fn named(id: &str) -> Result<&'static Puzzle, Refusal> {
    let found = all().iter().find(|puzzle| puzzle.id == id);
    found.ok_or_else(|| Refusal::missing(format!("there is no puzzle {id:?}")))
}

/// A puzzle in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedPuzzle {
    /// Its name.
    id: &'static str,
    /// What it is called.
    title: String,
    /// Where it is played.
    words: String,
    /// From 1, the easiest, to 5.
    difficulty: u8,
    /// What is played.
    setup: Setup,
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleView {
    #[serde(flatten)]
    listed: ListedPuzzle,
    /// What to do.
    goal: Words,
    /// The position as text.
    start: &'static str,
    /// The position.
    view: View,
    /// The game it comes from, and after how many moves.
    source: &'static str,
}

impl ListedPuzzle {
    /// What the list tells of a puzzle.
    ///
    /// # Errors
    /// If its position cannot be read.
    pub(crate) fn of(puzzle: &'static Puzzle) -> Result<Self, Refusal> {
        let config = host::open_position(&puzzle.start)?.config();
        let setup = Setup::from(&config);
        let words = match &config {
            Config::RingRift(config) => format!("{}, {} players", config.board, config.rules.seats),
            Config::Go(config) => format!("Go, {} lines", config.rules.size),
        };
        let (title, difficulty) = (puzzle.goal.title(), puzzle.difficulty);
        Ok(Self { id: &puzzle.id, title, words, difficulty, setup })
    }
}

impl PuzzleView {
    /// What a puzzle shows.
    ///
    /// # Errors
    /// If its position cannot be read.
    pub(crate) fn of(puzzle: &'static Puzzle) -> Result<Self, Refusal> {
        let view = host::open_position(&puzzle.start)?.view();
        let words = puzzle.goal.task();
        let (start, source) = (puzzle.start.as_str(), puzzle.source.as_str());
        Ok(Self { listed: ListedPuzzle::of(puzzle)?, goal: Words { words }, start, view, source })
    }
}
