//! Players: specs resolved for a venue, from which agents are built.

use std::sync::Arc;

use game::{Cached, Evaluator, Game, LineEvaluator, MoveField, StaticEvaluator};
use go::{Large, Position, Rules};
use gtp::External;
use ringrift::on_board;
use search::{Agent, Limits};

use crate::{
    AgentConfig, AgentEvaluator, Kind, Model, ModelError, Models, Playable, SettingError, Spec, Venue,
    evaluator,
    models::{EBMO, GMO, IG_GMO, OMEGA},
};

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
    /// The net it plays with.
    pub net: Option<Arc<Model>>,
    /// The net whose policy guides its search, if that is another one.
    pub policy: Option<Arc<Model>>,
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
    /// The net whose gradients the agent follows is missing, or cannot be used; nothing can play instead.
    #[error("{spec} follows the gradients of its net, but {problem}")]
    NoField {
        /// The requested spec.
        spec: String,
        /// What is wrong with the net.
        problem: String,
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
        let wants_net = config.wants_net();
        let problem = match wants_net.then(|| nets(&config, venue, models)) {
            None => None,
            Some(Ok([net, policy])) => {
                if net.as_ref().is_some_and(|net| net.has_policy()) {
                    config.prepare_for_pv();
                }
                return Ok(Self { spec: spec.clone(), config, net, policy, fallback: None });
            }
            Some(Err(problem)) => Some(problem),
        };
        if let Some(problem) = problem.clone().filter(|_| config.kind.is_gradient()) {
            return Err(PlayerError::NoField { spec: spec.to_string(), problem });
        }
        config.remove_net();
        if let Some(problem) = problem.clone().filter(|_| without_net == WithoutNet::Refuse) {
            return Err(PlayerError::Net { spec: spec.to_string(), problem, instead: config.to_string() });
        }
        let fallback = problem.map(|problem| format!("{problem}: {config} plays instead"));
        Ok(Self { spec: spec.clone(), config, net: None, policy: None, fallback })
    }

    /// The configuration with nets named by the hashes of their content. Players with the same
    /// [resolved text](AgentConfig::resolved) of this configuration play identically.
    pub fn by_content(&self) -> AgentConfig {
        let [net, policy] = [&self.net, &self.policy].map(|net| net.as_ref().map(|net| net.hash.clone()));
        AgentConfig { net, policy, ..self.config.clone() }
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
        (G::builders().agent)(self, seed)
    }

    /// Whether its net has a policy.
    pub fn has_policy(&self) -> bool {
        self.net.as_ref().is_some_and(|net| net.has_policy())
    }

    /// About the most bytes of answers of policy and value nets that its agents remember between decisions.
    pub fn remembered_bytes(&self) -> usize {
        let evaluators = usize::from(self.has_policy()) + usize::from(self.policy.is_some());
        let threads = self.config.mcts.threads.max(self.config.gumbel.threads).max(1);
        evaluators * threads * evaluator::REMEMBERED_BYTES
    }

    /// The agent's alpha-beta search with another evaluator, without its policy and its random moves.
    pub fn alphabeta<G: Playable>(&self, evaluator: Box<dyn LineEvaluator<G> + Send>) -> Box<dyn Agent<G>> {
        (G::builders().alphabeta)(self, evaluator)
    }

    /// What the agent evaluates single positions with.
    pub fn evaluator<G: Playable>(&self) -> Box<dyn StaticEvaluator<G> + Send> {
        (G::builders().evaluator)(self)
    }

    pub(crate) fn agent_evaluator<G: Playable>(&self) -> AgentEvaluator<G> {
        AgentEvaluator::new(&self.config, self.net.as_ref())
    }

    /// What the agent evaluates batches of positions with. A policy and value net gives values and a policy, and remembers
    /// its latest answers; all others give values alone.
    pub fn batch_evaluator<G: Playable>(&self) -> Box<dyn Evaluator<G> + Send> {
        (G::builders().batch_evaluator)(self)
    }

    /// What the search takes its policy from, if that is another net than the one that gives values.
    pub(crate) fn policy_evaluator<G: Playable>(&self) -> Option<Box<dyn Evaluator<G> + Send>> {
        let config = AgentConfig { neural_blend_ratio: None, ..self.config.clone() };
        self.policy.as_ref().map(|policy| -> Box<dyn Evaluator<G> + Send> {
            if policy.is_field() {
                let policy =
                    policy.field_policy(&config).expect("the net was tried when the player was resolved");
                return Box::new(Cached::new(policy, evaluator::REMEMBERED));
            }
            evaluator::of_batches(&config, Some(policy))
        })
    }

    /// The field whose gradients the agent follows.
    ///
    /// # Panics
    /// If the agent follows none; players of gradient agents have a net that was tried.
    pub(crate) fn field<G: Playable>(&self) -> Box<dyn MoveField<G>> {
        let model = self.net.as_deref().expect("an agent that follows gradients has a net");
        G::field(model, &self.config).expect("the net was tried when the player was resolved")
    }

    /// The same evaluator for depth-first search.
    pub fn line_evaluator<G: Playable>(&self) -> Box<dyn LineEvaluator<G> + Send> {
        (G::builders().line_evaluator)(self)
    }
}

