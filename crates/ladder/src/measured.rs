//! How strong the levels are, as measured: the rows of `models/levels.csv`, which `riftlab ladder check --csv` prints.

use crate::{Level, Tier, Venue};

/// A level measured against the one below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The number of games.
    pub games: u64,
    /// The score against the level below, from 0 to 1.
    pub score: f64,
    /// The 95 % interval of the score.
    pub score_bounds: [f64; 2],
    /// The difference in Elo to the level below.
    pub elo: f64,
    /// The same at the ends of the interval.
    pub elo_bounds: [f64; 2],
    /// The mean time per decision in milliseconds, on the machine of the measurement.
    pub ms: f64,
}

/// The strength of a level relative to d1, as the sum of the steps up to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The difference in Elo to d1.
    pub elo: f64,
    /// The ends of its 95 % interval. Steps are measured independently, so the squares of their margins add up.
    pub bounds: [f64; 2],
}

impl Step {
    /// The step from the level below to `level`, if these two agents have been measured.
    pub fn to(level: Level, venue: Venue) -> Option<Self> {
        let below = Level::new(level.difficulty().checked_sub(1)?)?;
        let [above, below] = [level, below].map(|level| Tier::at(level, venue).identity());
        let row = rows().find(|row| row.venue == venue.to_string() && row.level == level.to_string())?;
        (row.above == above && row.below == below).then_some(row.step)
    }
}

impl Standing {
    /// The strength of `level`, if every step up to it has been measured.
    pub fn of(level: Level, venue: Venue) -> Option<Self> {
        let (mut elo, mut squares) = (0.0, [0.0; 2]);
        for step in Level::all().filter(|&step| step > Level::FIRST && step <= level) {
            let step = Step::to(step, venue)?;
            elo += step.elo;
            for (sum, bound) in squares.iter_mut().zip(step.elo_bounds) {
                *sum += (bound - step.elo).powi(2);
            }
        }
        Some(Self { elo, bounds: [elo - squares[0].sqrt(), elo + squares[1].sqrt()] })
    }
}

/// A line of the table.
struct Row {
    venue: &'static str,
    level: &'static str,
    step: Step,
    above: &'static str,
    below: &'static str,
}

const TABLE: &str = include_str!("../../../models/levels.csv");

fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().skip(1).map(|line| row(line).expect("a test reads all lines"))
}

/// Fields are separated by semicolons, because specs contain commas.
fn row(line: &'static str) -> Option<Row> {
    let fields: Vec<&str> = line.split(';').collect();
    let [venue, level, games, numbers @ .., above, below] = &fields[..] else { return None };
    let numbers = numbers.iter().map(|number| number.parse().ok()).collect::<Option<Vec<f64>>>()?;
    let [score, score_low, score_high, elo, elo_low, elo_high, ms] = numbers[..] else { return None };
    let step = Step {
        games: games.parse().ok()?,
        score,
        score_bounds: [score_low, score_high],
        elo,
        elo_bounds: [elo_low, elo_high],
        ms,
    };
    Some(Row { venue, level, step, above, below })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_about_the_present_agents() {
        let known: Vec<String> = Venue::all().map(|venue| venue.to_string()).collect();
        for (number, line) in TABLE.lines().enumerate().skip(1) {
            let row = row(line).unwrap_or_else(|| panic!("line {}: {line}", number + 1));
            let Step { games, score, score_bounds: [low, high], elo, elo_bounds, ms } = row.step;
            assert!(known.iter().any(|venue| venue == row.venue), "{line}");
            assert!(games > 0 && low <= score && score <= high && ms > 0.0, "{line}");
            assert!(elo_bounds[0] <= elo && elo <= elo_bounds[1], "{line}");
            let venue = Venue::all().find(|venue| venue.to_string() == row.venue).unwrap();
            let level = Level::parse(row.level).unwrap();
            assert_eq!(Step::to(level, venue), Some(row.step), "measure it again, or remove: {line}");
        }
    }

    #[test]
    fn standings_add_up() {
        for venue in Venue::all() {
            let first = Standing::of(Level::FIRST, venue).unwrap();
            assert_eq!(first, Standing { elo: 0.0, bounds: [0.0, 0.0] });
            let mut last = first;
            for level in Level::all().skip(1) {
                let Some(standing) = Standing::of(level, venue) else { continue };
                let step = Step::to(level, venue).unwrap();
                assert!((standing.elo - last.elo - step.elo).abs() < 1e-9);
                assert!(standing.bounds[1] - standing.elo >= step.elo_bounds[1] - step.elo - 1e-9);
                last = standing;
            }
        }
    }
}
