//! Games in files.

use std::path::{Path, PathBuf};

use anyhow::Context;
use interchange::ImportReader;
use record::{GameRecord, ReadError, RecordReader, sgf, write_records};

use crate::{atomic_file, failure::Hinted};

fn is_sgf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"))
}

/// The last game of a file.
pub(super) fn load(path: &Path) -> anyhow::Result<GameRecord> {
    let records = if is_sgf(path) {
        ImportReader::open(path)?.map(|game| game.map(|game| game.record)).collect::<Result<Vec<_>, _>>()?
    } else {
        RecordReader::open(path)?.collect::<Result<Vec<_>, ReadError>>()?
    };
    let message = || format!("{} holds no game", path.display());
    records.into_iter().next_back().with_context(message)
}

/// Knows which files the session may write.
pub(super) struct Keeper {
    /// Where the game is kept from turn to turn.
    auto: Option<PathBuf>,
    /// Files that hold nothing but this game.
    own: Vec<PathBuf>,
}

impl Keeper {
    pub(super) fn new(auto: Option<PathBuf>, loaded: Option<&PathBuf>) -> anyhow::Result<Self> {
        let mut keeper = Self { auto: None, own: Vec::new() };
        if let Some(path) = loaded {
            keeper.follow(path)?;
        }
        if let Some(path) = &auto {
            keeper.check(path)?;
        }
        keeper.auto = auto;
        Ok(keeper)
    }

    /// Turns to the game that was loaded from `path`: what is kept from now on must not replace the game before.
    /// The file may be written again if no other game is in it.
    pub(super) fn follow(&mut self, path: &Path) -> anyhow::Result<()> {
        // What SGF holds besides moves would be lost.
        let alone = !is_sgf(path) && RecordReader::open(path)?.count() == 1;
        self.own = if alone { vec![path.to_owned()] } else { Vec::new() };
        self.auto = self.auto.take().and_then(|_| self.own.first().cloned());
        Ok(())
    }

    fn check(&self, path: &Path) -> anyhow::Result<()> {
        if path.exists() && !self.own.iter().any(|own| own == path) {
            let message = format!("{} exists already and may hold other games", path.display());
            return Err(Hinted::error(message, "choose another name, or load that file first"));
        }
        Ok(())
    }

    /// Writes the game to `path`, or where it is kept anyway, and tells where that was.
    pub(super) fn save(&mut self, path: Option<PathBuf>, record: &GameRecord) -> anyhow::Result<PathBuf> {
        let known = || self.auto.clone().or_else(|| self.own.last().cloned());
        let path = path.or_else(known).context("save needs the name of a file")?;
        self.check(&path)?;
        if is_sgf(&path) {
            let text = sgf::write(record).context("only games of Go are kept in .sgf files")?;
            atomic_file::write(&path, &text)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        } else {
            write_records(&path, [record])?;
        }
        self.own.push(path.clone());
        Ok(path)
    }

    /// Keeps the game if that was asked for, and tells where.
    pub(super) fn autosave(&mut self, record: &GameRecord) -> anyhow::Result<Option<PathBuf>> {
        self.auto.clone().map(|path| self.save(Some(path), record)).transpose()
    }
}
