//! Lessons: the rules of the games, learnt by playing them.
//!
//! A lesson is a TOML file beside this module, compiled in. Each step shows a position and may set a goal; the goal is
//! judged on the position that the learner's moves lead to, by the same rules as every game. What is deliberately
//! absent: who has learnt what, which stays in the browser.

mod judge;
mod lesson;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use judge::{Verdict, judge};
pub(crate) use lesson::{Lesson, all, named};
pub(crate) use view::{LessonView, ListedLesson, Words};
