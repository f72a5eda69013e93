//! Ratings of many participants from all their games at once, by maximum likelihood.
//!
//! **Model.** Every participant has a strength γ = 10^(Elo/400). A game is a ranking of its seats, and the ranking is
//! drawn from the first rank down: each rank goes to one of the remaining seats with a probability proportional to its
//! strength (the Plackett–Luce model). With two seats this is the Bradley–Terry model, the logistic curve of Elo. Seats
//! that share a rank count as every order among them in equal parts, so a two-seat draw is half a win for each. Games
//! with draws vary less than the model assumes, which makes intervals somewhat too wide.
//!
//! **Prior.** Every participant adds [`RatingConfig::prior`] of a drawn game, spread evenly over its opponents. This
//! keeps ratings of perfect scores finite and hardly affects any others.
//!
//! **Anchors** fix the scale: their ratings are given, and the others are estimated relative to them. A participant
//! that no chain of games connects to an anchor has no rating.
//!
//! **Intervals** are 95 %, from the inverse of the Fisher information at the maximum. Games are treated as independent.
//!
//! Deliberately absent: ratings that are updated game by game. They depend on the order of the games and have no
//! intervals.

mod likelihood;
mod matrix;

use std::collections::{BTreeMap, BTreeSet};

use self::likelihood::{Orders, maximise};
use self::matrix::Symmetric;
use crate::{Interval, Z95};

/// Elo of one unit of the natural logarithm of strength.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The result of one game: the participant and the rank of every seat.
///
/// A participant may hold several seats, as copies of itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Placing {
    /// The participant of every seat, counted from 0.
    pub players: Vec<usize>,
    /// The rank of every seat, 1 for the best, equal for seats that share a rank.
    pub ranks: Vec<u8>,
}

/// The parameters of a rating scale.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingConfig {
    /// Participants whose rating is given, with that rating in Elo.
    pub anchors: Vec<(usize, f64)>,
    /// The fraction of a drawn game that every participant adds.
    pub prior: f64,
}

impl RatingConfig {
    /// A quarter of a draw, so that two participants who met only each other share half a draw.
    pub const PRIOR: f64 = 0.25;

    /// A scale with `participant` anchored at 0.
    pub fn anchored(participant: usize) -> Self {
        Self { anchors: vec![(participant, 0.0)], prior: Self::PRIOR }
    }
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value, in Elo.
    pub elo: f64,
    /// The 95 % interval.
    pub interval: Interval,
}

/// Why games cannot be rated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// A game refers to an unknown participant.
    #[error("a game names participant {0}, but there are only {1}")]
    UnknownPlayer(usize, usize),
    /// The numbers of players and ranks of a game do not match.
    #[error("a game has {players} players and {ranks} ranks: expected two to four, as many of each")]
    Unranked {
        /// The number of players.
        players: usize,
        /// The number of ranks.
        ranks: usize,
    },
    /// An anchor or the prior is out of range.
    #[error("{what} is {value}: expected {expected}")]
    BadNumber {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// A description of valid values.
        expected: &'static str,
    },
}

/// The ratings of all participants.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    elo: Vec<Option<f64>>,
    games: Vec<u64>,
    /// The row of a participant in the covariance matrix; anchors have none, since they do not vary.
    row: Vec<Option<usize>>,
    /// In Elo squared.
    covariance: Symmetric,
}

impl Ratings {
    /// Rates `participants` from their games.
    ///
    /// ```
    /// use arena::{Placing, RatingConfig, Ratings};
    /// let won = Placing { players: vec![0, 1], ranks: vec![1, 2] };
    /// let lost = Placing { players: vec![0, 1], ranks: vec![2, 1] };
    /// let games = [won.clone(), won.clone(), won, lost];
    /// let ratings = Ratings::fit(2, &games, &RatingConfig::anchored(1))?;
    /// let estimate = ratings.of(0).expect("it played against the anchor");
    /// assert!(estimate.elo > 0.0 && estimate.interval.low < 0.0, "four games prove little");
    /// # Ok::<(), arena::RatingError>(())
    /// ```
    ///
    /// # Errors
    /// If a game or the configuration is invalid.
    pub fn fit(participants: usize, games: &[Placing], config: &RatingConfig) -> Result<Self, RatingError> {
        check(participants, games, config)?;
        let mut counts: BTreeMap<&Placing, u64> = BTreeMap::new();
        for game in games {
            *counts.entry(game).or_default() += 1;
        }
        let met = opponents(participants, games);
        let connected = reachable(&met, config.anchors.iter().map(|&(participant, _)| participant));

        let mut elo: Vec<Option<f64>> = vec![None; participants];
        for &(participant, rating) in &config.anchors {
            elo[participant] = Some(rating);
        }
        let free: Vec<usize> = (0..participants).filter(|&p| connected[p] && elo[p].is_none()).collect();
        let mut row = vec![None; participants];
        free.iter().enumerate().for_each(|(place, &participant)| row[participant] = Some(place));

        let mut orders = Orders::default();
        for (game, count) in counts {
            if game.players.iter().all(|&player| connected[player]) {
                orders.add(game, count as f64);
            }
        }
        for (participant, others) in met.iter().enumerate().filter(|&(participant, _)| connected[participant])
        {
            for &other in others {
                let draw = Placing { players: vec![participant, other], ranks: vec![1, 1] };
                orders.add(&draw, config.prior / others.len() as f64);
            }
        }
        let given: Vec<f64> = elo.iter().map(|elo| elo.unwrap_or(0.0) / ELO_PER_NAT).collect();
        let (strengths, covariance) = maximise(&orders, given, &row, free.len());
        for &participant in &free {
            elo[participant] = Some(strengths[participant] * ELO_PER_NAT);
        }
        Ok(Self {
            elo,
            games: played(participants, games),
            row,
            covariance: covariance.scaled(ELO_PER_NAT.powi(2)),
        })
    }

