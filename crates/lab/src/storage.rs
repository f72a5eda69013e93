//! Storage for the games of an event: a file of records, a database, both or neither.
//!
//! Games are written in the order of the event, so a file or database always contains a prefix of its games. A
//! configuration file next to the records, written before the first game, describes the event; only the same event may
//! append games.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use arena::{
    Fixture, Fixtures, GameSummary, Results, Schedule,
    store::{Store, StoredGame},
};
use record::{GameRecord, RecordReader, RecordWriter};
use serde_json::{Map, Value};

use crate::{LabError, Plan, atomic_file, records};

/// Storage for the games of an event, from which an interrupted run can be resumed.
#[derive(Default)]
pub struct Storage {
    file: Option<RecordFile>,
    store: Option<Store>,
}

struct RecordFile {
    path: PathBuf,
    writer: RecordWriter,
}

impl From<Store> for Storage {
    fn from(store: Store) -> Self {
        Self { file: None, store: Some(store) }
    }
}

impl Storage {
    /// Opens a file of records, a database, or both, creating them if necessary. Without either, games are not stored.
    ///
    /// # Errors
    /// If one of them cannot be opened, or another process is writing the file.
    pub fn open(records: Option<&Path>, database: Option<&Path>) -> Result<Self, LabError> {
        // The writer takes its lock first, so that two runs of the same event cannot both find the file empty.
        let file = records
            .map(|path| RecordWriter::open(path).map(|writer| RecordFile { path: path.to_owned(), writer }));
        Ok(Self { file: file.transpose()?, store: database.map(Store::open).transpose()? })
    }

    /// The database, if there is one.
    pub fn store(&mut self) -> Option<&mut Store> {
        self.store.as_mut()
    }

    /// Whether games are stored persistently.
    pub fn is_persistent(&self) -> bool {
        self.file.is_some() || self.store.is_some()
    }

    /// Checks that the file of records belongs to this event. Called before anything is written elsewhere.
    pub(crate) fn check_event(&self, plan: &Plan) -> Result<(), LabError> {
        self.file.as_ref().map_or(Ok(()), |file| write_or_check_config(&file.path, &plan.resolved))
    }

    /// The stored games of the event up to the first gap, from the file if there is one. Games that are in the file but
    /// not in the database are added to the database.
    pub(crate) fn load_games(&mut self, plan: &Plan) -> Result<Vec<GameSummary>, LabError> {
        let mut known = KnownFixtures::new(&plan.schedule);
        let mut games = Vec::new();
        if let Some(RecordFile { path, .. }) = &self.file {
            let mut stored = Vec::new();
            for (index, record) in (0..).zip(RecordReader::open(path)?) {
                let record = record?;
                let game = recount(plan, known.fixture(index), index, &record).map_err(|problem| {
                    let (path, kind) = (path.clone(), plan.event.kind.clone());
                    LabError::NotOfEvent { path, kind, game: index + 1, problem }
                })?;
                if self.store.is_some() {
                    stored.push(as_stored(plan, &game, &record)?);
                }
                known.results.insert(index, game.ranks());
                games.push(game);
            }
            if let Some(store) = &mut self.store {
                store.add_games(&plan.event.id, &stored)?;
            }
        } else if let Some(store) = &self.store {
            for (index, stored) in (0..).zip(store.games(&plan.event.id)?) {
                let Some(fixture) = known.fixture(index).filter(|_| stored.summary.index == index) else {
                    break;
                };
                let mut players = fixture.players.into_iter();
                let game =
                    stored.summary.try_map_players(|_| players.next().ok_or(LabError::Seats(index)))?;
                known.results.insert(index, game.ranks());
                games.push(game);
            }
        }
        Ok(games)
    }

    /// Stores a game, which is on disk when this returns.
    pub(crate) fn keep(
        &mut self,
        plan: &Plan,
        game: &GameSummary,
        record: &GameRecord,
    ) -> Result<(), LabError> {
        if let Some(file) = &mut self.file {
            file.writer.append(record)?;
        }
        if let Some(store) = &mut self.store {
            store.add_game(&plan.event.id, &as_stored(plan, game, record)?)?;
        }
        Ok(())
    }
}

/// The fixtures of a schedule while its results are read; the rounds of a Swiss event are determined by the results of
/// earlier rounds.
struct KnownFixtures<'a> {
    schedule: &'a Schedule,
    results: Results,
    fixtures: Fixtures,
}

