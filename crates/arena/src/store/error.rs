//! What can be wrong with a database file.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a database cannot be used. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no file.
    #[error("{} does not exist: expected a riftlab database; check the path, or play a tournament into it", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened at all.
    #[error("{} cannot be opened: expected a file in an existing folder that we may write", path.display())]
    Unreachable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: rusqlite::Error,
    },
    /// The file is something else.
    #[error("{} is {found}: expected a riftlab database; nothing was changed, choose another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The file was written by a later version.
    #[error("{} has schema {found}: expected at most {known}; use the newer riftlab that wrote it", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The latest that this version knows.
        known: i64,
    },
    /// The file is damaged.
    #[error("{} is damaged ({what}): expected a whole database; restore a copy, or rescue what is left with `sqlite3 FILE .recover`", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// Somebody else kept the file for too long.
    #[error("{} is kept busy by another process: expected a turn within two minutes; try again when it has ended", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("{}: the database refuses", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        #[source]
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What SQLite complains about, in our words.
    pub(super) fn of(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign { path, found: "no SQLite file".to_owned() },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, what: error.to_string() },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::CannotOpen) => Self::Unreachable { path, source: error },
            _ => Self::Refused { path, source: error },
        }
    }
}
