//! Lessons as the pages get them: without what would give them away.

use host::view::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Lesson, Step};
use crate::{LearnError, Words};

/// A lesson in the list.
#[derive(Serialize, ToSchema)]
pub struct ListedLesson {
    /// What it is called in addresses.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is about.
    pub summary: &'static str,
    /// How many steps it has.
    pub steps: usize,
}

/// A lesson.
#[derive(Serialize, ToSchema)]
pub struct LessonView {
    /// What it is called in addresses.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is about.
    pub summary: &'static str,
    /// Its steps.
    pub steps: Vec<StepView>,
}

/// A step.
#[derive(Serialize, ToSchema)]
pub struct StepView {
    /// Paragraphs with blank lines between them.
    pub text: &'static str,
    /// The position.
    pub view: View,
    /// What to do; nothing where there is only something to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Words>,
    /// Whether moves are judged.
    pub judge: bool,
    /// Cells that the text speaks of.
    pub marks: &'static [String],
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
    pub fn of(lesson: &'static Lesson) -> Result<Self, LearnError> {
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
        Ok(Self { name, title, summary, steps: steps.iter().map(step).collect::<Result<_, LearnError>>()? })
    }
}
