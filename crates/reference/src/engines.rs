//! Maps the engine names and levels of the reference service to agents of the ladder.

use interchange::AiType;
use ladder::{AgentConfig, Kind, Level, Player, Spec, Tier, Venue, WithoutNet};
use search::Limits;

use crate::Caps;

/// The kind of agent closest to an engine of the reference service.
const fn kind(engine: AiType) -> Kind {
    match engine {
        AiType::Random => Kind::Random,
        AiType::Minimax | AiType::GpuMinimax => Kind::Minimax,
        AiType::MaxN | AiType::NnueMaxN => Kind::MaxN,
        AiType::Brs | AiType::NnueBrs => Kind::Brs,
        AiType::Descent => Kind::Descent,
        AiType::Mcts
        | AiType::GmoMcts
        | AiType::ImprovedMcts
        | AiType::HybridNn
        | AiType::Hybrid
        | AiType::NnueMcts => Kind::Mcts,
        AiType::GumbelMcts | AiType::GmoGumbel | AiType::NnueGumbel => Kind::Gumbel,
        // In the original these evaluate every move once, most of them by a net. A one-ply search with the heuristic is
        // closest.
        AiType::Heuristic
        | AiType::NeuralDemo
        | AiType::PolicyOnly
        | AiType::Ebmo
        | AiType::Gmo
        | AiType::GmoV2
        | AiType::IgGmo
        | AiType::Cage
        | AiType::Gnn => Kind::Heuristic,
    }
}

/// Whether an engine of the reference service is a search with an NNUE.
const fn uses_nnue(engine: AiType) -> bool {
    matches!(engine, AiType::NnueMaxN | AiType::NnueBrs | AiType::NnueMcts | AiType::NnueGumbel)
}

/// The name of a kind of agent in the reference service.
pub(crate) fn ai_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Gumbel => "gumbel_mcts",
        kind => kind.name(),
    }
}

/// Whether the agent for this engine searches at most one ply.
pub(crate) fn is_light(engine: AiType) -> bool {
    !kind(engine).searches()
}

/// The default engine of a level.
pub(crate) fn default_ai_type(difficulty: u8) -> &'static str {
    let venue = Venue::RingRift { board: ringrift::Board::Square8, seats: 2 };
    ai_type(Tier::at(level(difficulty), venue).kind)
}

fn level(difficulty: u8) -> Level {
    Level::new(difficulty.clamp(1, 10)).expect("clamped to the valid levels")
}

/// An agent, and its description in responses.
pub(crate) struct Engine {
    pub(crate) player: Player,
    /// The name in the reference service of the agent that actually plays.
    pub(crate) ai_type: &'static str,
    /// The id of its heuristic weights; `None` if it does not use the heuristic.
    pub(crate) profile: Option<String>,
    /// Why it is not the requested engine, if it is not.
    pub(crate) fallback: Option<String>,
    pub(crate) limits: Limits,
}

impl Engine {
    /// The agent of a level, or of an engine with the budget of that level; `nodes` overrides the budget.
    pub(crate) fn new(
        difficulty: u8,
        asked: Option<AiType>,
        nodes: Option<u64>,
        venue: Venue,
        caps: &Caps,
    ) -> Self {
        let tier = Tier::at(level(difficulty), venue);
        let wanted = asked.map_or(tier.kind, kind);
        let mut config = tier.config();
        if wanted != tier.kind {
            config = AgentConfig::new(wanted);
            if wanted.searches() {
                // Budgets of levels with a net are too small for searches without one.
                config.nodes = Tier::without_net(tier.level, venue).budget.or(config.nodes);
                config.time = Some(tier.think_time);
            }
        }
        if wanted.searches() {
            config.nodes = nodes.or(config.nodes);
        }
        if asked.is_some_and(uses_nnue) {
            config.net = Some("nnue".to_owned());
        }
        let spec = Spec::Agent(Box::new(config));
        let player = Player::new(&spec, venue, WithoutNet::FallBack)
            .expect("a default agent with a fallback is always available");
        let own = asked.filter(|&asked| uses_nnue(asked) && player.net.is_some());
        let name = own.map_or_else(|| ai_type(wanted), AiType::name);
        let other = asked.map(AiType::name).filter(|asked| *asked != name);
        let other = other.map(|asked| format!("{asked} is not available: {name} plays instead"));
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
