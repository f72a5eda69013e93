//! Lessons that teach the rules by playing, and puzzles with proven solutions.
//!
//! ```
//! use learn::lessons;
//!
//! let step = lessons::named("markers")?.step(0)?;
//! let verdict = lessons::judge(step, &["b2-b6".to_owned()])?;
//! assert!(verdict.right && verdict.done);
//! # Ok::<(), learn::LearnError>(())
//! ```
//!
//! The module [`lessons`] contains the lessons and judges a learner's moves. The module [`puzzles`] contains the puzzles,
//! judges a solver's moves, and [finds](puzzles::Finder) new puzzles in recorded games by exhaustive proof.
//!
//! What is deliberately absent: HTTP, files (everything is compiled in), and the progress of learners, which the browser
//! stores.
//!
//! Where to go next: `docs/learn.md` describes the format of lessons and the proofs behind puzzles.

mod error;
pub mod lessons;
pub mod puzzles;

pub use error::LearnError;

use serde::Serialize;
use utoipa::ToSchema;

/// A text for a player, as a JSON object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Words {
    /// The text.
    pub words: String,
}
