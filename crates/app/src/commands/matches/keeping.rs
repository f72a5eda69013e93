//! The games of a match on disk, and how a match goes on after an interruption.
//!
//! Games are written in the order of the match, so a file always holds its first games. What the match is stands in
//! a file beside it, written before the first game: only a match that agrees with it may add to the games.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, anyhow, ensure};
use arena::{Cost, Played, Seating, Summary, Table};
use game::{Game, Notation};
use record::{GameRecord, RecordReader, RecordWriter, RingRiftConfig};
use ringrift::{Geometry, Position};
use serde_json::{Value, json};

use super::Plan;
use crate::failure::Hinted;

/// Appends games to the file of a match.
pub(super) struct Keeper {
    writer: RecordWriter,
    earlier: Vec<Summary>,
}

/// What a match is: everything that its games depend on.
pub(super) fn resolved<B: Geometry>(plan: &Plan) -> Value {
    let [a, b] = plan.sides.each_ref().map(|player| player.config.resolved());
    json!({
        "type": "match-config", "version": 1, "a": a, "b": b,
        "rules": record::Config::RingRift(RingRiftConfig::new(B::BOARD, plan.rules)),
        "games": plan.play.games, "seed": plan.play.seed, "opening_plies": plan.opening,
        "sprt": plan.play.sprt.map(|sprt| json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
        })),
    })
}

impl Keeper {
    /// Opens the file for this match, and reads the games of it that were played before.
    pub(super) fn open<B: Geometry>(
        out: &Path,
        plan: &Plan,
        table: &Table<Position<B>>,
    ) -> anyhow::Result<Self> {
        // The writer's lock comes first: two runs of the same match must not both find the file empty.
        let writer = RecordWriter::open(out)?;
        agree_on_config(out, &resolved::<B>(plan))?;
        let mut earlier = Vec::new();
        for game in RecordReader::open(out)? {
            let game = game?;
            let index = earlier.len() as u64;
            let summary = recount(plan, table, index, &game)
                .with_context(|| format!("{}: game {} is not of this match", out.display(), index + 1))?;
            earlier.push(summary);
        }
        Ok(Self { writer, earlier })
    }

    /// The games there were when the file was opened.
    pub(super) fn take_earlier(&mut self) -> Vec<Summary> {
        std::mem::take(&mut self.earlier)
    }

    /// Writes a game; it is on disk when this returns.
    pub(super) fn keep<B: Geometry>(
        &mut self,
        plan: &Plan,
        game: &Played<Position<B>>,
    ) -> anyhow::Result<()> {
        let mut record = blank::<B>(plan, game.index);
        let mut position = Position::<B>::new(&plan.rules);
        for &m in &game.moves {
            record.moves.push(position.move_text(m));
            position.play_unchecked(m, &mut ());
        }
        record.conclude(&position);
        record.tags = BTreeMap::from([("opening".to_owned(), game.opening.to_string())]);
        for (side, cost) in ["a", "b"].into_iter().zip(game.summary.costs) {
            record.tags.insert(format!("cost-{side}"), cost_text(&cost));
        }
        Ok(self.writer.append(&record)?)
    }
}

/// The record of game `index` before its first move.
fn blank<B: Geometry>(plan: &Plan, index: u64) -> GameRecord {
    let seating = Seating::of_game(index, plan.rules.seats.into());
    let players = seating.sides().iter().map(|side| plan.sides[side.index()].spec.to_string()).collect();
    let id = format!("match-{}-game-{}", plan.play.seed, index + 1);
    GameRecord { seed: Some(plan.play.seed), ..GameRecord::new(id, B::BOARD, plan.rules, players) }
}

/// Counts a recorded game again, if it is game `index` of this match.
fn recount<B: Geometry>(
    plan: &Plan,
    table: &Table<Position<B>>,
    index: u64,
    game: &GameRecord,
) -> anyhow::Result<Summary> {
    let expected = blank::<B>(plan, index);
    ensure!(index < plan.play.games, "the match has only {} games", plan.play.games);
    ensure!(game.id == expected.id, "it is called {:?}, expected {:?}", game.id, expected.id);
    let agrees =
        (&game.config, &game.players, game.seed) == (&expected.config, &expected.players, expected.seed);
    ensure!(agrees, "its rules, players or seed differ");
    let mut moves = Vec::new();
    let last = game.replay_on::<B>(|_, m| moves.push(m))?;
    ensure!(last.is_over(), "it has not ended");
    let cost = |side: &str| {
        let text = game.tags.get(&format!("cost-{side}")).map_or("", String::as_str);
        parse_cost(text).ok_or_else(|| anyhow!("its tag cost-{side} is {text:?}"))
    };
    let seating = Seating::of_game(index, plan.rules.seats.into());
    Ok(Summary::new(table, &seating, &moves, &last, [cost("a")?, cost("b")?]))
}

/// What a side spent, as the tag of a record: decisions, nodes, microseconds.
fn cost_text(cost: &Cost) -> String {
    format!("{} {} {}", cost.decisions, cost.nodes, cost.time.as_micros())
}

fn parse_cost(text: &str) -> Option<Cost> {
    let numbers: Vec<u64> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [decisions, nodes, micros] = numbers[..] else { return None };
    Some(Cost { decisions, nodes, time: Duration::from_micros(micros) })
}

/// Where the configuration of a match with these games is kept.
fn config_path(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".config.json");
    out.with_file_name(name)
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
            write_whole(&path, &format!("{config:#}\n"))
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

/// Writes a file so that it is there whole or not at all, and stays.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    if cfg!(unix) {
        // Games must not outlive the name of the match they belong to.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_back_as_written() {
        let cost = Cost { decisions: 3, nodes: 600, time: Duration::from_micros(1234) };
        assert_eq!(parse_cost(&cost_text(&cost)), Some(cost));
        for text in ["", "1 2", "1 2 x", "1 2 3 4", "-1 2 3"] {
            assert_eq!(parse_cost(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_difference_is_named() {
        let text = differences(&json!({ "a": 1, "b": 2 }), &json!({ "a": 1, "b": 3 }));
        assert_eq!(text, "b is 2 there and 3 here");
    }
}
