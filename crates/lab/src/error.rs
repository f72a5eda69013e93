//! What can go wrong with an event.

use arena::{RatingError, ScheduleError, store::StoreError};
use ladder::NoPlayer;
use record::{BadRecord, ReplayProblem};

/// Why an event cannot be played or rated.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The database refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can play for a specification.
    #[error("{spec}: {source}")]
    Player {
        /// The specification.
        spec: String,
        /// Why not.
        source: NoPlayer,
    },
    /// One participant was named twice.
    #[error("{spec} is the same agent as {twin}: expected every participant once")]
    Twin {
        /// The second.
        spec: String,
        /// The first.
        twin: String,
    },
    /// The schedule cannot be played.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The options make no game.
    #[error(transparent)]
    Options(#[from] ReplayProblem),
    /// An agent of ours played a move that the rules forbid.
    #[error("{0}")]
    Illegal(String),
    /// A game that cannot be written down.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// A game without a result.
    #[error("game {0:?} has not ended")]
    Unfinished(String),
    /// Nobody of that name has played.
    #[error("{who}: nobody of that name has played on {scale}")]
    Anchor {
        /// The name.
        who: String,
        /// Where it was looked for.
        scale: String,
        /// Who has.
        known: Vec<String>,
    },
    /// The games rate nobody.
    #[error(transparent)]
    Rating(#[from] RatingError),
}
