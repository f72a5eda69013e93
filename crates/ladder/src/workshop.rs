//! Where agents are put together.
//!
//! Every search is compiled for every sort of position, which is most of what there is to compile in riftlab. It
//! happens here, once: whoever asks for an agent gets one that was compiled with this crate, whatever crate asks.

use std::any::{Any, TypeId};

use game::{Game, ValuesOnly};
use go::{Large, Medium, Small};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Hex8, Hexagonal, Square8, Square19};
use search::{Agent, AlphaBeta, Descent, Greedy, Gumbel, Limits, Mcts, Random, Report, Stop};

use crate::{AgentConfig, Kind, Playable};

/// An agent as `config` says, for positions of the sort `G`.
pub(crate) fn agent<G: Playable>(config: &AgentConfig, seed: u64) -> Box<dyn Agent<G>> {
    let agent = any(TypeId::of::<G>(), config, seed).and_then(|agent| agent.downcast().ok());
    *agent.expect("every sort of position that can be played is in the list below")
}

/// Functions without parameters of type are compiled where they stand; generic ones are compiled again by every user.
macro_rules! compiled_here {
    ($($name:ident: $position:ty),+ $(,)?) => {
        $(fn $name(config: &AgentConfig, seed: u64) -> Box<dyn Agent<$position>> {
            put_together(config, seed)
        })+

        fn any(sort: TypeId, config: &AgentConfig, seed: u64) -> Option<Box<dyn Any>> {
            $(if sort == TypeId::of::<$position>() {
                return Some(Box::new($name(config, seed)));
            })+
            None
        }
    };
}

compiled_here! {
    square8: ringrift::Position<Square8>,
    square19: ringrift::Position<Square19>,
    hex8: ringrift::Position<Hex8>,
    hexagonal: ringrift::Position<Hexagonal>,
    small: go::Position<Small>,
    medium: go::Position<Medium>,
    large: go::Position<Large>,
}

fn put_together<G: Playable>(config: &AgentConfig, seed: u64) -> Box<dyn Agent<G>> {
    let rng = Xoshiro256PlusPlus::seed_from_u64(config.seed.unwrap_or(seed));
    // Streams of their own: what one part draws does not depend on how much another has drawn.
    let stream = |number: u32| {
        let mut stream = rng.clone();
        (0..number).for_each(|_| stream.jump());
        stream
    };
    let evaluator = || config.leaves.evaluator::<G>(config, stream(2));
    let agent: Box<dyn Agent<G>> = match config.kind {
        Kind::Random => Box::new(Random::new(stream(0))),
        Kind::Heuristic => Box::new(Greedy::new(ValuesOnly(G::heuristic(config.persona)), stream(0))),
        Kind::Minimax | Kind::MaxN | Kind::Brs => {
            Box::new(AlphaBeta::new(G::line_evaluator(config.persona), config.alphabeta))
        }
        Kind::Descent => Box::new(Descent::new(evaluator(), config.descent)),
        Kind::Mcts => Box::new(Mcts::with_evaluators(evaluator, stream(0), config.mcts)),
        Kind::Gumbel => Box::new(Gumbel::new(evaluator(), stream(0), config.gumbel)),
        Kind::Gtp => G::program(config).expect("nobody is a player where there is no such program"),
    };
    if config.randomness > 0.0 {
        Box::new(Whimsical { agent, chance: config.randomness, rng: stream(1) })
    } else {
        agent
    }
}

/// An agent that plays any legal move now and then.
struct Whimsical<G: Game> {
    agent: Box<dyn Agent<G>>,
    chance: f64,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game> Agent<G> for Whimsical<G> {
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        // 53 bits make a double evenly spread over [0, 1).
        let draw = (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if draw < self.chance {
            Random::new(&mut self.rng).think_aloud(root, limits, stop, tell)
        } else {
            self.agent.think_aloud(root, limits, stop, tell)
        }
    }
}
