//! The report of the learning loop: one row per generation.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use lab::atomic_file;
use serde::{Deserialize, Serialize};

use super::{GateResult, Verdict};
use crate::{Chart, Point, Series, TrainError, svg};

/// A complete generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u32,
    /// The model file, relative to the folder of the loop.
    pub net: PathBuf,
    /// The content hash of the model file.
    pub hash: String,
    /// The number of new games.
    pub games: u64,
    /// The number of rows per pass over the data.
    pub rows: u64,
    /// The loss of the network on games that it was not trained on.
    pub validation_loss: f32,
    /// The loss on games that it was trained on.
    pub training_loss: f32,
    /// The results of the gate, one per number of players.
    pub gates: Vec<GateResult>,
    /// Whether it became the best network.
    pub promoted: bool,
}

/// The generations of a loop.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The complete generations, in order.
    pub generations: Vec<Generation>,
}

impl Report {
    /// Reads the report of a loop, which is empty before the first generation is complete.
    pub(crate) fn read(folder: &Path) -> Result<Self, TrainError> {
        let path = folder.join("report.json");
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| TrainError::Options(format!("{}: {error}", path.display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(TrainError::Io { path, source }),
        }
    }

    /// Adds a generation and writes the report, as JSON, as a table and as charts.
    pub(crate) fn push(&mut self, folder: &Path, generation: Generation) -> Result<(), TrainError> {
        self.generations.push(generation);
        let text = serde_json::to_string_pretty(self).expect("reports have a JSON form") + "\n";
        let picture = svg(&self.charts());
        for (name, content) in [("report.md", self.table()), ("report.svg", picture), ("report.json", text)] {
            let path = folder.join(name);
            atomic_file::write(&path, content).map_err(|source| TrainError::Io { path, source })?;
        }
        Ok(())
    }

    /// The file of the best network so far.
    pub(crate) fn best(&self, folder: &Path) -> Option<PathBuf> {
        let best = self.generations.iter().rev().find(|generation| generation.promoted)?;
        Some(folder.join(&best.net))
    }

    /// How many of the last networks were rejected.
    pub(crate) fn rejected_in_a_row(&self) -> usize {
        self.generations.iter().rev().take_while(|generation| !generation.promoted).count()
    }

    /// The results of the gates and the losses, by generation.
    fn charts(&self) -> Vec<Chart> {
        let mut gates: BTreeMap<u8, Vec<Point>> = BTreeMap::new();
        for generation in &self.generations {
            for GateResult { players, score, interval: [low, high], .. } in &generation.gates {
                let x = f64::from(generation.number);
                let interval = Some((100.0 * low, 100.0 * high));
                gates.entry(*players).or_default().push(Point { x, y: 100.0 * score, interval });
            }
        }
        let losses = |name: &str, loss: fn(&Generation) -> f32| Series {
            name: name.to_owned(),
            points: (self.generations.iter())
                .map(|generation| Point::new(generation.number.into(), loss(generation).into()))
                .collect(),
        };
        let chart = |title: &str, y_label: &str, series: Vec<Series>| Chart {
            title: title.to_owned(),
            x_label: "generation".to_owned(),
            y_label: y_label.to_owned(),
            series,
        };
        let scores = gates.into_iter().map(|(players, points)| {
            let name = format!("{players} players");
            Series { name, points }
        });
        vec![
            chart("Score against the best network before, or the heuristic", "%", scores.collect()),
            chart(
                "Loss",
                "",
                vec![
                    losses("training", |generation| generation.training_loss),
                    losses("validation", |generation| generation.validation_loss),
                ],
            ),
        ]
    }

    /// The report as a table in Markdown.
    pub fn table(&self) -> String {
        let mut text = "| generation | games | rows | training loss | validation loss | gate | verdict |\n\
                        |---|---|---|---|---|---|---|\n"
            .to_owned();
        for generation in &self.generations {
            let Generation { number, games, rows, training_loss, validation_loss, gates, promoted, .. } =
                generation;
            let gate = |gate: &GateResult| {
                let [low, high] = gate.interval.map(|bound| 100.0 * bound);
                let score = 100.0 * gate.score;
                format!("{}p: {score:.1} % [{low:.1}, {high:.1}] of {}", gate.players, gate.games)
            };
            let gates: Vec<String> = gates.iter().map(gate).collect();
            let verdict = if *promoted { "promoted" } else { "rejected" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {number} | {games} | {rows} | {training_loss:.4} | {validation_loss:.4} | {} | {verdict} |",
                gates.join("; ")
            );
        }
        text
    }
}

impl Verdict {
    /// The verdict in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "better",
            Self::Rejected => "worse",
            Self::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(number: u32) -> Generation {
        let gate = |players| GateResult {
            players,
            against: "minimax(nodes=1000)".to_owned(),
            games: 400,
            score: 0.6,
            interval: [0.55, 0.65],
            verdict: Verdict::Accepted,
        };
        Generation {
            number,
            net: format!("generation-{number:02}/net.safetensors").into(),
            hash: "0".repeat(64),
            games: 1000,
            rows: 50_000,
            validation_loss: 0.5,
            training_loss: 0.49,
            gates: vec![gate(2), gate(3)],
            promoted: true,
        }
    }

    #[test]
    fn a_report_has_a_table_and_charts_and_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut report = Report::read(folder.path()).unwrap();
        for number in 0..3 {
            report.push(folder.path(), generation(number)).unwrap();
        }
        assert_eq!(Report::read(folder.path()).unwrap(), report);
        let table = fs::read_to_string(folder.path().join("report.md")).unwrap();
        assert_eq!(table.lines().count(), 2 + 3);
        assert!(table.contains("2p: 60.0 % [55.0, 65.0] of 400"), "{table}");
        let picture = fs::read_to_string(folder.path().join("report.svg")).unwrap();
        assert_eq!(picture.matches("<polyline").count(), 4, "two scores and two losses");
        assert_eq!(picture.matches("<circle").count(), 4 * 3);
    }
}
