//! Lessons as they are written.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::LearnError;

/// A lesson: a few steps about one part of the rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What the lesson is called in addresses: its file's name.
    #[serde(skip)]
    pub name: &'static str,
    /// What people call it.
    pub title: String,
    /// What it is about, in a sentence.
    pub summary: String,
    /// The families of rules that it is about.
    pub families: Vec<String>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

/// Something to read, with a position, and perhaps something to do in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Paragraphs with blank lines between them.
    pub text: String,
    /// A position text.
    pub start: String,
    /// Cells that the text speaks of.
    #[serde(default)]
    pub marks: Vec<String>,
    /// What to do, in words; nothing where there is only something to read.
    pub goal: Option<String>,
    /// For every decision the moves that may lead to the goal; `*` stands for anything.
    #[serde(default)]
    pub accept: Vec<Vec<String>>,
    /// What to say when the goal is reached.
    #[serde(default)]
    pub reply: String,
    /// What to say when it is out of reach.
    #[serde(default)]
    pub hint: String,
    /// What must hold in the end.
    #[serde(default)]
    pub then: Outcome,
}

/// What a goal demands of the position in the end. Numbers are what the learner has gained.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Cells with what is on them, as in a position text; `C3=1` is a stone.
    #[serde(default)]
    pub holds: Vec<String>,
    /// Cells with nothing on them.
    #[serde(default)]
    pub empty: Vec<String>,
    /// Credited rings.
    pub credits: Option<u32>,
    /// Cells of territory.
    pub territory: Option<u32>,
    /// Stones taken.
    pub prisoners: Option<u32>,
    /// Whether the game is won.
    #[serde(default)]
    pub wins: bool,
}

macro_rules! lessons {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("texts/", $name, ".toml")))),*]
    };
}

/// The lessons in the order in which they build on each other.
const WRITTEN: [(&str, &str); 11] = lessons![
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
    WRITTEN.into_iter().map(read).collect()
});

/// All lessons.
pub fn all() -> &'static [Lesson] {
    &LESSONS
}

/// One lesson.
///
/// # Errors
/// If there is none of that name.
pub fn named(name: &str) -> Result<&'static Lesson, LearnError> {
    let found = all().iter().find(|lesson| lesson.name == name);
    found.ok_or_else(|| LearnError::UnknownLesson(name.to_owned()))
}

impl Lesson {
    /// One of its steps, from 0.
    ///
    /// # Errors
    /// If it has fewer.
    pub fn step(&self, step: usize) -> Result<&Step, LearnError> {
        let (lesson, steps) = (self.name, self.steps.len());
        self.steps.get(step).ok_or(LearnError::UnknownStep { lesson, step, steps })
    }
}
