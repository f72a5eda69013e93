//! Ratings of generations and the files that show them.

use std::{fs, path::Path};

use arena::{Placing, RatingConfig, Ratings};
use lab::atomic_file;
use train::{Chart, Point, Series, svg};

use crate::{Match, OmegaRunError, RANDOM};

/// A player with its rating.
#[derive(Clone, PartialEq, Debug)]
pub struct Rated {
    /// The player's name.
    pub name: String,
    /// Its rating in Elo; random play has 0.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Rates all players of matches; random play has 0.
pub(crate) fn rate(matches: &[Match]) -> Result<Vec<Rated>, OmegaRunError> {
    let mut names = vec![RANDOM.to_owned()];
    for name in matches.iter().flat_map(|played| [&played.one, &played.other]) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let number = |name: &str| names.iter().position(|known| known == name).unwrap_or(0);
    let mut games = Vec::new();
    for played in matches {
        let players = vec![number(&played.one), number(&played.other)];
        for (count, ranks) in [(played.wins, [1, 2]), (played.draws, [1, 1]), (played.losses, [2, 1])] {
            let game = Placing { players: players.clone(), ranks: ranks.to_vec() };
            games.extend(std::iter::repeat_n(game, count as usize));
        }
    }
    let ratings = Ratings::fit(names.len(), &games, &RatingConfig::anchored(0))?;
    let rated = names.into_iter().enumerate().filter_map(|(index, name)| {
        let estimate = ratings.of(index)?;
        Some(Rated { name, elo: estimate.elo, low: estimate.interval.low, high: estimate.interval.high })
    });
    Ok(rated.collect())
}

/// Writes `elo.csv`, `elo.svg` and `matches.csv` to the folder of a run.
pub(crate) fn write(folder: &Path, rated: &[Rated], matches: &[Match]) -> Result<(), OmegaRunError> {
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        atomic_file::write(&path, text).map_err(OmegaRunError::io(&path))
    };
    let rows =
        rated.iter().map(|Rated { name, elo, low, high }| format!("{name},{elo:.1},{low:.1},{high:.1}\n"));
    put("elo.csv", "player,elo,low,high\n".to_owned() + &rows.collect::<String>())?;
    let rows = matches.iter().map(|played| {
        let interval = played.interval();
        let Match { one, other, wins, draws, losses } = played;
        let score = played.score();
        format!("{one},{other},{wins},{draws},{losses},{score:.4},{:.4},{:.4}\n", interval.low, interval.high)
    });
    put(
        "matches.csv",
        "player,opponent,wins,draws,losses,score,low,high\n".to_owned() + &rows.collect::<String>(),
    )?;
    let generations = rated.iter().filter(|rated| rated.name != RANDOM).enumerate();
    let point = |(index, rated): (usize, &Rated)| Point {
        x: index as f64,
        y: rated.elo,
        interval: Some((rated.low, rated.high)),
    };
    let series =
        Series { name: "policy, most likely move".to_owned(), points: generations.map(point).collect() };
    let chart = Chart {
        title: "Elo of generations (random play: 0)".to_owned(),
        x_label: "generation".to_owned(),
        y_label: "Elo".to_owned(),
        series: vec![series],
    };
    put("elo.svg", svg(&[chart]))
}

/// Reads the matches of a run; none if there is no file.
pub(crate) fn read_matches(folder: &Path) -> Result<Vec<Match>, OmegaRunError> {
    let path = folder.join("matches.json");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(OmegaRunError::Io { path, source }),
    };
    serde_json::from_str(&text).map_err(|error| OmegaRunError::Damaged { path, problem: error.to_string() })
}

/// Writes the matches of a run.
pub(crate) fn write_matches(folder: &Path, matches: &[Match]) -> Result<(), OmegaRunError> {
    let path = folder.join("matches.json");
    let text = serde_json::to_string_pretty(matches).expect("matches have a JSON form") + "\n";
    atomic_file::write(&path, text).map_err(OmegaRunError::io(&path))
}
