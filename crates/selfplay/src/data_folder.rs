//! Folders of self-play games.
//!
//! A folder has `config.json` with everything that the games depend on, `catalogue.db` with the list of complete shards,
//! and `shards/`. A shard is a file of game records named by the hash of its content, so a shard that is listed and has
//! its name is unaltered. Games of the shard in progress are appended to a file whose name starts with `part`; an
//! interrupted run continues there.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lab::atomic_file;
use record::{GameRecord, LineReader, RecordReader, RecordWriter, write_records};
use serde_json::Value;

use crate::{
    SelfPlayError,
    catalogue::{Catalogue, Shard},
    plan::FORMAT,
};

/// A folder of self-play games.
pub struct DataFolder {
    path: PathBuf,
    config: Value,
    catalogue: Catalogue,
    shards: Vec<Shard>,
}

/// The games of the shard in progress.
pub(crate) struct Part {
    path: PathBuf,
    pub(crate) first: u64,
    pub(crate) games: Vec<GameRecord>,
    writer: RecordWriter,
}

impl DataFolder {
    /// Opens a folder for reading.
    ///
    /// # Errors
    /// If it is not a data folder.
    pub fn open(path: &Path) -> Result<Self, SelfPlayError> {
        let config_path = path.join("config.json");
        let problem = |problem| SelfPlayError::NotData { path: path.to_owned(), problem };
        let text = fs::read_to_string(&config_path)
            .map_err(|error| problem(format!("{}: {error}", config_path.display())))?;
        let config: Value = serde_json::from_str(&text)
            .map_err(|error| problem(format!("{}: {error}", config_path.display())))?;
        if config["format"] != FORMAT {
            return Err(problem(format!("its format is {}, this program reads {FORMAT}", config["format"])));
        }
        let catalogue = Catalogue::open(&path.join("catalogue.db"))?;
        let shards = catalogue.shards()?;
        Ok(Self { path: path.to_owned(), config, catalogue, shards })
    }

    /// Opens a folder to add games of these options, creating it if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or has games of other options.
    pub fn create(path: &Path, resolved: &Value) -> Result<Self, SelfPlayError> {
        let shards = path.join("shards");
        fs::create_dir_all(&shards).map_err(io_error(&shards))?;
        let config_path = path.join("config.json");
        if !config_path.exists() {
            let text = format!("{resolved:#}\n");
            atomic_file::write(&config_path, &text).map_err(io_error(&config_path))?;
        }
        let folder = Self::open(path)?;
        for (field, expected) in resolved.as_object().into_iter().flatten() {
            let found = &folder.config[field];
            if found != expected {
                return Err(SelfPlayError::OtherOptions {
                    path: path.to_owned(),
                    field: field.clone(),
                    found: found.to_string(),
                    expected: expected.to_string(),
                });
            }
        }
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything that the games depend on.
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// The complete shards, in order.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// A hash of the options and of all games, which changes if either does.
    pub fn manifest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.config.to_string().as_bytes());
        for shard in &self.shards {
            hasher.update(shard.hash.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    fn shard_path(&self, hash: &str) -> PathBuf {
        self.path.join("shards").join(format!("{hash}.jsonl.zst"))
    }

    /// Reads the games of a shard and verifies its content.
    ///
    /// # Errors
    /// If the file is missing, damaged or altered.
    pub fn read(&self, shard: &Shard) -> Result<Vec<GameRecord>, SelfPlayError> {
        let path = self.shard_path(&shard.hash);
        let mut hasher = blake3::Hasher::new();
        let mut games = Vec::with_capacity(shard.games as usize);
        for line in LineReader::open(&path)? {
            let line = line?;
            hasher.update(line.as_bytes());
            hasher.update(b"\n");
            games.push(GameRecord::from_line(&line)?);
        }
        let found = hasher.finalize().to_hex().to_string();
        if found != shard.hash {
            return Err(SelfPlayError::Altered { path, found });
        }
        Ok(games)
    }

    /// The number of complete games.
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// Opens the shard in progress, in which the next game belongs.
    pub(crate) fn part(&mut self, shard_games: u64) -> Result<Part, SelfPlayError> {
        let incomplete = self.shards.last().filter(|shard| shard.games < shard_games).cloned();
        let first = incomplete.as_ref().map_or_else(|| self.games(), |shard| shard.first);
        let path = self.path.join("shards").join(format!("part-{first:09}.jsonl.zst"));
        if let Some(shard) = incomplete {
            // The last run ended within this shard. Its games are moved back before the shard is forgotten.
            let games = self.read(&shard)?;
            write_records(&path, &games)?;
            self.catalogue.remove(first)?;
            self.shards.pop();
            remove(&self.shard_path(&shard.hash))?;
        }
        // The writer's lock excludes other runs from here on.
        let writer = RecordWriter::open(&path)?;
        self.sweep(&path)?;
        let games = RecordReader::open(&path)?.collect::<Result<Vec<_>, _>>()?;
        Ok(Part { path, first, games, writer })
    }

    /// Removes files that a killed run left behind: shards that are not listed, and parts other than `current`.
    fn sweep(&self, current: &Path) -> Result<(), SelfPlayError> {
        let folder = self.path.join("shards");
        let listed: Vec<PathBuf> = self.shards.iter().map(|shard| self.shard_path(&shard.hash)).collect();
        for entry in fs::read_dir(&folder).map_err(io_error(&folder))? {
            let path = entry.map_err(io_error(&folder))?.path();
            if path != current && !listed.contains(&path) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Turns the shard in progress into a complete one.
    pub(crate) fn complete(&mut self, part: Part) -> Result<(), SelfPlayError> {
        let Part { path: part_path, first, games, writer } = part;
        writer.finish()?;
        if !games.is_empty() {
            let mut hasher = blake3::Hasher::new();
            for game in &games {
                hasher.update(game.to_line()?.as_bytes());
                hasher.update(b"\n");
            }
            let shard = Shard {
                first,
                games: games.len() as u64,
                decisions: games.iter().map(|game| game.stats.len() as u64).sum(),
                plies: games.iter().map(|game| game.moves.len() as u64).sum(),
                hash: hasher.finalize().to_hex().to_string(),
            };
            write_records(self.shard_path(&shard.hash), &games)?;
            self.catalogue.insert(&shard)?;
            self.shards.push(shard);
        }
        remove(&part_path)
    }
}

impl Part {
    /// Adds a game, which is on disk when this returns.
    pub(crate) fn push(&mut self, game: GameRecord) -> Result<(), SelfPlayError> {
        self.writer.append(&game)?;
        self.games.push(game);
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), SelfPlayError> {
    fs::remove_file(path).map_err(io_error(path))
}

fn io_error(path: &Path) -> impl Fn(std::io::Error) -> SelfPlayError + use<> {
    let path = path.to_owned();
    move |source| SelfPlayError::Io { path: path.clone(), source }
}