/// Loads the nets of a configuration, for values and for the policy, and checks that they can play. The error says what is
/// wrong.
fn nets(config: &AgentConfig, venue: Venue, models: &Models) -> Result<[Option<Arc<Model>>; 2], String> {
    // Kinds that cannot play without a net use the shipped one.
    let shipped = match config.kind {
        Kind::Omega => Some(OMEGA),
        Kind::IgGmo if Models::shipped_for(IG_GMO, venue).is_some() => Some(IG_GMO),
        Kind::Gmo | Kind::IgGmo => Some(GMO),
        Kind::Ebmo => Some(EBMO),
        _ => None,
    };
    let shipped = shipped.map(str::to_owned);
    let name = config.net.as_ref().or(shipped.as_ref());
    if name.is_none() && config.policy.is_none() {
        return Err("it does not name one (as in net=nnue)".to_owned());
    }
    let trees = matches!(config.kind, Kind::Descent | Kind::Mcts | Kind::Gumbel);
    if let Some(name) = config.net.as_ref().filter(|_| trees && !config.leaves.is_static()) {
        return Err(format!("its leaves are not evaluated by the net {name:?}"));
    }
    if let Some(name) = config.policy.as_ref().filter(|_| trees && !config.leaves.uses_policy()) {
        return Err(format!("its leaves have no use for the policy of the net {name:?}"));
    }
    let load = |name: &String, for_policy: bool| {
        let model = models.get(name, venue).map_err(|error| error.to_string())?;
        if config.kind.is_gradient() || for_policy && model.is_field() {
            let usable = try_field(&model, config, venue);
            return usable.map(|()| model).map_err(|error| error.to_string());
        }
        if for_policy && !model.has_policy() {
            let (id, kind) = (model.id(), &model.header.kind);
            return Err(format!(
                "the net {id} of kind {kind:?} has no policy: name a policy and value net, such as pv, or a net of moves"
            ));
        }
        let usable = match venue {
            Venue::RingRift { board, .. } => {
                on_board!(board, B => ringrift::Position::<B>::net(&model).map(drop))
            }
            Venue::Go { .. } => Position::<Large>::net(&model).map(drop),
        };
        usable.map(|()| model).map_err(|error| error.to_string())
    };
    let needs_policy = matches!(config.kind, Kind::Policy | Kind::Omega);
    let net = name.map(|name| load(name, needs_policy)).transpose()?;
    let policy = config.policy.as_ref().map(|name| load(name, true)).transpose()?;
    Ok([net, policy])
}

/// Checks that the agent can follow the gradients of the net.
fn try_field(model: &Model, config: &AgentConfig, venue: Venue) -> Result<(), ModelError> {
    match venue {
        Venue::RingRift { board, .. } => {
            on_board!(board, B => ringrift::Position::<B>::field(model, config).map(drop))
        }
        Venue::Go { size } => {
            // Nets of energies play on boards of any size.
            if !model.is_ebmo() {
                model.check_go_size(size)?;
            }
            Position::<Large>::field(model, config).map(drop)
        }
    }
}
