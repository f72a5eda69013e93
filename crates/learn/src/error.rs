//! The error type of the crate.

use host::{OpenError, PlayError};

use crate::puzzles::TooHard;

/// An error when looking up or judging a lesson or puzzle.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// No lesson has this name.
    #[error("there is no lesson {0:?}: see the list of lessons")]
    UnknownLesson(String),
    /// The lesson has fewer steps.
    #[error("there is no step {step}: the lesson {lesson} has {steps} steps, counted from 0")]
    UnknownStep {
        /// The lesson.
        lesson: &'static str,
        /// The requested step, from 0.
        step: usize,
        /// The number of steps.
        steps: usize,
    },
    /// No puzzle has this id.
    #[error("there is no puzzle {0:?}: see the list of puzzles")]
    UnknownPuzzle(String),
    /// There are more moves than the step or puzzle requires.
    #[error("{0}")]
    Finished(&'static str),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A built-in position cannot be opened.
    #[error(transparent)]
    Position(#[from] OpenError),
    /// The puzzle is of another game.
    #[error("only puzzles of RingRift are supported")]
    NotRingRift,
    /// A proof exceeds its budget.
    #[error(transparent)]
    Proof(#[from] TooHard),
}
