//! Who plays: the names of the reference service, and the agents of our ladder behind them.

use ladder::{AgentConfig, Kind, Level, Player, Spec, Tier, Venue, WithoutNet};
use search::Limits;

use crate::Caps;

/// Every `ai_type` that the reference service knows, and the kind of agent nearest to it.
const AI_TYPES: [(&str, Kind); 26] = [
    ("random", Kind::Random),
    ("heuristic", Kind::Heuristic),
    ("minimax", Kind::Minimax),
    ("gpu_minimax", Kind::Minimax),
    ("maxn", Kind::MaxN),
    ("brs", Kind::Brs),
    ("mcts", Kind::Mcts),
    ("descent", Kind::Descent),
    // One look at every move, by a net over there: one ply over the heuristic is what is left without.
    ("neural_demo", Kind::Heuristic),
    ("policy_only", Kind::Heuristic),
    ("gumbel_mcts", Kind::Gumbel),
    ("ebmo", Kind::Heuristic),
    ("gmo", Kind::Heuristic),
    ("gmo_v2", Kind::Heuristic),
    ("gmo_mcts", Kind::Mcts),
    ("gmo_gumbel", Kind::Gumbel),
    ("ig_gmo", Kind::Heuristic),
    ("cage", Kind::Heuristic),
    ("improved_mcts", Kind::Mcts),
    ("hybrid_nn", Kind::Mcts),
    ("gnn", Kind::Heuristic),
    ("hybrid", Kind::Mcts),
    ("nnue_gumbel", Kind::Gumbel),
    ("nnue_mcts", Kind::Mcts),
    ("nnue_brs", Kind::Brs),
    ("nnue_maxn", Kind::MaxN),
];

/// The names, in the order in which errors list them.
pub(crate) static NAMES: [&str; AI_TYPES.len()] = {
    let mut names = [""; AI_TYPES.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = AI_TYPES[index].0;
        index += 1;
    }
    names
};

/// The kind behind a name; `None` if there is no such name.
fn kind(name: &str) -> Option<Kind> {
    AI_TYPES.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
}

/// The name that the reference service has for a kind.
pub(crate) fn ai_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Gumbel => "gumbel_mcts",
        kind => kind.name(),
    }
}

/// Whether what plays under this name looks ahead no further than one ply.
pub(crate) fn is_light(name: &str) -> bool {
    kind(name).is_none_or(|kind| !kind.searches())
}

/// Whoever plays at a level, by default.
pub(crate) fn usual(difficulty: u8) -> &'static str {
    let venue = Venue::RingRift { board: ringrift::Board::Square8, seats: 2 };
    ai_type(Tier::at(level(difficulty), venue).kind)
}

fn level(difficulty: u8) -> Level {
    Level::new(difficulty.clamp(1, 10)).expect("clamped to the levels there are")
}

/// An agent, and what to say of it.
pub(crate) struct Engine {
    pub(crate) player: Player,
    /// The reference service's name of what really plays.
    pub(crate) ai_type: &'static str,
    /// The weights of its heuristic; `None` if it has none.
    pub(crate) profile: Option<String>,
    /// Why it is not what was asked for.
    pub(crate) fallback: Option<String>,
    pub(crate) limits: Limits,
}

impl Engine {
    /// Whoever plays at a level, or under a name with the budget of that level; `nodes` overrides the budget.
    pub(crate) fn new(
        difficulty: u8,
        asked: Option<&str>,
        nodes: Option<u64>,
        venue: Venue,
        caps: &Caps,
    ) -> Self {
        let tier = Tier::at(level(difficulty), venue);
        let wanted = asked.and_then(kind).unwrap_or(tier.kind);
        let mut config = tier.config();
        if wanted != tier.kind {
            config = AgentConfig::new(wanted);
            if wanted.searches() {
                config.nodes = tier.budget.or(config.nodes);
                config.time = Some(tier.think_time);
            }
        }
        if wanted.searches() {
            config.nodes = nodes.or(config.nodes);
        }
        let spec = Spec::Agent(Box::new(config));
        let player = Player::new(&spec, venue, WithoutNet::FallBack)
            .expect("an agent that may fall back and has no settings of its own always exists");
        let name = ai_type(wanted);
        let other = asked.filter(|asked| *asked != name);
        let other = other.map(|asked| format!("there is no {asked} here: {name} plays instead"));
        let limits = player.limits();
        Self {
            ai_type: name,
            profile: (wanted != Kind::Random).then_some(tier.heuristic_profile_id),
            fallback: other.or_else(|| player.fallback.clone()),
            limits: Limits {
                nodes: limits.nodes.min(caps.nodes),
                time: Some(limits.time.map_or(caps.time, |time| time.min(caps.time))),
            },
            player,
        }
    }
}
