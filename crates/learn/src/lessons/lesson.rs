//! The format of lessons, and the built-in set.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::LearnError;

/// A lesson: a few steps about one part of the rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The name of the lesson in addresses, which is that of its file.
    #[serde(skip)]
    pub name: &'static str,
    /// The title to display.
    pub title: String,
    /// A summary in one sentence.
    pub summary: String,
    /// The families of rules that the lesson teaches.
    pub families: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A step: a text with a position and optionally a goal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Paragraphs, separated by blank lines.
    pub text: String,
    /// A position text.
    pub start: String,
    /// The cells to highlight.
    #[serde(default)]
    pub marks: Vec<String>,
    /// The goal as a sentence; `None` if there is only text.
    pub goal: Option<String>,
    /// For every decision, patterns of the moves that may lead to the goal; `*` matches anything.
    #[serde(default)]
    pub accept: Vec<Vec<String>>,
    /// The text shown when the goal is reached.
    #[serde(default)]
    pub reply: String,
    /// The text shown when the goal is missed.
    #[serde(default)]
    pub hint: String,
    /// What must hold in the final position.
    #[serde(default)]
    pub then: Outcome,
}

/// The conditions on the final position of a step. Numbers are the learner's gains.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Cells with their contents, as in a position text; `C3=1` is a stone.
    #[serde(default)]
    pub holds: Vec<String>,
    /// Empty cells.
    #[serde(default)]
    pub empty: Vec<String>,
    /// Eliminated rings.
    pub credits: Option<u32>,
    /// Cells of territory.
    pub territory: Option<u32>,
    /// Stones captured.
    pub prisoners: Option<u32>,
    /// Whether the learner must win the game.
    #[serde(default)]
    pub wins: bool,
}

macro_rules! lessons {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("texts/", $name, ".toml")))),*]
    };
}

/// The lessons in the order in which they build on each other.
const SOURCES: [(&str, &str); 11] = lessons![
    "first-turn",
    "stacks",
    "markers",
    "captures",
    "chains",
    "lines",
    "territory",
    "recovery",
    "stuck",
    "winning",
    "go",
];

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let read = |(name, text): (&'static str, &str)| {
        let lesson: Lesson = toml::from_str(text).expect("every lesson is read by the tests");
        Lesson { name, ..lesson }
    };
    SOURCES.into_iter().map(read).collect()
});

/// All lessons.
pub fn all() -> &'static [Lesson] {
    &LESSONS
}

/// The lesson with this name.
///
/// # Errors
/// Returns an error if there is no such lesson.
pub fn named(name: &str) -> Result<&'static Lesson, LearnError> {
    let found = all().iter().find(|lesson| lesson.name == name);
    found.ok_or_else(|| LearnError::UnknownLesson(name.to_owned()))
}

impl Lesson {
    /// The step with this index, from 0.
    ///
    /// # Errors
    /// Returns an error if the lesson has fewer steps.
    pub fn step(&self, step: usize) -> Result<&Step, LearnError> {
        let (lesson, steps) = (self.name, self.steps.len());
        self.steps.get(step).ok_or(LearnError::UnknownStep { lesson, step, steps })
    }
}
