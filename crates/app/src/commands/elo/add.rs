//! `riftlab elo add`: adds the games of record files to a database.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use arena::{
    Seating,
    store::{Event, Participant, Store, StoredGame},
};
use ladder::Spec;
use record::{GameRecord, RecordReader};
use serde_json::{Value, json};

use crate::{failure::ErrorWithHint, game_files};

/// What [`add`] found and added.
#[derive(Default)]
pub(super) struct Added {
    pub(super) files: usize,
    pub(super) games: u64,
    /// Games that were not in the database before.
    pub(super) new: u64,
    pub(super) scales: BTreeSet<String>,
}

/// Adds all games of the files. A file is added as a whole or not at all.
pub(super) fn add(paths: &[PathBuf], store: &mut Store) -> anyhow::Result<Added> {
    let mut added = Added::default();
    for path in game_files::find(paths)? {
        let mut games = Vec::new();
        for game in RecordReader::open(&path)? {
            games.push(game?);
        }
        if games.is_empty() {
            let message = format!("{} contains no games", path.display());
            return Err(ErrorWithHint::error(
                message,
                "expected game records, as written by riftlab match --out",
            ));
        }
        let file = File::read(&path, &games)?;
        for participant in &file.participants {
            store.register(participant)?;
        }
        for (event, games) in &file.games {
            store.begin(event)?;
            added.new += store.add_games(&event.id, games)?;
            added.games += games.len() as u64;
            added.scales.insert(event.scale.clone());
        }
        added.files += 1;
    }
    Ok(added)
}

/// The contents of a file, by event.
struct File {
    participants: Vec<Participant>,
    games: Vec<(Event, Vec<StoredGame>)>,
}

impl File {
    fn read(path: &Path, records: &[GameRecord]) -> anyhow::Result<Self> {
        let of_match = lab::read_config(path)?;
        let mut file = Self { participants: Vec::new(), games: Vec::new() };
        for (number, record) in (0..).zip(records) {
            let here = || format!("{}: game {}", path.display(), number + 1);
            let scale = lab::scale(&record.config);
            let event = if let Some(config) = &of_match {
                lab::match_event(config, &scale)
            } else {
                // Named after its first game, so that a file with games appended later is still the same event.
                let first = records[0].to_line()?;
                let name = arena::content_id("riftlab record", &[&first]);
                Event::new("records", &scale, &json!({ "type": "records", "first": name }).to_string())
            };
            let participants = starting_participants(number, record, of_match.as_ref()).with_context(here)?;
            let ids = participants.iter().map(|who| who.id.clone()).collect();
            let summary = lab::records::summary(number, record, ids).with_context(here)?;
            let (seed, record) = (record.seed.unwrap_or(0), Some(record.to_line()?));
            let game = StoredGame { summary, seed, record };
            file.participants.extend(participants);
            match file.games.iter_mut().find(|(known, _)| known.id == event.id) {
                Some((_, games)) => games.push(game),
                None => file.games.push((event, vec![game])),
            }
        }
        file.participants.sort_by(|a, b| a.id.cmp(&b.id));
        file.participants.dedup();
        Ok(file)
    }
}

/// The participants by the seat in which they started. The configuration of a match identifies them more precisely
/// than the names in a record.
fn starting_participants(
    number: u64,
    record: &GameRecord,
    of_match: Option<&Value>,
) -> anyhow::Result<Vec<Participant>> {
    let venue = lab::venue(&record.config);
    let texts: Vec<String> = match of_match {
        None => record.players.clone(),
        Some(of_match) => {
            let sides = ["a", "b"].map(|name| of_match[name].as_str());
            let [Some(a), Some(b)] = sides else {
                bail!(
                    "the .config.json file beside the records does not name both agents: expected \"a\" and \"b\""
                )
            };
            let seating = Seating::of_game(number, record.seats());
            seating.sides().iter().map(|side| [a, b][side.index()].to_owned()).collect()
        }
    };
    let participant = |text: &String| {
        let spec: Spec = text.parse().map_err(|fault| anyhow!("player {text:?} cannot be rated: {fault}"))?;
        Ok(lab::participant_of(&spec, venue)?)
    };
    texts.iter().map(participant).collect()
}
