//! Loads and saves games, and protects files that contain other games.

use std::path::{Path, PathBuf};

use anyhow::Context;
use interchange::ImportReader;
use record::{GameRecord, ReadError, RecordReader, sgf, write_records};

use crate::{atomic_file, failure::ErrorWithHint};

fn is_sgf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"))
}

/// Loads the last game of a file.
pub(super) fn load(path: &Path) -> anyhow::Result<GameRecord> {
    let records = if is_sgf(path) {
        ImportReader::open(path)?.map(|game| game.map(|game| game.record)).collect::<Result<Vec<_>, _>>()?
    } else {
        RecordReader::open(path)?.collect::<Result<Vec<_>, ReadError>>()?
    };
    let message = || format!("{} contains no game", path.display());
    records.into_iter().next_back().with_context(message)
}

/// The files that a session may write.
pub(super) struct SaveFiles {
    /// Where the game is saved after every turn.
    autosave: Option<PathBuf>,
    /// Files that contain no other game.
    owned: Vec<PathBuf>,
}

impl SaveFiles {
    pub(super) fn new(autosave: Option<PathBuf>, loaded: Option<&PathBuf>) -> anyhow::Result<Self> {
        let mut files = Self { autosave: None, owned: Vec::new() };
        if let Some(path) = loaded {
            files.switch_to(path)?;
        }
        if let Some(path) = &autosave {
            files.check(path)?;
        }
        files.autosave = autosave;
        Ok(files)
    }

    /// Switches to the game that was loaded from `path`, so that saving it does not overwrite the previous game. `path`
    /// itself may be overwritten if it contains no other game.
    pub(super) fn switch_to(&mut self, path: &Path) -> anyhow::Result<()> {
        // Overwriting an SGF file would lose its comments and variations.
        let alone = !is_sgf(path) && RecordReader::open(path)?.count() == 1;
        self.owned = if alone { vec![path.to_owned()] } else { Vec::new() };
        self.autosave = self.autosave.take().and_then(|_| self.owned.first().cloned());
        Ok(())
    }

    fn check(&self, path: &Path) -> anyhow::Result<()> {
        if path.exists() && !self.owned.iter().any(|owned| owned == path) {
            let message = format!("{} already exists and may contain other games", path.display());
            return Err(ErrorWithHint::error(message, "choose another name, or load that file first"));
        }
        Ok(())
    }

    /// Saves the game to `path`, or to the file used last, and returns the path.
    pub(super) fn save(&mut self, path: Option<PathBuf>, record: &GameRecord) -> anyhow::Result<PathBuf> {
        let known = || self.autosave.clone().or_else(|| self.owned.last().cloned());
        let path = path.or_else(known).context("save needs a file name, as in: save game.jsonl")?;
        self.check(&path)?;
        if is_sgf(&path) {
            let text = sgf::write(record)
                .context("only games of Go can be saved as .sgf: choose a name that ends in .jsonl")?;
            atomic_file::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        } else {
            write_records(&path, [record])?;
        }
        self.owned.push(path.clone());
        Ok(path)
    }

    /// Saves the game if it is saved after every turn, and returns the path.
    pub(super) fn autosave(&mut self, record: &GameRecord) -> anyhow::Result<Option<PathBuf>> {
        self.autosave.clone().map(|path| self.save(Some(path), record)).transpose()
    }
}
