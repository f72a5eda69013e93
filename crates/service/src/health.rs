//! Whether the databases can be written and are intact, for monitoring.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tokio::{
    sync::{Mutex, watch},
    task::spawn_blocking,
    time::timeout,
};

use crate::games::Games;

/// The time for which the result of a test write is valid, so that frequent requests do not wear out the disk.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The time after which a test write that has not succeeded counts as failed.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// The minimum time between two checks of a file.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// The time for which requests wait for the first check of a file.
const FIRST_CHECK: Duration = Duration::from_secs(5);

/// A check that takes long is repeated less often: checks take at most one part in this many of the time.
const CHECK_SHARE: u32 = 50;

/// A problem of a component of the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Issue {
    /// The component, as the response names it.
    pub(crate) component: &'static str,
    pub(crate) message: String,
}

/// Tests the databases on request.
pub(crate) struct Health {
    games: Games,
    /// When the last test write ended, and its error.
    written: Mutex<Option<(Instant, Option<String>)>>,
    files: [Arc<FileCheck>; 2],
}

/// The state of the checks of one file.
struct FileCheck {
    component: &'static str,
    path: PathBuf,
    running: AtomicBool,
    last: watch::Sender<Option<Checked>>,
}

/// The result of a check.
struct Checked {
    /// When the next check is due.
    next: Instant,
    damage: Option<String>,
}

impl Health {
    /// The health of the databases of games and of the laboratory at these paths.
    pub(crate) fn new(games: Games, games_path: PathBuf, lab_path: PathBuf) -> Self {
        let file = |component, path| {
            let (running, last) = (AtomicBool::new(false), watch::Sender::default());
            Arc::new(FileCheck { component, path, running, last })
        };
        let files = [file("games", games_path), file("lab", lab_path)];
        Self { games, written: Mutex::default(), files }
    }

    /// All present issues; empty if everything works.
    pub(crate) async fn issues(&self) -> Vec<Issue> {
        let mut issues = Vec::new();
        if let Some(message) = self.write_error().await {
            issues.push(Issue { component: "games", message });
        }
        for file in &self.files {
            if let Some(message) = file.damage().await {
                issues.push(Issue { component: file.component, message });
            }
        }
        issues
    }

    /// The error of a test write, if it fails.
    async fn write_error(&self) -> Option<String> {
        // Requests that arrive during a test share its result.
        let mut written = self.written.lock().await;
        if let Some((_, error)) = written.as_ref().filter(|(at, _)| at.elapsed() < WRITE_INTERVAL) {
            return error.clone();
        }
        let error = match timeout(WRITE_TIMEOUT, self.games.probe()).await {
            Ok(written) => written.err().map(|error| error.message),
            Err(_) => {
                Some(format!("the database of games has not answered for {} s", WRITE_TIMEOUT.as_secs()))
            }
        };
        *written = Some((Instant::now(), error.clone()));
        error
    }
}

impl FileCheck {
    /// The damage that the last check found. Starts a check if one is due.
    async fn damage(self: &Arc<Self>) -> Option<String> {
        let due = self.last.borrow().as_ref().is_none_or(|last| last.next <= Instant::now());
        if due && !self.running.swap(true, Ordering::Relaxed) {
            let file = Arc::clone(self);
            spawn_blocking(move || file.check());
        }
        // Only the first check keeps clients waiting, and not for long if the file is large.
        let mut last = self.last.subscribe();
        let first = timeout(FIRST_CHECK, last.wait_for(Option::is_some)).await;
        first.ok()?.ok()?.as_ref()?.damage.clone()
    }

    fn check(&self) {
        let begun = Instant::now();
        let damage = damage(&self.path);
        let next = Instant::now() + CHECK_INTERVAL.max(begun.elapsed() * CHECK_SHARE);
        self.last.send_replace(Some(Checked { next, damage }));
        self.running.store(false, Ordering::Relaxed);
    }
}

/// The damage of a database, if it exists and has any.
fn damage(path: &Path) -> Option<String> {
    if !path.exists() {
        return None;
    }
    // A connection of its own sees the file, not the pages that another connection has cached.
    let checked = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .and_then(|file| file.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0)));
    let found = match checked {
        Ok(report) if report == "ok" => return None,
        Ok(report) => report,
        // Another process is writing.
        Err(error)
            if matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
            ) =>
        {
            return None;
        }
        Err(error) => error.to_string(),
    };
    Some(format!("{} is damaged: {found}: stop the service and restore the file from a copy", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_found_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.db");
        assert_eq!(damage(&path), None, "a database that does not exist yet is not damaged");
        let file = Connection::open(&path).unwrap();
        file.execute_batch("CREATE TABLE some (x); CREATE INDEX by_x ON some (x); BEGIN;").unwrap();
        for row in 0..2_000 {
            file.execute("INSERT INTO some VALUES (?1)", [format!("row {row:08}")]).unwrap();
        }
        file.execute_batch("COMMIT").unwrap();
        drop(file);
        assert_eq!(damage(&path), None);
        let sound = std::fs::read(&path).unwrap();
        for page in [1, sound.len() / 4096 - 1] {
            let mut bytes = sound.clone();
            bytes[page * 4096..][..4096].fill(0xa5);
            std::fs::write(&path, bytes).unwrap();
            let found = damage(&path);
            assert!(
                found.as_ref().is_some_and(|found| found.contains("some.db is damaged")),
                "{page}: {found:?}"
            );
        }
    }
}
