//! Builds agents from their configuration.
//!
//! Compiling every search for every position type makes up most of riftlab's build time. It happens only once, in this
//! crate, since the visitors' methods are not generic.

use go::{Large, Medium, PointsVisitor, Small};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{BoardVisitor, Geometry, Hex8, Hexagonal, Square8, Square19};
use search::{
    Agent, AlphaBeta, Descent, DescentOptions, Ebmo, Gmo, Greedy, Gumbel, HeuristicPrior, Mcts, PolicyOnly,
    Random, UniformPolicy,
};

use crate::{Kind, Leaves, Playable, Player, epsilon_random::EpsilonRandom};

/// A visitor that builds an agent for a position type.
pub(crate) struct AgentBuilder<'a> {
    pub(crate) player: &'a Player,
    pub(crate) seed: u64,
}

impl BoardVisitor for AgentBuilder<'_> {
    type Output<B: Geometry> = Box<dyn Agent<ringrift::Position<B>>>;

    fn square8(self) -> Box<dyn Agent<ringrift::Position<Square8>>> {
        build(self.player, self.seed)
    }

    fn square19(self) -> Box<dyn Agent<ringrift::Position<Square19>>> {
        build(self.player, self.seed)
    }

    fn hex8(self) -> Box<dyn Agent<ringrift::Position<Hex8>>> {
        build(self.player, self.seed)
    }

    fn hexagonal(self) -> Box<dyn Agent<ringrift::Position<Hexagonal>>> {
        build(self.player, self.seed)
    }
}

impl PointsVisitor for AgentBuilder<'_> {
    type Output<P: go::Points> = Box<dyn Agent<go::Position<P>>>;

    fn small(self) -> Box<dyn Agent<go::Position<Small>>> {
        build(self.player, self.seed)
    }

    fn medium(self) -> Box<dyn Agent<go::Position<Medium>>> {
        build(self.player, self.seed)
    }

    fn large(self) -> Box<dyn Agent<go::Position<Large>>> {
        build(self.player, self.seed)
    }
}

/// The factor from values of boards to logits of the moves that lead to them, where moves are drawn.
const VALUE_SHARPNESS: f32 = 10.0;

fn build<G: Playable>(player: &Player, seed: u64) -> Box<dyn Agent<G>> {
    let config = &player.config;
    let rng = Xoshiro256PlusPlus::seed_from_u64(config.seed.unwrap_or(seed));
    // Each part has its own random stream, independent of how much the others draw.
    let stream = |number: u32| {
        let mut stream = rng.clone();
        (0..number).for_each(|_| stream.jump());
        stream
    };
    let with = |leaves: Leaves| leaves.evaluator::<G>(player, stream(2));
    let evaluator = || with(config.leaves);
    let agent: Box<dyn Agent<G>> = match config.kind {
        Kind::Random => Box::new(Random::new(stream(0))),
        Kind::Heuristic => Box::new(Greedy::new(player.batch_evaluator::<G>(), stream(0))),
        Kind::Omega if config.by_value => {
            let values = UniformPolicy(player.batch_evaluator::<G>());
            if config.temperature > 0.0 {
                let policy = HeuristicPrior::new(values, VALUE_SHARPNESS);
                Box::new(PolicyOnly::new(policy, stream(0), config.temperature))
            } else {
                Box::new(Greedy::new(values, stream(0)))
            }
        }
        Kind::Policy | Kind::Omega => {
            Box::new(PolicyOnly::new(with(Leaves::Prior), stream(0), config.temperature))
        }
        Kind::Minimax | Kind::MaxN | Kind::Brs => {
            let search = AlphaBeta::new(player.line_evaluator::<G>(), config.alphabeta);
            Box::new(match player.policy_evaluator() {
                None => search,
                Some(policy) => search.with_policy(policy, config.policy_turns),
            })
        }
        Kind::Descent => {
            let policy = player.has_policy() && config.leaves == Leaves::Prior;
            let options = DescentOptions { policy, ..config.descent };
            Box::new(Descent::new(evaluator(), options))
        }
        Kind::Mcts => Box::new(Mcts::with_evaluators(evaluator, stream(0), config.mcts)),
        Kind::Gumbel => Box::new(Gumbel::with_evaluators(evaluator, stream(0), config.gumbel)),
        Kind::Gmo | Kind::IgGmo => Box::new(Gmo::new(player.field::<G>(), stream(0), config.gmo)),
        Kind::Ebmo => Box::new(Ebmo::new(player.field::<G>(), stream(0), config.ebmo)),
        Kind::Gtp => {
            G::program(config).expect("players of this kind exist only for games that external programs play")
        }
    };
    if config.randomness > 0.0 {
        Box::new(EpsilonRandom::new(agent, config.randomness, stream(1)))
    } else {
        agent
    }
}
