//! Errors of training.

use std::{io, path::PathBuf};

use ringrift::Board;
use selfplay::SelfPlayError;

/// Why training fails or cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// There is nothing to learn from.
    #[error("there are no games to train on: generate some with riftlab selfplay")]
    Empty,
    /// The options are invalid.
    #[error("{0}")]
    Options(String),
    /// A match cannot be played.
    #[error(transparent)]
    Match(#[from] lab::LabError),
    /// A folder cannot be read.
    #[error(transparent)]
    Data(#[from] SelfPlayError),
    /// A game is not over.
    #[error("game {0:?} is not over: training needs its result")]
    Unfinished(String),
    /// The network evaluates other games only.
    #[error("{}: these games are not of RingRift, the only game that this network evaluates", .0.display())]
    Game(PathBuf),
    /// Folders have games of different boards.
    #[error("{} has games on {found}, unlike the folders before it: train one network per board", path.display())]
    Boards {
        /// The folder.
        path: PathBuf,
        /// Its board.
        found: Board,
    },
    /// Folders have games of different encoders.
    #[error(
        "{} has games that are encoded as {found:?}, unlike the folders before it ({expected:?}): train one network per family of boards",
        path.display()
    )]
    Encoders {
        /// The folder.
        path: PathBuf,
        /// Its encoder.
        found: String,
        /// The encoder of the folders before it.
        expected: String,
    },
    /// There is no policy to learn.
    #[error(
        "no decision of these games has a policy to learn: play games of a search, or store candidates with riftlab selfplay --candidates"
    )]
    NoPolicy,
    /// The network to start from does not fit the data.
    #[error("the network to start from reads {found:?}, but these games are encoded as {expected:?}")]
    Encoder {
        /// The encoder of the network.
        found: String,
        /// The encoder of the data.
        expected: String,
    },
    /// A model file cannot be read.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: nn::ModelError,
    },
    /// A trained network cannot be played in small integers.
    #[error(transparent)]
    Quantise(#[from] nn::QuantiseError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A game cannot be written in the format of an export.
    #[error("game {game:?} cannot be exported: {problem}")]
    Export {
        /// The id of the game.
        game: String,
        /// The reason.
        problem: String,
    },
    /// A checkpoint is damaged, or belongs to another run.
    #[error("{}: {problem}; remove it to start again, or choose another --out", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The table of curves of a run cannot be continued.
    #[error("{}: {problem}; move it away, or choose another --out", path.display())]
    Curves {
        /// The table.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The loss is not a number any more.
    #[error(
        "the loss is not finite after step {step}: lower the learning rate; the last good checkpoint is kept"
    )]
    Diverged {
        /// The step.
        step: u64,
    },
}
