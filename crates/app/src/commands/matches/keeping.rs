//! The games of a match on disk, in a file or a database, and how a match goes on after an interruption.
//!
//! Games are written in the order of the match, so a file always holds its first games. What the match is stands in
//! a file beside it, written before the first game: only a match that agrees with it may add to the games.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, ensure};
use arena::{
    Cost, Played, Seating, Summary, Table,
    store::{Event, RunState, Store},
};
use lab::Presence;
use record::{GameRecord, RecordReader, RecordWriter, Recorded};
use search::Cause;
use serde_json::{Value, json};

use super::Plan;
use crate::{failure::Hinted, whole_files};

/// Keeps the games of a match: in a file, in a database, in both.
pub(super) struct Keeper {
    writer: Option<RecordWriter>,
    lab: Option<Lab>,
    earlier: Vec<Summary>,
}

/// A database with the event and the participants of a match.
struct Lab {
    store: Store,
    event: Event,
    /// Ids of A and B.
    sides: [String; 2],
    presence: Presence,
}

/// What a match is: everything that its games depend on.
pub(super) fn resolved(plan: &Plan) -> Value {
    let [a, b] = plan.sides.each_ref().map(|player| player.config.resolved());
    json!({
        "type": "match-config", "version": 1, "a": a, "b": b,
        "rules": &plan.config,
        "games": plan.play.games, "seed": plan.play.seed, "opening_plies": plan.opening,
        "sprt": plan.play.sprt.map(|sprt| json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
        })),
    })
}

/// The match as an event of a database. How many games are played and when a test stops them is left out: the games
/// there are stay the same.
pub(crate) fn event(config: &Value, scale: &str) -> Event {
    let mut config = config.clone();
    if let Some(fields) = config.as_object_mut() {
        fields.remove("games");
        fields.remove("sprt");
    }
    Event::new("match", scale, &config.to_string())
}

impl Keeper {
    /// Opens what the games are kept in, and reads those that were played before: from the file if there is one.
    pub(super) fn open<P: Recorded>(
        out: Option<&Path>,
        db: Option<&Path>,
        plan: &Plan,
        table: &Table<P>,
    ) -> anyhow::Result<Self> {
        // The writer's lock comes first: two runs of the same match must not both find the file empty.
        let writer = out.map(RecordWriter::open).transpose()?;
        if let Some(out) = out {
            agree_on_config(out, &resolved(plan))?;
        }
        let mut lab = db.map(|db| Lab::open(db, plan)).transpose()?;
        let records = match (out, &lab) {
            (Some(out), _) => RecordReader::open(out)?.collect::<Result<Vec<_>, _>>()?,
            (None, Some(lab)) => lab.records(plan)?,
            (None, None) => Vec::new(),
        };
        let place = out.or(db).map(Path::display);
        let mut earlier = Vec::new();
        for (index, game) in (0..).zip(&records) {
            let summary = recount(plan, table, index, game).with_context(|| {
                let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("{place}: game {} is not of this match", index + 1)
            })?;
            earlier.push(summary);
        }
        if let Some(lab) = &mut lab {
            lab.add(&records, 0)?;
        }
        Ok(Self { writer, lab, earlier })
    }

    /// The games there were when it was opened.
    pub(super) fn take_earlier(&mut self) -> Vec<Summary> {
        std::mem::take(&mut self.earlier)
    }

    /// Whether anything is kept at all.
    pub(super) fn keeps(&self) -> bool {
        self.writer.is_some() || self.lab.is_some()
    }

    /// Writes a game; it is on disk when this returns.
    pub(super) fn keep<P: Recorded>(&mut self, plan: &Plan, game: &Played<P>) -> anyhow::Result<()> {
        if !self.keeps() {
            return Ok(());
        }
        let game = &game.game;
        let record = lab::records::complete(blank(plan, game.index), game);
        if let Some(writer) = &mut self.writer {
            writer.append(&record)?;
        }
        if let Some(lab) = &mut self.lab {
            lab.add(&[record], game.index)?;
        }
        Ok(())
    }

    /// Says in the database how the match ended, and adds the ratings as they are now.
    pub(super) fn finish(self, state: RunState, error: Option<&str>) -> anyhow::Result<()> {
        let Some(Lab { mut store, event, presence, .. }) = self.lab else { return Ok(()) };
        presence.end(&mut store, state, error)?;
        Ok(lab::remember(&mut store, &event.scale, &[])?)
    }
}

impl Lab {
    fn open(db: &Path, plan: &Plan) -> anyhow::Result<Self> {
        let mut store = Store::open(db)?;
        let [a, b] = &lab::register(&mut store, &plan.sides)?[..] else {
            return Err(anyhow!("a match has two sides"));
        };
        let event = event(&resolved(plan), &lab::scale(&plan.config));
        store.begin(&event)?;
        let sides = [a.id.clone(), b.id.clone()];
        let presence =
            Presence::begin(&mut store, &event, plan.play.games, &lab::entrants(&plan.sides), None)?;
        Ok(Self { store, event, sides, presence })
    }

