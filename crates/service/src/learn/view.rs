//! Lessons as the pages get them: without what would give them away.

use host::view::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Lesson, lesson::Step};
use crate::Refusal;

/// A lesson in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedLesson {
    /// What it is called in addresses.
    name: &'static str,
    /// What it is called.
    title: &'static str,
    /// What it is about.
    summary: &'static str,
    /// How many steps it has.
    steps: usize,
}

/// A lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonView {
    /// What it is called in addresses.
    name: &'static str,
    /// What it is called.
    title: &'static str,
    /// What it is about.
    summary: &'static str,
    /// Its steps.
    steps: Vec<StepView>,
}

/// A step.
#[derive(Serialize, ToSchema)]
struct StepView {
    /// Paragraphs with blank lines between them.
    text: &'static str,
    /// The position.
    view: View,
    /// What to do; nothing where there is only something to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<Words>,
    /// Whether moves are to be judged by the service.
    judge: bool,
    /// Cells that the text speaks of.
    marks: &'static [String],
}

/// Something in words.
#[derive(Serialize, ToSchema)]
pub(crate) struct Words {
    /// The words.
    pub(crate) words: String,
}

impl From<&'static Lesson> for ListedLesson {
    fn from(lesson: &'static Lesson) -> Self {
        let Lesson { name, title, summary, steps, .. } = lesson;
        Self { name, title, summary, steps: steps.len() }
    }
}

impl LessonView {
    /// What a lesson shows.
    ///
    /// # Errors
    /// If a position cannot be read.
    pub(crate) fn of(lesson: &'static Lesson) -> Result<Self, Refusal> {
        let Lesson { name, title, summary, steps, .. } = lesson;
        let step = |step: &'static Step| {
            Ok(StepView {
                text: step.text.trim(),
                view: host::open_position(&step.start)?.view(),
                goal: step.goal.clone().map(|words| Words { words }),
                judge: step.goal.is_some(),
                marks: &step.marks,
            })
        };
        Ok(Self { name, title, summary, steps: steps.iter().map(step).collect::<Result<_, Refusal>>()? })
    }
}
