//! Errors of runs.

use std::{io, path::PathBuf};

use eval::OmegaError;

/// Why a run fails or cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum OmegaRunError {
    /// The options are invalid.
    #[error("{0}")]
    Options(String),
    /// The folder belongs to a run with other options.
    #[error(
        "{} has a run whose {field} is {found}, not {expected}: repeat its options, or choose another folder",
        path.display()
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// The option.
        field: String,
        /// Its value in the folder.
        found: String,
        /// Its value now.
        expected: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {problem}; remove it, and the run makes it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file does not hold networks of this kind.
    #[error("{}: {source}", path.display())]
    Nets {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: OmegaError,
    },
    /// The loss is no longer a number.
    #[error("training diverged at step {step} of {net}: choose a lower --learning-rate")]
    Diverged {
        /// The network.
        net: String,
        /// The step.
        step: u64,
    },
    /// Games cannot be rated.
    #[error(transparent)]
    Rating(#[from] arena::RatingError),
}

impl OmegaRunError {
    /// The error of a file, for `map_err`.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}
