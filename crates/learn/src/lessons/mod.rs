//! Lessons, which teach the rules of the games by exercises.
//!
//! A lesson is a TOML file in `texts`, compiled into the binary. Each step shows a position and may have a goal. Whether the
//! goal is reached depends on the position after the learner's moves, by the same rules as in every game.

mod judge;
mod lesson;
#[cfg(test)]
mod tests;
mod view;

pub use judge::{Verdict, judge};
pub use lesson::{Lesson, Outcome, Step, all, named};
pub use view::{LessonView, ListedLesson, StepView};
