//! Builds agents, searches and evaluators from their configuration.
//!
//! Compiling every search for every position type makes up most of riftlab's build time. It happens only once, in this
//! crate, because the visitor's methods are not generic: other crates call them through pointers.

use game::{Evaluator, Game, LineEvaluator, StaticEvaluator};
use go::{Large, Medium, PointsVisitor, Small};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{BoardVisitor, Geometry, Hex8, Hexagonal, Square8, Square19};
use search::{
    Agent, AlphaBeta, Descent, DescentOptions, Ebmo, Gmo, Greedy, Gumbel, GumbelSearch, HeuristicPrior, Mcts,
    PolicyOnly, Random, Search, UniformPolicy,
};

use crate::{Kind, Leaves, Playable, Player, epsilon_random::EpsilonRandom, evaluator};

/// An evaluator of any kind for depth-first search.
pub(crate) type AnyLine<G> = Box<dyn LineEvaluator<G> + Send>;

/// The functions that build what a player consists of, for one position type. [`Player`] has a method for each.
pub struct Builders<G: Game> {
    pub(crate) agent: fn(&Player, u64) -> Box<dyn Agent<G>>,
    pub(crate) alphabeta: fn(&Player, AnyLine<G>) -> Box<dyn Agent<G>>,
    pub(crate) search: fn(&Player, u64) -> Box<dyn Search<G>>,
    pub(crate) leaf_evaluator: fn(&Player, u64) -> Box<dyn Evaluator<G> + Send>,
    pub(crate) batch_evaluator: fn(&Player) -> Box<dyn Evaluator<G> + Send>,
    pub(crate) line_evaluator: fn(&Player) -> AnyLine<G>,
    pub(crate) evaluator: fn(&Player) -> Box<dyn StaticEvaluator<G> + Send>,
}

fn builders<G: Playable>() -> Builders<G> {
    Builders {
        agent: build,
        alphabeta: |player, evaluator| Box::new(AlphaBeta::new(evaluator, player.config.alphabeta)),
        search: |player, seed| Box::new(GumbelSearch::new(generator(player, seed), player.config.gumbel)),
        leaf_evaluator: |player, seed| {
            player.config.leaves.evaluator::<G>(player, Xoshiro256PlusPlus::seed_from_u64(seed))
        },
        batch_evaluator: |player| evaluator::of_batches(&player.config, player.net.as_ref()),
        line_evaluator: |player| G::line_evaluator(player.agent_evaluator()),
        evaluator: |player| Box::new(player.agent_evaluator::<G>()),
    }
}

/// A visitor that finds the builders of a position type.
pub(crate) struct FindBuilders;

impl BoardVisitor for FindBuilders {
    type Output<B: Geometry> = Builders<ringrift::Position<B>>;

    fn square8(self) -> Builders<ringrift::Position<Square8>> {
        builders()
    }

    fn square19(self) -> Builders<ringrift::Position<Square19>> {
        builders()
    }

    fn hex8(self) -> Builders<ringrift::Position<Hex8>> {
        builders()
    }

    fn hexagonal(self) -> Builders<ringrift::Position<Hexagonal>> {
        builders()
    }
}

impl PointsVisitor for FindBuilders {
    type Output<P: go::Points> = Builders<go::Position<P>>;

    fn small(self) -> Builders<go::Position<Small>> {
        builders()
    }

    fn medium(self) -> Builders<go::Position<Medium>> {
        builders()
    }

    fn large(self) -> Builders<go::Position<Large>> {
        builders()
    }
}

/// The random numbers of an agent; `seed` is used unless its spec has its own.
fn generator(player: &Player, seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(player.config.seed.unwrap_or(seed))
}

/// The factor from values of boards to logits of the moves that lead to them, where moves are drawn.
const VALUE_SHARPNESS: f32 = 10.0;

fn build<G: Playable>(player: &Player, seed: u64) -> Box<dyn Agent<G>> {
    let config = &player.config;
    let rng = generator(player, seed);
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
