//! Players: specs resolved for a venue, from which agents are built.

use game::Game;
use go::{Large, Position, Rules};
use gtp::External;
use search::{Agent, Limits};

use crate::{AgentConfig, Kind, ModelError, Models, Playable, SettingError, Spec, Venue};

/// What to do if an agent's net is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WithoutNet {
    /// Return an error, so that measurements use the requested agent.
    Refuse,
    /// Use the heuristic instead and report the fallback.
    FallBack,
}

/// The agent that plays for a spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// The requested spec.
    pub spec: Spec,
    /// The configuration that plays.
    pub config: AgentConfig,
    /// The reason, if it differs from the requested one.
    pub fallback: Option<String>,
}

/// Why a spec cannot be resolved to a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The net is missing, or cannot be used.
    #[error(
        "{spec} needs its net, but {problem}; without it {instead} would play, which is another agent \
         (set use_neural_net=no to use it)"
    )]
    Net {
        /// The requested spec.
        spec: String,
        /// What is wrong with the net.
        problem: String,
        /// The agent that would play instead.
        instead: String,
    },
    /// External programs do not play this game.
    #[error("{spec} plays Go, not {venue}")]
    AnotherGame {
        /// The requested spec.
        spec: String,
        /// The game.
        venue: Venue,
    },
    /// The external program cannot be used.
    #[error("{spec} cannot play: {source}")]
    Program {
        /// The requested spec.
        spec: String,
        /// The underlying error.
        source: gtp::ProgramError,
    },
}

impl Player {
    /// Resolves `spec` for `venue` without any nets. Starts and reads nothing.
    ///
    /// # Errors
    /// If a setting is invalid, a required net is missing, or the agent does not play this game.
    pub fn new(spec: &Spec, venue: Venue, without_net: WithoutNet) -> Result<Self, PlayerError> {
        Self::with_models(spec, venue, without_net, &Models::default())
    }

    /// Like [`Player::new`], with nets from `models`. Loads the net that the agent names.
    ///
    /// # Errors
    /// See [`Player::new`].
    pub fn with_models(
        spec: &Spec,
        venue: Venue,
        without_net: WithoutNet,
        models: &Models,
    ) -> Result<Self, PlayerError> {
        let mut config = spec.resolve(venue)?;
        if config.kind == Kind::Gtp && !matches!(venue, Venue::Go { .. }) {
            return Err(PlayerError::AnotherGame { spec: spec.to_string(), venue });
        }
        if !config.wants_net() {
            config.remove_net();
            return Ok(Self { spec: spec.clone(), config, fallback: None });
        }
        let problem = match &config.net {
            None => "its net was not found".to_owned(),
            Some(name) => match models.get(name) {
                // No search can evaluate with nets yet.
                Ok(model) => {
                    format!("{kind} cannot use the net {name:?} ({}) yet", model.kind, kind = config.kind)
                }
                Err(ModelError::Missing { .. }) => format!("the net {name:?} was not found"),
                Err(error) => error.to_string(),
            },
        };
        config.remove_net();
        if without_net == WithoutNet::Refuse {
            return Err(PlayerError::Net { spec: spec.to_string(), problem, instead: config.to_string() });
        }
        let fallback = Some(format!("{problem}: {config} plays instead"));
        Ok(Self { spec: spec.clone(), config, fallback })
    }

    /// Checks that an external program runs and plays on this board, by starting it once. Succeeds for all other
    /// agents.
    ///
    /// # Errors
    /// If the program cannot be started, or does not play this game.
    pub fn probe(&self, venue: Venue) -> Result<(), PlayerError> {
        let Venue::Go { size } = venue else { return Ok(()) };
        if self.config.kind != Kind::Gtp {
            return Ok(());
        }
        let position = Position::<Large>::new(&Rules::new(size));
        let mut program = External::new(&self.config.command, self.config.external);
        let probed = program.probe(&position, &self.limits());
        probed.map(drop).map_err(|source| PlayerError::Program { spec: self.spec.to_string(), source })
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        self.config.limits()
    }

    /// Builds an agent for one seat of one game. `seed` is used unless the spec has its own.
    pub fn agent<G: Playable>(&self, seed: u64) -> Box<dyn Agent<G>> {
        G::build_agent(&self.config, seed)
    }
}
