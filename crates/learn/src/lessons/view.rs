//! Lessons as clients receive them, without their solutions.

use host::view::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Lesson, Step};
use crate::{LearnError, Words};

/// A lesson in the list.
#[derive(Serialize, ToSchema)]
pub struct ListedLesson {
    /// The name of the lesson in addresses.
    pub name: &'static str,
    /// The title to display.
    pub title: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The number of steps.
    pub steps: usize,
}

/// A lesson with its steps.
#[derive(Serialize, ToSchema)]
pub struct LessonView {
    /// The name of the lesson in addresses.
    pub name: &'static str,
    /// The title to display.
    pub title: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The steps, in order.
    pub steps: Vec<StepView>,
}

/// A step of a lesson.
#[derive(Serialize, ToSchema)]
pub struct StepView {
    /// Paragraphs, separated by blank lines.
    pub text: &'static str,
    /// The position.
    pub view: View,
    /// The goal; absent if there is only text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Words>,
    /// Whether moves are judged.
    pub judge: bool,
    /// The cells to highlight.
    pub marks: &'static [String],
}

impl From<&'static Lesson> for ListedLesson {
    fn from(lesson: &'static Lesson) -> Self {
        let Lesson { name, title, summary, steps, .. } = lesson;
        Self { name, title, summary, steps: steps.len() }
    }
}

impl LessonView {
    /// The view of a lesson.
    ///
    /// # Errors
    /// Returns an error if a position cannot be opened.
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
