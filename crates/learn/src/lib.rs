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
//! [`lessons`] holds the lessons and judges what a learner plays. [`puzzles`] holds the puzzles, judges what a solver
//! plays, and [finds](puzzles::from_game) new ones in recorded games by exhaustive proof.
//!
//! What is deliberately absent: HTTP, files (everything is compiled in), and who has learnt what, which stays in the
//! browser.
//!
//! Where to go next: `docs/learn.md` for how a lesson is written and what a puzzle proves.

mod error;
pub mod lessons;
pub mod puzzles;

pub use error::LearnError;

use serde::Serialize;
use utoipa::ToSchema;

/// Something in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Words {
    /// The words.
    pub words: String,
}
