//! The table of levels: which agent plays at which difficulty, by venue.

use std::{fmt, time::Duration};

use ringrift::Board;

use search::Widening;

use crate::{AgentConfig, Kind, Models, Venue, go_tiers};

/// A difficulty from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The easiest level.
    pub const FIRST: Self = Self(1);

    /// The level with this difficulty, or `None` if it is out of range.
    pub const fn new(difficulty: u8) -> Option<Self> {
        if matches!(difficulty, 1..=10) { Some(Self(difficulty)) } else { None }
    }

    /// All levels, easiest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=10).map(Self)
    }

    /// The difficulty, from 1 to 10.
    pub const fn difficulty(self) -> u8 {
        self.0
    }

    /// Parses a level such as `d7`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['d', 'D'])?;
        Self::new(digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))?)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("d{}", self.0))
    }
}

/// A row of the table of levels.
#[derive(Clone, PartialEq, Debug)]
pub struct Tier {
    /// The level.
    pub level: Level,
    /// The venue.
    pub venue: Venue,
    /// The kind of agent.
    pub kind: Kind,
    /// The net of the agent, if it has one: `nnue` or `pv`.
    pub net: Option<&'static str>,
    /// Whether that net is shipped. Otherwise the budget is that of the same search with the heuristic.
    pub has_net: bool,
    /// The name of the net in the predecessor of riftlab's service.
    pub model_id: Option<String>,
    /// Whether the net is used.
    pub use_neural_net: bool,
    /// The profile of the heuristic.
    pub heuristic_profile_id: String,
    /// The budget per decision in nodes or simulations, so that the level plays equally well on any machine.
    pub budget: Option<u64>,
    /// The time cap per decision, for slow machines.
    pub think_time: Duration,
    /// The probability of playing a random legal move instead of the chosen one.
    pub randomness: f64,
    /// A short description.
    pub notes: &'static str,
}

/// The part of a level that is the same on all boards.
struct Rung {
    kind: Kind,
    net: Net,
    randomness: f64,
    notes: &'static str,
}

/// The net of a level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Net {
    None,
    /// An efficiently updatable net for alpha-beta search.
    Nnue,
    /// The best policy/value net.
    Best,
}

const RUNGS: [Rung; 10] = [
    Rung { kind: Kind::Random, net: Net::None, randomness: 0.0, notes: "a random legal move" },
    Rung { kind: Kind::Heuristic, net: Net::None, randomness: 0.3, notes: "one ply, with random moves" },
    Rung {
        kind: Kind::Minimax,
        net: Net::None,
        randomness: 0.15,
        notes: "shallow alpha-beta, with random moves",
    },
    Rung {
        kind: Kind::Minimax,
        net: Net::Nnue,
        randomness: 0.08,
        notes: "alpha-beta with an incremental net",
    },
    Rung { kind: Kind::Descent, net: Net::Best, randomness: 0.05, notes: "best-first search with a net" },
    Rung {
        kind: Kind::Descent,
        net: Net::Best,
        randomness: 0.02,
        notes: "best-first search with a net and more time",
    },
    Rung { kind: Kind::Mcts, net: Net::None, randomness: 0.0, notes: "tree search with the heuristic" },
    Rung { kind: Kind::Mcts, net: Net::Best, randomness: 0.0, notes: "tree search guided by a net" },
    Rung { kind: Kind::Gumbel, net: Net::Best, randomness: 0.0, notes: "Gumbel search guided by a net" },
    Rung {
        kind: Kind::Gumbel,
        net: Net::Best,
        randomness: 0.0,
        notes: "Gumbel search with the largest budget",
    },
];

impl Tier {
    /// The tier of `level` in `venue`, with the nets that are shipped.
    pub fn at(level: Level, venue: Venue) -> Self {
        let tier = Self::without_net(level, venue);
        if tier.net.is_some_and(|kind| Models::shipped_for(kind, venue).is_some()) {
            Self::with_net(level, venue)
        } else {
            tier
        }
    }

    /// The tier as it is where its net is shipped.
    pub(crate) fn with_net(level: Level, venue: Venue) -> Self {
        Self::built(level, venue, true)
    }

    /// The tier as it is where its net is not shipped.
    pub fn without_net(level: Level, venue: Venue) -> Self {
        Self::built(level, venue, false)
    }

