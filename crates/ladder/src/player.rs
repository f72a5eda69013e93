//! From a specification to an agent at work.

use game::Game;
use go::{Large, Position, Rules};
use gtp::External;
use search::{Agent, Limits};

use crate::{AgentConfig, BadSetting, Kind, ModelError, Models, Playable, Spec, Venue};

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
    /// The net is missing, or cannot be used.
    #[error(
        "{spec} needs its net, but {problem}; without it {instead} would play, which is another agent \
         (use_neural_net=no asks for it by name)"
    )]
    Net {
        /// What was asked for.
        spec: String,
        /// What is wrong with the net.
        problem: String,
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
    /// Whoever `spec` stands for where `venue` is played and there are no nets. Nothing is started or read.
    ///
    /// # Errors
    /// If a setting is not one that the agent takes, its net is missing and must not be, or it plays another game.
    pub fn new(spec: &Spec, venue: Venue, without_net: WithoutNet) -> Result<Self, NoPlayer> {
        Self::with_models(spec, venue, without_net, &Models::default())
    }

    /// The same where there are nets: an agent that names one has it loaded.
    ///
    /// # Errors
    /// As for [`Player::new`].
    pub fn with_models(
        spec: &Spec,
        venue: Venue,
        without_net: WithoutNet,
        models: &Models,
    ) -> Result<Self, NoPlayer> {
        let mut config = spec.resolve(venue)?;
        if config.kind == Kind::Gtp && !matches!(venue, Venue::Go { .. }) {
            return Err(NoPlayer::AnotherGame { spec: spec.to_string(), venue });
        }
        if !config.wants_net() {
            config.leave_out_net();
            return Ok(Self { spec: spec.clone(), config, fallback: None });
        }
        let problem = match &config.net {
            None => "a net is not there".to_owned(),
            Some(name) => match models.get(name) {
                // No search evaluates with nets so far: an agent that has its net still lacks a use for it.
                Ok(model) => {
                    format!("{kind} cannot use the net {name:?} ({}) yet", model.kind, kind = config.kind)
                }
                Err(ModelError::Missing { .. }) => format!("the net {name:?} is not there"),
                Err(error) => error.to_string(),
            },
        };
        config.leave_out_net();
        if without_net == WithoutNet::Refuse {
            return Err(NoPlayer::Net { spec: spec.to_string(), problem, instead: config.to_string() });
        }
        let fallback = Some(format!("{problem}: {config} plays instead"));
        Ok(Self { spec: spec.clone(), config, fallback })
    }

    /// Checks that an external program can be run and plays on this board, by starting it once. Agents without a
    /// program always can.
    ///
    /// # Errors
    /// If the program cannot be started, or does not play this.
    pub fn probe(&self, venue: Venue) -> Result<(), NoPlayer> {
        let Venue::Go { size } = venue else { return Ok(()) };
        if self.config.kind != Kind::Gtp {
            return Ok(());
        }
        let position = Position::<Large>::new(&Rules::new(size));
        let mut program = External::new(&self.config.command, self.config.external);
        let probed = program.probe(&position, &self.limits());
        probed.map(drop).map_err(|source| NoPlayer::Program { spec: self.spec.to_string(), source })
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        self.config.limits()
    }

    /// An agent for one seat of one game; `seed` counts unless the specification has its own.
    pub fn agent<G: Playable>(&self, seed: u64) -> Box<dyn Agent<G>> {
        G::build_agent(&self.config, seed)
    }
}