    /// The rating of a participant, or `None` if no chain of games connects it to an anchor. An anchor's interval has
    /// zero width.
    pub fn of(&self, participant: usize) -> Option<Estimate> {
        let elo = self.elo[participant]?;
        Some(estimate(elo, self.covariance(participant, participant)))
    }

    /// The Elo difference between `participant` and `other`, with an interval that accounts for the covariance of the
    /// two ratings.
    pub fn difference(&self, participant: usize, other: usize) -> Option<Estimate> {
        let difference = self.elo[participant]? - self.elo[other]?;
        Some(estimate(difference, self.variance_of_difference(participant, other)))
    }

    /// The probability that `participant` is stronger than `other` (likelihood of superiority).
    pub fn superiority(&self, participant: usize, other: usize) -> Option<f64> {
        let difference = self.elo[participant]? - self.elo[other]?;
        let deviation = self.variance_of_difference(participant, other).sqrt();
        Some(if deviation > 0.0 {
            normal(difference / deviation)
        } else {
            f64::midpoint(1.0, difference.signum())
        })
    }

    /// The number of games of a participant.
    pub fn games(&self, participant: usize) -> u64 {
        self.games[participant]
    }

    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        (self.covariance(a, a) + self.covariance(b, b) - 2.0 * self.covariance(a, b)).max(0.0)
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        self.row[a].zip(self.row[b]).map_or(0.0, |(a, b)| self.covariance.at(a, b))
    }
}

fn estimate(elo: f64, variance: f64) -> Estimate {
    let half = Z95 * variance.sqrt();
    Estimate { elo, interval: Interval { low: elo - half, high: elo + half } }
}

/// The normal distribution function, within 10⁻⁷ (Abramowitz & Stegun 26.2.17).
fn normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let powers = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = t * powers.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum;
    if z > 0.0 { 1.0 - tail } else { tail }
}

fn check(participants: usize, games: &[Placing], config: &RatingConfig) -> Result<(), RatingError> {
    for game in games {
        let (players, ranks) = (game.players.len(), game.ranks.len());
        if players != ranks || !(2..=game::MAX_SEATS).contains(&players) {
            return Err(RatingError::Unranked { players, ranks });
        }
    }
    let anchors = config.anchors.iter().map(|&(participant, _)| participant);
    let named = games.iter().flat_map(|game| game.players.iter().copied()).chain(anchors);
    if let Some(stranger) = named.filter(|&player| player >= participants).max() {
        return Err(RatingError::UnknownPlayer(stranger, participants));
    }
    let bad = |what, value, expected| Err(RatingError::BadNumber { what, value, expected });
    if !(config.prior.is_finite() && config.prior > 0.0) {
        return bad("the prior", config.prior, "a fraction of a drawn game, above 0");
    }
    match config.anchors.iter().find(|(_, elo)| !elo.is_finite()) {
        Some(&(_, elo)) => bad("an anchor", elo, "a rating in Elo"),
        None => Ok(()),
    }
}

/// The number of games of every participant; copies in one game count once.
fn played(participants: usize, games: &[Placing]) -> Vec<u64> {
    let mut played = vec![0; participants];
    for game in games {
        let different: BTreeSet<usize> = game.players.iter().copied().collect();
        for player in different {
            played[player] += 1;
        }
    }
    played
}

/// The opponents of every participant.
fn opponents(participants: usize, games: &[Placing]) -> Vec<BTreeSet<usize>> {
    let mut met = vec![BTreeSet::new(); participants];
    for game in games {
        for &player in &game.players {
            met[player].extend(game.players.iter().filter(|&&other| other != player));
        }
    }
    met
}

/// Which participants a chain of games connects to one of `from`.
fn reachable(met: &[BTreeSet<usize>], from: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut reached = vec![false; met.len()];
    let mut waiting: Vec<usize> = from.collect();
    while let Some(participant) = waiting.pop() {
        if !std::mem::replace(&mut reached[participant], true) {
            waiting.extend(&met[participant]);
        }
    }
    reached
}

#[cfg(test)]
mod tests;
