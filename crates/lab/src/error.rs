//! What can go wrong with an event.

use std::{io, path::PathBuf};

use arena::{RatingError, ScheduleError, store::StoreError};
use ladder::{ModelError, NoPlayer};
use record::{BadRecord, ReadError, ReplayError, ReplayProblem, WriteError};

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
    /// A net that cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// One participant was named twice.
    #[error("{spec} is the same agent as {twin}: expected every participant once")]
    Twin {
        /// The second.
        spec: String,
        /// The first.
        twin: String,
    },
    /// A match has two sides.
    #[error("{0} agents: expected two for a match")]
    MatchOf(usize),
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
    /// The file of records cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file of records cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A record that does not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The file of records belongs to another event.
    #[error("{} holds another match: {differences}", path.display())]
    OtherEvent {
        /// The file.
        path: PathBuf,
        /// In which fields they differ.
        differences: String,
    },
    /// A file of records without a configuration beside it.
    #[error("{} holds games, but no match says so beside it", path.display())]
    NoEvent {
        /// The file.
        path: PathBuf,
    },
    /// A record that is not the one expected in its place.
    #[error("{}: game {game} is not of this {kind}: {problem}", path.display())]
    NotOfEvent {
        /// The file.
        path: PathBuf,
        /// The kind of the event.
        kind: String,
        /// The game, counted from 1.
        game: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The file beside the records is something else.
    #[error("{}: not the configuration of a match", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// A file that cannot be read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("{} cannot be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A stored game with another number of seats than its fixture.
    #[error("game {} of the database has seats that its event does not have; restore a copy", .0 + 1)]
    Seats(u64),
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
