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
    /// What else the kind of network tells about games that it was not trained on, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(String, f32)>,
    /// The results of the gate, one for every kind of games.
    pub gates: Vec<GateResult>,
    /// The results against opponents that stay the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<GateResult>,
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

    /// Every fourth network that was promoted, the oldest first: opponents for those that come later.
    pub(crate) fn old_bests(&self) -> impl Iterator<Item = &Generation> {
        self.generations.iter().filter(|generation| generation.promoted).step_by(4)
    }

    /// The results of the gates and the losses, by generation.
    fn charts(&self) -> Vec<Chart> {
        let by_name = |results: fn(&Generation) -> &[GateResult], name: fn(&GateResult) -> String| {
            let mut all: BTreeMap<String, Vec<Point>> = BTreeMap::new();
            for generation in &self.generations {
                for result in results(generation) {
                    let GateResult { score, interval: [low, high], .. } = result;
                    let x = f64::from(generation.number);
                    let interval = Some((100.0 * low, 100.0 * high));
                    all.entry(name(result)).or_default().push(Point { x, y: 100.0 * score, interval });
                }
            }
            all.into_iter().map(|(name, points)| Series { name, points }).collect::<Vec<_>>()
        };
        let gates = by_name(|generation| &generation.gates, GateResult::name);
        let panel = by_name(|generation| &generation.panel, |result| result.against.clone());
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
        let mut charts = vec![
            chart("Score against the best network before, or the heuristic", "%", gates),
            chart(
                "Loss",
                "",
                vec![
                    losses("training", |generation| generation.training_loss),
                    losses("validation", |generation| generation.validation_loss),
                ],
            ),
        ];
        if !panel.is_empty() {
            charts.push(chart("Score against the panel", "%", panel));
        }
        let names: Vec<&str> = (self.generations.first().into_iter())
            .flat_map(|generation| generation.measures.iter().map(|measure| measure.0.as_str()))
            .collect();
        for (index, name) in names.iter().enumerate() {
            let value = |generation: &Generation| {
                let measure = generation.measures.get(index)?;
                Some(Point::new(generation.number.into(), measure.1.into()))
            };
            let points = self.generations.iter().filter_map(value).collect();
            let title = format!("Validation: {}", name.replace('_', " "));
            charts.push(chart(&title, "", vec![Series { name: "validation".to_owned(), points }]));
        }
        charts
    }

    /// The report as a table in Markdown.
    pub fn table(&self) -> String {
        let mut text =
            "| generation | games | rows | training loss | validation loss | gate | panel | verdict |\n\
                        |---|---|---|---|---|---|---|---|\n"
                .to_owned();
        for generation in &self.generations {
            let Generation { number, games, rows, training_loss, validation_loss, gates, panel, .. } =
                generation;
            let result = |name: String, result: &GateResult| {
                let [low, high] = result.interval.map(|bound| 100.0 * bound);
                let score = 100.0 * result.score;
                format!("{name}: {score:.1} % [{low:.1}, {high:.1}] of {}", result.games)
            };
            let gates: Vec<String> = gates.iter().map(|gate| result(gate.name(), gate)).collect();
            let panel: Vec<String> = panel.iter().map(|gate| result(gate.against.clone(), gate)).collect();
            let promoted = &generation.promoted;
            let verdict = if *promoted { "promoted" } else { "rejected" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {number} | {games} | {rows} | {training_loss:.4} | {validation_loss:.4} | {} | {} | {verdict} |",
                gates.join("; "),
                panel.join("; ")
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
            table: String::new(),
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
            measures: vec![("policy_loss".to_owned(), 1.5)],
            gates: vec![gate(2), gate(3)],
            panel: vec![GateResult { against: "random".to_owned(), ..gate(2) }],
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
        assert!(table.contains("| random: 60.0 % [55.0, 65.0] of 400 |"), "{table}");
        let picture = fs::read_to_string(folder.path().join("report.svg")).unwrap();
        assert_eq!(picture.matches("<polyline").count(), 6, "scores, losses, the panel and a measure");
        assert_eq!(picture.matches("<circle").count(), 6 * 3);
    }
}
