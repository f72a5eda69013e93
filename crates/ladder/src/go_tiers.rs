//! The table of levels for Go.

use std::time::Duration;

use search::Selection;

use crate::{AgentConfig, Kind, Leaves, Level, Tier, Venue, models::OMEGA};

/// The part of a level that is the same on all board sizes.
struct Rung {
    kind: Kind,
    net: bool,
    /// Whether the policy of the shipped pair of networks guides the playouts, up to [`GUIDED`] lines.
    guided: bool,
    randomness: f64,
    notes: &'static str,
}

/// The most lines of a board on which a policy guides playouts. Larger boards have no net.
const GUIDED: u8 = 9;

impl Rung {
    const fn new(kind: Kind, randomness: f64, notes: &'static str) -> Self {
        Self { kind, net: false, guided: false, randomness, notes }
    }

    const fn with_net(self) -> Self {
        Self { net: true, ..self }
    }

    const fn guided(self) -> Self {
        Self { guided: true, ..self }
    }
}

const RUNGS: [Rung; 10] = [
    Rung::new(Kind::Random, 0.0, "a random legal move"),
    Rung::new(Kind::Heuristic, 0.3, "one ply, with random moves"),
    Rung::new(Kind::Minimax, 0.15, "shallow alpha-beta, with random moves"),
    Rung::new(Kind::Minimax, 0.08, "alpha-beta with a net").with_net(),
    Rung::new(Kind::Descent, 0.05, "best-first search with a net").with_net(),
    Rung::new(Kind::Descent, 0.02, "best-first search with a net and more time").with_net(),
    Rung::new(Kind::Mcts, 0.0, "tree search by playouts"),
    Rung::new(Kind::Mcts, 0.0, "tree search by playouts, guided by a net").guided(),
    Rung::new(Kind::Mcts, 0.0, "tree search by many playouts, guided by a net").guided(),
    Rung::new(Kind::Mcts, 0.0, "the same with the largest budget").guided(),
];

/// Nodes or simulations by level: boards of up to seven, ten and nineteen lines. Larger boards have fewer, since an
/// evaluation costs up to a millisecond there.
const BUDGETS: [[u64; 10]; 3] = [
    [0, 0, 1_000, 4_000, 2_000, 4_000, 2_000, 6_000, 20_000, 64_000],
    [0, 0, 2_000, 8_000, 4_000, 8_000, 2_000, 6_000, 20_000, 64_000],
    [0, 0, 1_000, 3_000, 5_000, 8_000, 4_000, 10_000, 24_000, 64_000],
];

/// The same for levels whose policy and value net is shipped.
const NET_BUDGETS: [[u64; 10]; 3] = [
    [0, 0, 0, 300, 400, 1_200, 0, 0, 0, 0],
    [0, 0, 0, 300, 400, 1_200, 0, 0, 0, 0],
    [0, 0, 0, 100, 150, 400, 0, 0, 0, 0],
];

/// Time caps in milliseconds by level, in the same order.
const THINK_TIMES: [[u64; 10]; 3] = [
    [150, 200, 1_800, 2_800, 4_000, 5_500, 7_500, 9_600, 12_600, 16_000],
    [150, 250, 2_000, 3_200, 4_500, 6_000, 8_500, 11_000, 14_000, 18_000],
    [150, 300, 2_500, 4_000, 6_000, 8_000, 11_000, 14_000, 18_000, 24_000],
];

/// The tier of `level` on a board with `size` lines, where its net is shipped or not.
pub(crate) fn at(level: Level, size: u8, with_net: bool) -> Tier {
    let index = usize::from(level.difficulty() - 1);
    let Rung { kind, net, guided, randomness, notes } = RUNGS[index];
    let family = match size {
        0..=7 => 0,
        8..=10 => 1,
        _ => 2,
    };
    let has_net = with_net && net;
    let use_neural_net = net || guided && size <= GUIDED;
    let budgets = if has_net { &NET_BUDGETS } else { &BUDGETS };
    Tier {
        level,
        venue: Venue::Go { size },
        kind,
        net: net.then_some("pv"),
        has_net,
        model_id: use_neural_net.then(|| format!("go_best_{size}")),
        use_neural_net,
        heuristic_profile_id: "go_sight".to_owned(),
        budget: kind.searches().then(|| budgets[family][index]),
        think_time: Duration::from_millis(THINK_TIMES[family][index]),
        randomness,
        notes,
    }
}

/// The default configuration of a level's agent without a net. Unlike in RingRift, Monte Carlo tree search uses playouts with RAVE
/// and simple knowledge, which performs far better than the static evaluator, and the policy of the shipped pair of networks
/// where a level is guided by it (`docs/agents/go.md`).
pub(crate) fn config(tier: &Tier) -> AgentConfig {
    let mut config = AgentConfig::new(tier.kind);
    if tier.kind == Kind::Mcts {
        config.policy = tier.use_neural_net.then(|| OMEGA.to_owned());
        config.leaves = Leaves::Rollout;
        config.mcts.selection = Selection::Uct { exploration: 0.05 };
        config.mcts.rave = Some(1000.0);
        config.mcts.prior_visits = 20.0;
        config.mcts.reuse = true;
    }
    config
}
