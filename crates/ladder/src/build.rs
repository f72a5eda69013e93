//! Agents put together from their configuration.
//!
//! Every search is compiled for every sort of position, which is most of what there is to compile in riftlab. It
//! happens here, once: the visitors' methods are not generic, so whoever asks for an agent gets one that was compiled
//! with this crate.

use go::{Large, Medium, PointsVisitor, Small};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{BoardVisitor, Geometry, Hex8, Hexagonal, Square8, Square19};
use search::{Agent, AlphaBeta, Descent, Greedy, Gumbel, Mcts, Random};

use crate::{AgentConfig, Kind, Playable, epsilon_random::EpsilonRandom};

/// An agent that is to be built for some sort of position.
pub(crate) struct Order<'a> {
    pub(crate) config: &'a AgentConfig,
    pub(crate) seed: u64,
}

impl BoardVisitor for Order<'_> {
    type Output<B: Geometry> = Box<dyn Agent<ringrift::Position<B>>>;

    fn square8(self) -> Box<dyn Agent<ringrift::Position<Square8>>> {
        build(self.config, self.seed)
    }

    fn square19(self) -> Box<dyn Agent<ringrift::Position<Square19>>> {
        build(self.config, self.seed)
    }

    fn hex8(self) -> Box<dyn Agent<ringrift::Position<Hex8>>> {
        build(self.config, self.seed)
    }

    fn hexagonal(self) -> Box<dyn Agent<ringrift::Position<Hexagonal>>> {
        build(self.config, self.seed)
    }
}

impl PointsVisitor for Order<'_> {
    type Output<P: go::Points> = Box<dyn Agent<go::Position<P>>>;

    fn small(self) -> Box<dyn Agent<go::Position<Small>>> {
        build(self.config, self.seed)
    }

    fn medium(self) -> Box<dyn Agent<go::Position<Medium>>> {
        build(self.config, self.seed)
    }

    fn large(self) -> Box<dyn Agent<go::Position<Large>>> {
        build(self.config, self.seed)
    }
}

fn build<G: Playable>(config: &AgentConfig, seed: u64) -> Box<dyn Agent<G>> {
    let rng = Xoshiro256PlusPlus::seed_from_u64(config.seed.unwrap_or(seed));
    // Streams of their own: what one part draws does not depend on how much another has drawn.
    let stream = |number: u32| {
        let mut stream = rng.clone();
        (0..number).for_each(|_| stream.jump());
        stream
    };
    let sight = || G::sight(config.persona);
    let guide = || config.leaves.guide::<G>(config, stream(2));
    let agent: Box<dyn Agent<G>> = match config.kind {
        Kind::Random => Box::new(Random::new(stream(0))),
        Kind::Heuristic => Box::new(Greedy::new(sight(), stream(0))),
        Kind::Minimax | Kind::MaxN | Kind::Brs => Box::new(AlphaBeta::new(sight(), config.alphabeta)),
        Kind::Descent => Box::new(Descent::new(guide(), config.descent)),
        Kind::Mcts => Box::new(Mcts::new(guide(), stream(0), config.mcts)),
        Kind::Gumbel => Box::new(Gumbel::new(guide(), stream(0), config.gumbel)),
        Kind::Gtp => G::program(config).expect("a player of this kind exists only where such programs play"),
    };
    if config.randomness > 0.0 {
        Box::new(EpsilonRandom::new(agent, config.randomness, stream(1)))
    } else {
        agent
    }
}
