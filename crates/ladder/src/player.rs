//! From a specification to an agent at work.

use game::Game;
use go::{Large, Position, Rules};
use gtp::External;
use search::{Agent, Limits};

use crate::{AgentConfig, BadSetting, Kind, Playable, Spec, Venue, workshop};

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
    /// A program that plays another game.
    #[error("{spec} plays Go, not {venue}")]
    AnotherGame {
        /// What was asked for.
        spec: String,
        /// What is played.
        venue: Venue,
    },
    /// A program that cannot be made to play.
    #[error("{spec} cannot play: {source}")]
    Program {
        /// What was asked for.
        spec: String,
        /// Why.
        source: gtp::ProgramError,
    },
}

impl Player {
    /// Whoever `spec` stands for where `venue` is played. A program of somebody else's is started once and asked whether
    /// it plays on this board.
    ///
    /// # Errors
    /// If a setting is not one that the agent takes, its net is missing and must not be, or its program cannot be run or
    /// does not play this.
    pub fn new(spec: &Spec, venue: Venue, without_net: WithoutNet) -> Result<Self, NoPlayer> {
        let mut config = spec.resolve(venue)?;
        if config.kind == Kind::Gtp {
            let spec = || spec.to_string();
            let Venue::Go { size } = venue else {
                return Err(NoPlayer::AnotherGame { spec: spec(), venue });
            };
            let position = Position::<Large>::new(&Rules::new(size));
            let mut program = External::new(&config.command, config.external);
            let probed = program.probe(&position, &config.limits());
            probed.map_err(|source| NoPlayer::Program { spec: spec(), source })?;
        }
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
        workshop::agent(&self.config, seed)
    }
}
