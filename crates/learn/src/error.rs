//! Why there is no lesson, no puzzle or no verdict.

use host::{OpenError, PlayError};

use crate::puzzles::TooHard;

/// Why there is no lesson, no puzzle or no verdict.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// No lesson has this name.
    #[error("there is no lesson {0:?}")]
    UnknownLesson(String),
    /// The lesson has fewer steps.
    #[error("step {step}: {lesson} has {steps}, from 0")]
    UnknownStep {
        /// The lesson.
        lesson: &'static str,
        /// The step asked for, from 0.
        step: usize,
        /// How many steps there are.
        steps: usize,
    },
    /// No puzzle has this name.
    #[error("there is no puzzle {0:?}")]
    UnknownPuzzle(String),
    /// There are more moves than the step or puzzle takes.
    #[error("{0}")]
    Finished(&'static str),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A position that was compiled in cannot be opened.
    #[error(transparent)]
    Position(#[from] OpenError),
    /// A puzzle of another game.
    #[error("puzzles are about RingRift")]
    NotRingRift,
    /// A proof takes too many moves.
    #[error(transparent)]
    Proof(#[from] TooHard),
}
