//! From a specification to an agent at work.

use game::Game;
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Flat, Greedy, Limits, Mcts, MctsOptions, Random, Report, Stop};

use crate::{AgentConfig, BadSetting, Kind, Playable, Spec, Venue};

/// Who really plays where a specification was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// What was asked for.
    pub spec: Spec,
    /// What plays.
    pub config: AgentConfig,
}

impl Player {
    /// Whoever `spec` stands for where `venue` is played.
    ///
    /// # Errors
    /// If a setting is not one that the agent takes.
    pub fn new(spec: &Spec, venue: Venue) -> Result<Self, BadSetting> {
        let (config, _) = spec.resolve(venue)?;
        Ok(Self { spec: spec.clone(), config })
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        self.config.limits()
    }

    /// An agent for one seat of one game; `seed` counts unless the specification has its own.
    pub fn agent<G: Playable>(&self, seed: u64) -> Box<dyn Agent<G>> {
        let config = &self.config;
        let rng = Xoshiro256PlusPlus::seed_from_u64(config.seed.unwrap_or(seed));
        let sight = || G::sight(config.persona);
        let agent: Box<dyn Agent<G>> = match config.kind {
            Kind::Random => Box::new(Random::new(rng.clone())),
            Kind::Heuristic => Box::new(Greedy::new(sight(), rng.clone())),
            Kind::Mcts => Box::new(Mcts::new(Flat(sight()), rng.clone(), MctsOptions::default())),
        };
        if config.randomness > 0.0 {
            // A stream of its own, so that the agent's choices do not depend on how often it is overruled.
            let mut rng = rng;
            rng.jump();
            Box::new(Whimsical { agent, chance: config.randomness, rng })
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