    fn built(level: Level, venue: Venue, with_net: bool) -> Self {
        let (board, seats) = match venue {
            Venue::RingRift { board, seats } => (board, seats),
            Venue::Go { size } => return go_tiers::at(level, size, with_net),
        };
        let index = usize::from(level.0 - 1);
        let Rung { kind, net, randomness, notes } = RUNGS[index];
        let (board_code, family) = match board {
            Board::Square8 => ("sq8", 0),
            Board::Hex8 => ("hex8", 0),
            Board::Square19 => ("sq19", 3),
            Board::Hexagonal => ("hex", 3),
        };
        let row = family + usize::from(seats - 2);
        let has_net = with_net && net != Net::None;
        let budgets = match (has_net, family, seats) {
            (false, ..) => &BUDGETS[row],
            (true, 0, 2) => &NET_BUDGETS[0],
            (true, 0, _) => &NET_BUDGETS[1],
            (true, ..) => &NET_BUDGETS[2],
        };
        Self {
            level,
            venue,
            kind,
            net: match net {
                Net::None => None,
                Net::Nnue => Some("nnue"),
                Net::Best => Some("pv"),
            },
            has_net,
            model_id: match net {
                Net::None => None,
                Net::Nnue => Some(format!("nnue_{board}_{seats}p")),
                Net::Best => Some(format!("ringrift_best_{board_code}_{seats}p")),
            },
            use_neural_net: net != Net::None,
            heuristic_profile_id: format!("heuristic_v1_{board_code}_{seats}p"),
            budget: kind.searches().then(|| budgets[index]),
            think_time: Duration::from_millis(THINK_TIMES[row][index]),
            randomness,
            notes,
        }
    }

    /// The tier's agent and the content of its net, by which measurements of it are recognised.
    pub fn identity(&self) -> String {
        let net = self.net.and_then(|kind| Models::shipped_for(kind, self.venue));
        match net {
            Some(net) => format!("{} with {}", self.config(), net.id()),
            None => self.config().to_string(),
        }
    }

    /// The configuration of the tier's agent.
    pub fn config(&self) -> AgentConfig {
        let mut config = match self.venue {
            Venue::Go { .. } if !self.has_net => go_tiers::config(self),
            _ => AgentConfig::new(self.kind),
        };
        if self.has_net && self.net == Some("pv") && self.kind == Kind::Descent {
            // The policy chooses the few moves that are worth an evaluation.
            config.descent.widen = Some(Widening { factor: 4.0, power: 0.5 });
        }
        AgentConfig {
            nodes: self.budget,
            time: self.kind.searches().then_some(self.think_time),
            randomness: self.randomness,
            net: self.net.map(str::to_owned),
            ..config
        }
    }
}

/// Budgets by level: for two, three and four seats on the small boards, then on the large ones.
const BUDGETS: [[u64; 10]; 6] = [
    [0, 0, 100, 300, 2_000, 8_000, 2_000, 30_000, 40_000, 160_000],
    [0, 0, 100, 300, 2_000, 8_000, 4_000, 50_000, 50_000, 160_000],
    [0, 0, 100, 300, 2_000, 8_000, 4_000, 50_000, 50_000, 160_000],
    [0, 0, 300, 3_000, 1_000, 3_000, 1_000, 4_000, 4_000, 16_000],
    [0, 0, 300, 3_000, 1_000, 3_000, 1_000, 4_000, 4_000, 16_000],
    [0, 0, 300, 3_000, 1_000, 3_000, 1_000, 4_000, 4_000, 16_000],
];

/// The same for levels whose net is shipped: with two seats and with more on the small boards, then on the large ones. An evaluation
/// by a policy and value net costs a hundred times as much as one by the heuristic, and far more on the large boards;
/// alpha-beta by NNUE is so strong that a small budget fits its place.
const NET_BUDGETS: [[u64; 10]; 3] = [
    [0, 0, 0, 200, 12, 30, 0, 900, 2_500, 15_000],
    [0, 0, 0, 140, 15, 26, 0, 2_000, 5_000, 20_000],
    [0, 0, 0, 3_000, 12, 30, 0, 300, 800, 3_000],
];

/// Time caps in milliseconds by level, in the same order.
const THINK_TIMES: [[u64; 10]; 6] = [
    [150, 200, 1_800, 2_800, 4_000, 5_500, 7_500, 9_600, 12_600, 16_000],
    [150, 250, 2_000, 3_200, 4_500, 6_000, 8_500, 11_000, 14_000, 18_000],
    [150, 300, 2_200, 3_500, 5_000, 6_500, 9_000, 12_000, 15_000, 20_000],
    [150, 300, 2_500, 4_000, 6_000, 8_000, 11_000, 14_000, 18_000, 24_000],
    [150, 350, 2_700, 4_300, 6_500, 9_000, 12_500, 15_500, 20_000, 26_000],
    [150, 400, 3_000, 4_800, 7_000, 10_000, 14_000, 17_000, 22_000, 28_000],
];
