//! From a specification to an agent at work.

use game::Game;
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, AlphaBeta, Descent, Greedy, Gumbel, Limits, Mcts, Random, Report, Stop};

use crate::{AgentConfig, BadSetting, Kind, Playable, Spec, Venue};

/// What to do when an agent's net is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WithoutNet {
    /// Nothing: whoever measures wants the agent that was asked for.
    Refuse,
    /// The same search with the heuristic plays, and says so.
    FallBack,
}

/// Who really plays where a specification was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// What was asked for.
    pub spec: Spec,
    /// What plays.
    pub config: AgentConfig,
    /// Why it is not what was asked for, if it is not.
    pub fallback: Option<String>,
}

/// Why nobody can play for a specification.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoPlayer {
    /// A setting that the agent does not take.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// The net is not there.
    #[error(
        "{spec} needs {net}; without it {instead} would play, which is another agent \
         (use_neural_net=no asks for it by name)"
    )]
    Net {
        /// What was asked for.
        spec: String,
        /// What is missing.
        net: String,
        /// What there is.
        instead: String,
    },
}

impl Player {
    /// Whoever `spec` stands for where `venue` is played.
    ///
    /// # Errors
    /// If a setting is not one that the agent takes, or its net is missing and must not be.
    pub fn new(spec: &Spec, venue: Venue, without_net: WithoutNet) -> Result<Self, NoPlayer> {
        let mut config = spec.resolve(venue)?;
        let wanted = config.wants_net();
        // No net can be loaded so far, so every agent that wants one lacks it; what is left is the agent without.
        let net = config.net.take().map_or_else(|| "a net".to_owned(), |net| format!("the net {net:?}"));
        (config.use_neural_net, config.neural_blend_ratio) = (None, None);
        if wanted && without_net == WithoutNet::Refuse {
            return Err(NoPlayer::Net { spec: spec.to_string(), net, instead: config.to_string() });
        }
        let fallback = wanted.then(|| format!("{net} is not there: {config} plays instead"));
        Ok(Self { spec: spec.clone(), config, fallback })
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        self.config.limits()
    }

    /// An agent for one seat of one game; `seed` counts unless the specification has its own.
    pub fn agent<G: Playable>(&self, seed: u64) -> Box<dyn Agent<G>> {
        let config = &self.config;
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
        };
        if config.randomness > 0.0 {
            Box::new(Whimsical { agent, chance: config.randomness, rng: stream(1) })
        } else {
            agent
        }
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
