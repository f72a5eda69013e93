//! Errors of self-play and of data folders.

use std::{io, path::PathBuf};

/// Why self-play or reading its data fails.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The options contradict each other.
    #[error("{0}")]
    Options(String),
    /// An agent cannot play this game.
    #[error("{spec}: {source}")]
    Player {
        /// The requested agent.
        spec: String,
        /// The reason.
        source: ladder::PlayerError,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A shard cannot be written.
    #[error(transparent)]
    Write(#[from] record::WriteError),
    /// A shard cannot be read.
    #[error(transparent)]
    Read(#[from] record::ReadError),
    /// A game contradicts itself.
    #[error(transparent)]
    Record(#[from] record::BadRecord),
    /// A game does not replay.
    #[error(transparent)]
    Replay(#[from] record::ReplayError),
    /// The catalogue cannot be read or written.
    #[error("{}: {source}", path.display())]
    Catalogue {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The folder has the games of other options.
    #[error(
        "{} has games of other options: {field} is {found} there and {expected} here; choose another folder",
        path.display()
    )]
    OtherOptions {
        /// The folder.
        path: PathBuf,
        /// The option.
        field: String,
        /// Its value in the folder.
        found: String,
        /// Its value in this run.
        expected: String,
    },
    /// The folder is not a data folder.
    #[error("{} is not a folder of self-play games: {problem}; make one with riftlab selfplay", path.display())]
    NotData {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A shard differs from what was written.
    #[error("{} was altered: its content hash is {found}; generate it again, or restore the file", path.display())]
    Altered {
        /// The shard.
        path: PathBuf,
        /// The hash of its content.
        found: String,
    },
    /// A stored leaf is not a position of the game.
    #[error("game {game:?}: a stored leaf is not a position: {problem}")]
    Leaf {
        /// The game.
        game: String,
        /// What is wrong with the text.
        problem: String,
    },
    /// An agent chose an illegal move.
    #[error("game {game}, ply {ply}: {engine} chose an illegal move: {reason}")]
    Illegal {
        /// The index of the game.
        game: u64,
        /// The index of the move.
        ply: usize,
        /// The algorithm that chose it.
        engine: &'static str,
        /// The rule that forbids it.
        reason: String,
    },
}
