//! Errors of events.

use std::{io, path::PathBuf};

use arena::{RatingError, ScheduleError, store::StoreError};
use ladder::PlayerError;
use record::{BadRecord, ReadError, ReplayError, ReplayProblem, WriteError};

/// Why an event cannot be played or rated.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A spec cannot be resolved to a player.
    #[error("{spec}: {source}")]
    Player {
        /// The spec.
        spec: String,
        /// The underlying error.
        source: PlayerError,
    },
    /// Two specs name the same participant.
    #[error("{spec} is the same agent as {twin}: expected different participants")]
    DuplicateParticipant {
        /// The second spec.
        spec: String,
        /// The first spec.
        twin: String,
    },
    /// A match does not have exactly two agents.
    #[error("{0} agents: expected two for a match")]
    AgentCount(usize),
    /// The schedule is invalid.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The game options are invalid.
    #[error(transparent)]
    Options(#[from] ReplayProblem),
    /// An internal agent chose an illegal move.
    #[error("{0}")]
    Illegal(String),
    /// A game cannot be recorded.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// The file of records cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file of records cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A record cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The file of records belongs to another event.
    #[error("{} contains another match: {differences}", path.display())]
    OtherEvent {
        /// The file.
        path: PathBuf,
        /// The fields in which they differ.
        differences: String,
    },
    /// The file of records has no configuration file next to it.
    #[error("{} contains games, but there is no configuration of a match next to it", path.display())]
    NoEvent {
        /// The file.
        path: PathBuf,
    },
    /// A record does not match the event.
    #[error("{}: game {game} is not of this {kind}: {problem}", path.display())]
    NotOfEvent {
        /// The file.
        path: PathBuf,
        /// The kind of the event.
        kind: String,
        /// The game, counted from 1.
        game: u64,
        /// The mismatch.
        problem: String,
    },
    /// The configuration file next to the records is invalid.
    #[error("{}: not the configuration of a match", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: serde_json::Error,
    },
    /// A file cannot be read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{} cannot be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A stored game has another number of seats than its fixture.
    #[error("game {} of the database has another number of seats than its event; restore a backup", .0 + 1)]
    Seats(u64),
    /// A game has no result.
    #[error("game {0:?} has not ended")]
    Unfinished(String),
    /// An anchor does not match any participant.
    #[error("{who}: no participant of that name has played on {scale}")]
    Anchor {
        /// The name.
        who: String,
        /// The rating scale.
        scale: String,
        /// The participants on the scale.
        known: Vec<String>,
    },
    /// The games cannot be rated.
    #[error(transparent)]
    Rating(#[from] RatingError),
}