impl<'a> KnownFixtures<'a> {
    fn new(schedule: &'a Schedule) -> Self {
        let results = Results::new();
        Self { schedule, fixtures: schedule.fixtures(&results), results }
    }

    fn fixture(&mut self, index: u64) -> Option<Fixture> {
        if index >= self.fixtures.len() {
            self.fixtures = self.schedule.fixtures(&self.results);
        }
        self.fixtures.get(index)
    }
}

/// Converts a game to a row of the database.
fn as_stored(plan: &Plan, game: &GameSummary, record: &GameRecord) -> Result<StoredGame, LabError> {
    let id = |player: usize| {
        let participant = plan.participants.get(player).ok_or(LabError::Seats(game.index))?;
        Ok::<_, LabError>(participant.id.clone())
    };
    let summary = game.clone().try_map_players(id)?;
    Ok(StoredGame { summary, seed: plan.schedule.seed, record: Some(record.to_line()?) })
}

/// Restores the summary of a recorded game. Fails with the reason if it is not game `index` of this event.
fn recount(
    plan: &Plan,
    fixture: Option<Fixture>,
    index: u64,
    record: &GameRecord,
) -> Result<GameSummary, String> {
    let too_many = || format!("the {} has only {} games", plan.event.kind, plan.schedule.total());
    let fixture = fixture.ok_or_else(too_many)?;
    let expected = plan.blank(index, &fixture.players);
    if record.id != expected.id {
        return Err(format!("its id is {:?}, expected {:?}", record.id, expected.id));
    }
    let identity = |record: &GameRecord| (record.config.clone(), record.players.clone(), record.seed);
    if identity(record) != identity(&expected) {
        return Err("its rules, players or seed differ".to_owned());
    }
    let game = records::summary(index, record, fixture.players).map_err(|error| error.to_string())?;
    match (1..).zip(&game.seats).find(|(_, seat)| seat.cost.is_none()) {
        Some((number, _)) => {
            let number: usize = number;
            Err(format!("its tag cost-{number} is not a cost"))
        }
        None => Ok(game),
    }
}

/// The path of the configuration file next to these records.
pub fn config_path(records: &Path) -> PathBuf {
    atomic_file::with_suffix(records, ".config.json")
}

/// Reads the configuration file next to a file of records, if there is one.
///
/// # Errors
/// If it cannot be read or is invalid.
pub fn read_config(records: &Path) -> Result<Option<Value>, LabError> {
    let path = config_path(records);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let config = serde_json::from_str(&text).map_err(|source| LabError::Config { path, source })?;
            Ok(Some(config))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(LabError::Unreadable { path, source }),
    }
}

/// Writes the configuration file, or checks that the existing one is the same.
fn write_or_check_config(records: &Path, config: &Value) -> Result<(), LabError> {
    match read_config(records)? {
        Some(found) if found == *config => Ok(()),
        Some(found) => {
            Err(LabError::OtherEvent { path: records.to_owned(), differences: differences(&found, config) })
        }
        None if RecordReader::open(records)?.next().is_some() => {
            Err(LabError::NoEvent { path: records.to_owned() })
        }
        None => {
            let path = config_path(records);
            atomic_file::write(&path, format!("{config:#}\n"))
                .map_err(|source| LabError::Unwritable { path, source })
        }
    }
}

/// Describes the fields in which two configurations differ.
fn differences(found: &Value, asked: &Value) -> String {
    let names: BTreeSet<&String> =
        [found, asked].into_iter().filter_map(Value::as_object).flat_map(Map::keys).collect();
    let words: Vec<String> = names
        .into_iter()
        .filter(|&name| found.get(name) != asked.get(name))
        .map(|name| {
            let [there, here] = [found, asked].map(|config| config.get(name).unwrap_or(&Value::Null));
            format!("{name} is {there} there and {here} here")
        })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_is_named() {
        let text = differences(&json!({ "a": 1, "b": 2 }), &json!({ "a": 1, "b": 3 }));
        assert_eq!(text, "b is 2 there and 3 here");
        assert_eq!(differences(&json!({ "a": 1 }), &json!({})), "a is 1 there and null here");
        assert_eq!(differences(&json!({}), &json!({ "a": 1 })), "a is null there and 1 here");
    }
}
