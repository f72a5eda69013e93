//! Lessons as they are written.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::Refusal;

/// A lesson: a few steps about one part of the rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lesson {
    /// What the lesson is called in addresses: its file's name.
    #[serde(skip)]
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) summary: String,
    /// The families of rules that it is about.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests see to it that every family is taught"))]
    pub(crate) families: Vec<String>,
    pub(crate) steps: Vec<Step>,
}

/// Something to read, with a position, and perhaps something to do in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// Paragraphs with blank lines between them.
    pub(crate) text: String,
    /// A position text.
    pub(crate) start: String,
    /// Cells that the text speaks of.
    #[serde(default)]
    pub(crate) marks: Vec<String>,
    /// What to do, in words; nothing where there is only something to read.
    pub(crate) goal: Option<String>,
    /// For every decision the moves that may lead to the goal; `*` stands for anything.
    #[serde(default)]
    pub(crate) accept: Vec<Vec<String>>,
    /// What to say when the goal is reached.
    #[serde(default)]
    pub(crate) reply: String,
    /// What to say when it is out of reach.
    #[serde(default)]
    pub(crate) hint: String,
    /// What has to be so in the end.
    #[serde(default)]
    pub(crate) then: Then,
}

/// What a goal demands of the position in the end. Numbers are what the learner has gained.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Then {
    /// Cells with what is on them, as in a position text; `C3=1` is a stone.
    #[serde(default)]
    pub(crate) holds: Vec<String>,
    /// Cells with nothing on them.
    #[serde(default)]
    pub(crate) empty: Vec<String>,
    /// Credited rings.
    pub(crate) credits: Option<u32>,
    /// Cells of territory.
    pub(crate) territory: Option<u32>,
    /// Stones taken.
    pub(crate) prisoners: Option<u32>,
    /// Whether the game is won.
    #[serde(default)]
    pub(crate) wins: bool,
}

macro_rules! lessons {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("lessons/", $name, ".toml")))),*]
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
pub(crate) fn all() -> &'static [Lesson] {
    &LESSONS
}

/// One lesson.
///
/// # Errors
/// If there is none of that name.
pub(crate) fn named(name: &str) -> Result<&'static Lesson, Refusal> {
    let found = all().iter().find(|lesson| lesson.name == name);
    found.ok_or_else(|| Refusal::missing(format!("there is no lesson {name:?}")))
}

impl Lesson {
    /// One of its steps, from 0.
    ///
    /// # Errors
    /// If it has fewer.
    pub(crate) fn step(&self, step: usize) -> Result<&Step, Refusal> {
        let steps = self.steps.len();
        let found = self.steps.get(step);
        found.ok_or_else(|| Refusal::missing(format!("step {step}: {} has {steps}, from 0", self.name)))
    }
}
