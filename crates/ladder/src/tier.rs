//! The table of levels: who plays at which difficulty, where.

use std::{fmt, time::Duration};

use ringrift::Board;

use crate::{AgentConfig, Kind, Venue};

/// A difficulty from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level `difficulty`, if there is one.
    pub const fn new(difficulty: u8) -> Option<Self> {
        if matches!(difficulty, 1..=10) { Some(Self(difficulty)) } else { None }
    }

    /// All levels, the easiest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=10).map(Self)
    }

    /// From 1 to 10.
    pub const fn difficulty(self) -> u8 {
        self.0
    }

    /// Reads `d7`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['d', 'D'])?;
        Self::new(digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))?)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.0)
    }
}

/// A row of the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Tier {
    /// The level.
    pub level: Level,
    /// Where it holds.
    pub venue: Venue,
    /// The kind of agent.
    pub kind: Kind,
    /// Nodes or simulations a decision may cost: what makes the level the same on any machine.
    pub budget: Option<u64>,
    /// The longest time of a decision, a cap for slow machines.
    pub think_time: Duration,
    /// The chance of any legal move instead of the chosen one.
    pub randomness: f64,
    /// The weights of the heuristic.
    pub heuristic_profile_id: String,
    /// What to know about it.
    pub notes: &'static str,
}

impl Tier {
    /// The row of `level` where `venue` is played.
    pub fn at(level: Level, venue: Venue) -> Self {
        let (kind, randomness, notes) = match level.0 {
            1 => (Kind::Random, 0.0, "any legal move"),
            2 => (Kind::Heuristic, 0.3, "the heuristic, with a random move now and then"),
            _ => (Kind::Mcts, 0.0, "tree search over the heuristic, with a budget that grows with the level"),
        };
        let Venue::RingRift { board, seats } = venue;
        let budget = kind.searches().then(|| 25 << level.0.saturating_sub(3));
        let large = matches!(board, Board::Square19 | Board::Hexagonal);
        let think_time = Duration::from_millis(u64::from(level.0) * if large { 2_500 } else { 1_600 });
        let heuristic_profile_id = format!("{board}_{seats}p");
        Self { level, venue, kind, budget, think_time, randomness, heuristic_profile_id, notes }
    }

    /// The agent of this row.
    pub fn config(&self) -> AgentConfig {
        AgentConfig {
            nodes: self.budget,
            time: self.kind.searches().then_some(self.think_time),
            randomness: self.randomness,
            ..AgentConfig::new(self.kind)
        }
    }
}