    /// The first games of the match, as far as they are there without a gap.
    fn records(&self, plan: &Plan) -> anyhow::Result<Vec<GameRecord>> {
        let mut records = Vec::new();
        for (number, game) in (0..plan.play.games).zip(self.store.games(&self.event.id)?) {
            if game.number != number {
                break;
            }
            let text = game.record.with_context(|| format!("game {} has no record", number + 1))?;
            records.push(GameRecord::from_line(&text)?);
        }
        Ok(records)
    }

    /// Adds games in the order of the match, the first one being game `begin`.
    fn add(&mut self, games: &[GameRecord], begin: u64) -> anyhow::Result<()> {
        let stored = (begin..).zip(games).map(|(number, record)| {
            let seating = Seating::of_game(number, record.seats());
            let ids: Vec<String> =
                seating.sides().iter().map(|side| self.sides[side.index()].clone()).collect();
            lab::records::stored(number, record, &ids)
        });
        let stored = stored.collect::<Result<Vec<_>, _>>()?;
        self.store.add_games(&self.event.id, &stored)?;
        Ok(())
    }
}

/// The record of game `index` before its first move.
fn blank(plan: &Plan, index: u64) -> GameRecord {
    let seating = Seating::of_game(index, plan.config.seats());
    let players = seating.sides().iter().map(|side| plan.sides[side.index()].spec.to_string()).collect();
    let id = format!("match-{}-game-{}", plan.play.seed, index + 1);
    GameRecord { seed: Some(plan.play.seed), ..GameRecord::new(id, plan.config.clone(), players) }
}

/// Counts a recorded game again, if it is game `index` of this match.
fn recount<P: Recorded>(
    plan: &Plan,
    table: &Table<P>,
    index: u64,
    game: &GameRecord,
) -> anyhow::Result<Summary> {
    let expected = blank(plan, index);
    ensure!(index < plan.play.games, "the match has only {} games", plan.play.games);
    ensure!(game.id == expected.id, "it is called {:?}, expected {:?}", game.id, expected.id);
    let agrees =
        (&game.config, &game.players, game.seed) == (&expected.config, &expected.players, expected.seed);
    ensure!(agrees, "its rules, players or seed differ");
    let mut moves = Vec::new();
    let last = game.replay_as::<P>(|_, m| moves.push(m))?;
    let forfeit = game.result.as_ref().and_then(|result| Cause::parse(&result.reason));
    ensure!(last.is_over() || forfeit.is_some(), "it has not ended");
    let seating = Seating::of_game(index, plan.config.seats());
    let mut costs = [Cost::default(); 2];
    for (seat, side) in (1..).zip(seating.sides()) {
        let tag = || anyhow!("its tag cost-{seat} does not say what the seat spent");
        costs[side.index()] += lab::records::seat_cost(game, seat).ok_or_else(tag)?;
    }
    Ok(Summary::new(table, &seating, &moves, &last, costs, forfeit))
}

/// Where the configuration of a match with these games is kept.
pub(crate) fn config_path(out: &Path) -> PathBuf {
    whole_files::beside(out, ".config.json")
}

/// Writes down what the match is, or finds that it is written already.
fn agree_on_config(out: &Path, config: &Value) -> anyhow::Result<()> {
    let path = config_path(out);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let found: Value = serde_json::from_str(&text)
                .with_context(|| format!("{}: not the configuration of a match", path.display()))?;
            if found == *config {
                return Ok(());
            }
            let message = format!("{} holds another match", out.display());
            Err(Hinted::error(message, format!("{}; choose another --out", differences(&found, config))))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if RecordReader::open(out)?.next().is_some() {
                let message = format!("{} holds games, but no match says so beside it", out.display());
                return Err(Hinted::error(message, "choose another --out"));
            }
            whole_files::write(&path, &format!("{config:#}\n"))
                .with_context(|| format!("{} cannot be written", path.display()))
        }
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// The fields in which two configurations differ, in words.
fn differences(found: &Value, asked: &Value) -> String {
    let fields = asked.as_object().into_iter().flatten();
    let differing = fields.filter(|&(name, value)| found.get(name) != Some(value));
    let words: Vec<String> = differing
        .map(|(name, value)| {
            format!("{name} is {} there and {value} here", found.get(name).unwrap_or(&Value::Null))
        })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named() {
        let text = differences(&json!({ "a": 1, "b": 2 }), &json!({ "a": 1, "b": 3 }));
        assert_eq!(text, "b is 2 there and 3 here");
    }
}
