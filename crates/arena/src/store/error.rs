//! Errors of the database.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a database cannot be used. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("{} does not exist: expected a riftlab database; check the path, or play a tournament into it", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened.
    #[error("{} cannot be opened: expected a file in an existing, writable folder", path.display())]
    Unreachable {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: rusqlite::Error,
    },
    /// The file is not a riftlab database.
    #[error("{} is {found}: expected a riftlab database; nothing was changed, choose another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What the file is instead.
        found: String,
    },
    /// The file was written by a newer version.
    #[error("{} has schema {found}: expected at most {known}; use the newer riftlab that wrote it", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version that is supported.
        known: i64,
    },
    /// The file is damaged.
    #[error("{} is damaged ({what}): expected an intact database; restore a backup, or recover what is left with `sqlite3 FILE .recover`", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The damage found.
        what: String,
    },
    /// Another process locked the file for too long.
    #[error("{} is locked by another process: waited two minutes; try again when that process has ended", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Any other error of SQLite.
    #[error("{}: the database refuses the operation", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Converts an error of SQLite.
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
