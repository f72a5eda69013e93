//! The running result of a match, counted game by game in order.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use game::ForfeitKind;

use crate::{Cost, GameSummary, Hypothesis, Interval, Points, Seating, Side, Sprt, Z95, elo, wilson};

/// Shortest, longest and mean number of moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lengths {
    /// The number of moves of the shortest game.
    pub shortest: u32,
    /// The number of moves of the longest game.
    pub longest: u32,
    /// The mean number of moves.
    pub mean: f64,
}

/// Counts the games of a match in order.
///
/// Only complete rounds count: games of the current round are held back, so that seats and openings are balanced
/// wherever a match stops.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    seats: usize,
    sprt: Option<Sprt>,
    waiting: Vec<GameSummary>,
    games: u64,
    wins: [u64; 2],
    points: Points,
    rounds: BTreeMap<Points, u64>,
    reasons: BTreeMap<String, u64>,
    forfeits: [BTreeMap<ForfeitKind, u64>; 2],
    shortest: u32,
    longest: u32,
    plies: u64,
    costs: [Cost; 2],
    /// Hashes of the fingerprints: different games share one with a probability of 2⁻⁶⁴.
    fingerprints: BTreeSet<u64>,
    llr: f64,
    decision: Option<Hypothesis>,
}

impl Tally {
    /// Creates an empty tally for games with `seats`.
    pub fn new(seats: usize, sprt: Option<Sprt>) -> Self {
        Self {
            seats,
            sprt,
            waiting: Vec::new(),
            games: 0,
            wins: [0; 2],
            points: Points::default(),
            rounds: BTreeMap::new(),
            reasons: BTreeMap::new(),
            forfeits: Default::default(),
            shortest: u32::MAX,
            longest: 0,
            plies: 0,
            costs: [Cost::default(); 2],
            fingerprints: BTreeSet::new(),
            llr: 0.0,
            decision: None,
        }
    }

    /// Adds the next game. Participant 0 is A, and all others are B. Once the test is decided, further games are
    /// ignored.
    pub fn push(&mut self, game: GameSummary) {
        if self.decision.is_some() {
            return;
        }
        self.waiting.push(game);
        if (self.waiting.len() as u64) < Seating::round(self.seats) {
            return;
        }
        let mut round = Points::default();
        for game in std::mem::take(&mut self.waiting) {
            round.0 += game.points(0).0;
            self.count(&game);
        }
        *self.rounds.entry(round).or_default() += 1;
        if let Some(sprt) = self.sprt {
            self.llr = sprt.llr(&self.round_scores(), self.seats);
            self.decision = sprt.decide(self.llr);
        }
    }

    fn count(&mut self, game: &GameSummary) {
        let points = game.points(0);
        self.games += 1;
        self.points.0 += points.0;
        self.wins[Side::A.index()] += u64::from(points == Points::WIN);
        self.wins[Side::B.index()] += u64::from(points == Points::default());
        self.shortest = self.shortest.min(game.plies);
        self.longest = self.longest.max(game.plies);
        self.plies += u64::from(game.plies);
        if let Some((&player, kind)) = game.forfeit().filter(|_| self.seats == 2) {
            *self.forfeits[Side::of_player(player).index()].entry(kind).or_default() += 1;
        }
        *self.reasons.entry(game.end.name().to_owned()).or_default() += 1;
        for seat in &game.seats {
            self.costs[Side::of_player(seat.player).index()] += seat.cost.unwrap_or_default();
        }
        self.fingerprints.insert(hash(&game.fingerprint));
    }

    /// The forfeits of one side by kind; counted only with two seats.
    pub fn forfeits(&self, side: Side) -> &BTreeMap<ForfeitKind, u64> {
        &self.forfeits[side.index()]
    }

    /// The number of games that count.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games in the current, incomplete round.
    pub fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// The number of games in which only one side holds the first rank.
    pub fn wins(&self, side: Side) -> u64 {
        self.wins[side.index()]
    }

    /// The number of games in which both sides share the first rank.
    pub fn draws(&self) -> u64 {
        self.games - self.wins[0] - self.wins[1]
    }

    /// The mean score of A, from 0 to 1, or one half without games.
    pub fn score(&self) -> f64 {
        if self.games == 0 { 0.5 } else { self.points.score(self.games) }
    }

    /// The 95 % Wilson interval of the score.
    pub fn score_interval(&self) -> Interval {
        wilson(self.score(), self.games, Z95)
    }

    /// The Elo difference of A over B.
    pub fn elo(&self) -> f64 {
        elo(self.score(), self.seats)
    }

    /// The Elo differences at the ends of [`Tally::score_interval`].
    pub fn elo_interval(&self) -> Interval {
        let Interval { low, high } = self.score_interval();
        Interval { low: elo(low, self.seats), high: elo(high, self.seats) }
    }

    /// The number of pairs in which A scored 0, ½, 1, 1½ and 2 points, or `None` with more than two seats.
    pub fn pentanomial(&self) -> Option<[u64; 5]> {
        let half = Points::WIN.0 / 2;
        let count = |halves: u64| self.rounds.get(&Points(halves * half)).copied().unwrap_or(0);
        (self.seats == 2).then(|| [0, 1, 2, 3, 4].map(count))
    }

    /// The counts of round scores, in ascending order of scores.
    pub fn round_scores(&self) -> Vec<(f64, u64)> {
        let games = Seating::round(self.seats);
        self.rounds.iter().map(|(points, &count)| (points.score(games), count)).collect()
    }

    /// The lengths of games, or `None` without games.
    pub fn lengths(&self) -> Option<Lengths> {
        let mean = self.plies as f64 / self.games as f64;
        (self.games > 0).then_some(Lengths { shortest: self.shortest, longest: self.longest, mean })
    }

    /// The number of games by end reason.
    pub fn reasons(&self) -> &BTreeMap<String, u64> {
        &self.reasons
    }

    /// The total cost of a side.
    pub fn cost(&self, side: Side) -> Cost {
        self.costs[side.index()]
    }

    /// The number of distinct games.
    pub fn distinct(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// The test, with its log-likelihood ratio so far.
    pub fn sprt(&self) -> Option<(Sprt, f64)> {
        self.sprt.map(|sprt| (sprt, self.llr))
    }

    /// The decision of the test, if there is one.
    pub fn decision(&self) -> Option<Hypothesis> {
        self.decision
    }
}

/// Hashes are compared only within one process, so the default hasher suffices.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
