//! Lessons: the rules of the games, learnt by playing them.
//!
//! A lesson is a TOML file in `texts`, compiled in. Each step shows a position and may set a goal; the goal is judged on
//! the position that the learner's moves lead to, by the same rules as every game.

mod judge;
mod lesson;
#[cfg(test)]
mod tests;
mod view;

pub use judge::{Verdict, judge};
pub use lesson::{Lesson, Outcome, Step, all, named};
pub use view::{LessonView, ListedLesson, StepView};
