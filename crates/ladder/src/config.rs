//! The full configuration of an agent.

use std::{fmt, time::Duration};

use eval::{Persona, Uncertainty};
use gtp::ExternalOptions;
use search::{
    AlphaBetaOptions, DescentOptions, EbmoOptions, GmoOptions, GumbelOptions, Limits, MctsOptions, Rule,
};

use crate::{
    Leaves,
    keys::{KEYS, Key},
    spec::quoted,
};

/// The kinds of agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A uniformly random legal move.
    Random,
    /// One-ply search with the heuristic.
    Heuristic,
    /// Play by a policy, without search.
    Policy,
    /// Go by a pair of networks, without search: the moves of one, or the moves to the best boards of the other.
    Omega,
    /// Alpha-beta search; with more than two seats, paranoid.
    Minimax,
    /// Max-n search, in which every seat maximises its own value.
    MaxN,
    /// Best-reply search, in which only the opponents' strongest reply counts.
    Brs,
    /// Best-first minimax.
    Descent,
    /// Monte Carlo tree search.
    Mcts,
    /// Gumbel Monte Carlo tree search.
    Gumbel,
    /// Gradient move optimisation.
    Gmo,
    /// Gradient move optimisation by information gain, with a barrier in front of illegal points.
    IgGmo,
    /// Energy-based move optimisation.
    Ebmo,
    /// An external program that plays Go over GTP.
    Gtp,
}

impl Kind {
    /// All kinds, simplest first.
    pub const ALL: [Self; 14] = [
        Self::Random,
        Self::Heuristic,
        Self::Policy,
        Self::Omega,
        Self::Minimax,
        Self::MaxN,
        Self::Brs,
        Self::Descent,
        Self::Mcts,
        Self::Gumbel,
        Self::Gmo,
        Self::IgGmo,
        Self::Ebmo,
        Self::Gtp,
    ];

    /// The name in specs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Heuristic => "heuristic",
            Self::Policy => "policy",
            Self::Omega => "omega",
            Self::Minimax => "minimax",
            Self::MaxN => "maxn",
            Self::Brs => "brs",
            Self::Descent => "descent",
            Self::Mcts => "mcts",
            Self::Gumbel => "gumbel",
            Self::Gmo => "gmo",
            Self::IgGmo => "ig_gmo",
            Self::Ebmo => "ebmo",
            Self::Gtp => "gtp",
        }
    }

    /// Whether this kind uses a budget.
    pub const fn searches(self) -> bool {
        let answers_once =
            matches!(self, Self::Random | Self::Heuristic | Self::Policy | Self::Omega | Self::Gtp);
        !answers_once && !self.is_gradient()
    }

    /// Whether this kind follows the gradients of a net, which it cannot do without.
    pub const fn is_gradient(self) -> bool {
        matches!(self, Self::Gmo | Self::IgGmo | Self::Ebmo)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// All settings of an agent.
///
/// A configuration starts with the defaults of its kind and is changed by named settings ([`AgentConfig::set`]);
/// settings that the kind does not have are errors. Configurations with the same [resolved text](AgentConfig::resolved)
/// play identically.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentConfig {
    /// The kind of agent.
    pub kind: Kind,
    /// The budget per decision in nodes or simulations. `None` if another setting limits the search.
    pub nodes: Option<u64>,
    /// The time cap per decision.
    pub time: Option<Duration>,
    /// The probability of playing a random legal move instead of the chosen one.
    pub randomness: f64,
    /// The seed of its random numbers. `None` if the caller of [`Player::agent`](crate::Player::agent)
    /// provides it.
    pub seed: Option<u64>,
    /// The style of the heuristic.
    pub persona: Persona,
    /// The leaf evaluation of a tree search.
    pub leaves: Leaves,
    /// The factor from heuristic values to logits, if the heuristic provides the policy.
    pub sharpness: f32,
    /// The length of short rollouts.
    pub rollout_plies: u32,
    /// The nodes of the alpha-beta search that evaluates a leaf, if one does.
    pub leaf_nodes: u64,
    /// The net that replaces the heuristic, as a name or a file path.
    pub net: Option<String>,
    /// A policy and value net whose policy guides the search, beside the net that gives values.
    pub policy: Option<String>,
    /// The fewest turns of depth at which alpha-beta search orders moves by that policy.
    pub policy_turns: u32,
    /// Whether to use a net. By default, if one is named.
    pub use_neural_net: Option<bool>,
    /// The weight of the net in values; the heuristic has the rest.
    pub neural_blend_ratio: Option<f64>,
    /// The options of alpha-beta search.
    pub alphabeta: AlphaBetaOptions,
    /// The options of Monte Carlo tree search.
    pub mcts: MctsOptions,
    /// The options of Gumbel search.
    pub gumbel: GumbelOptions,
    /// The options of best-first minimax search.
    pub descent: DescentOptions,
    /// The options of gradient move optimisation.
    pub gmo: GmoOptions,
    /// How its net tells how little it knows.
    pub uncertainty: Uncertainty,
    /// The share of neurons that its passes leave out.
    pub dropout: f64,
    /// The options of energy-based move optimisation.
    pub ebmo: EbmoOptions,
    /// The temperature of play by a policy: 0 for its best move.
    pub temperature: f32,
    /// Whether a pair of networks chooses moves by the values of the boards that they lead to.
    pub by_value: bool,
    /// The command line of an external program; empty for all other agents.
    pub command: String,
    /// The time limits of an external program.
    pub external: ExternalOptions,
}

impl AgentConfig {
    /// The defaults of a kind.
    pub fn new(kind: Kind) -> Self {
        let nodes = match kind {
            Kind::Random
            | Kind::Heuristic
            | Kind::Policy
            | Kind::Omega
            | Kind::Gmo
            | Kind::IgGmo
            | Kind::Ebmo
            | Kind::Gtp => None,
            Kind::Minimax | Kind::MaxN | Kind::Brs => Some(20_000),
            Kind::Descent => Some(1_000),
            Kind::Mcts => Some(400),
            Kind::Gumbel => Some(100),
        };
        let rule = match kind {
            Kind::MaxN => Rule::MaxN,
            Kind::Brs => Rule::Brs,
            _ => Rule::Paranoid,
        };
        Self {
            kind,
            nodes,
            time: None,
            randomness: 0.0,
            seed: None,
            persona: Persona::default(),
            leaves: if kind == Kind::Descent { Leaves::AfterTurn } else { Leaves::Prior },
            sharpness: if kind == Kind::Gumbel { 20.0 } else { 10.0 },
            rollout_plies: 3,
            leaf_nodes: 300,
            net: None,
            policy: None,
            policy_turns: 2,
            use_neural_net: None,
            neural_blend_ratio: None,
            alphabeta: AlphaBetaOptions { rule, ..AlphaBetaOptions::default() },
            mcts: MctsOptions::default(),
            gumbel: GumbelOptions::default(),
            descent: DescentOptions::default(),
            gmo: if kind == Kind::IgGmo { GmoOptions::information() } else { GmoOptions::default() },
            uncertainty: Uncertainty::default(),
            dropout: 0.1,
            ebmo: EbmoOptions::default(),
            temperature: 0.0,
            by_value: false,
            command: String::new(),
            external: ExternalOptions::default(),
        }
    }

    /// Whether a net replaces the heuristic, or guides the search.
    pub fn wants_net(&self) -> bool {
        let named = self.net.is_some() || self.policy.is_some() || self.kind == Kind::Omega;
        self.kind.is_gradient() || self.use_neural_net.unwrap_or(named)
    }

    /// Removes all settings of the net, leaving the agent that plays without one.
    pub(crate) fn remove_net(&mut self) {
        (self.net, self.policy) = (None, None);
        (self.use_neural_net, self.neural_blend_ratio) = (None, None);
    }

    /// Changes what is different with a policy and value net: descent evaluates positions as they are, since such a net
    /// has learned to judge unfinished turns, and evaluating the end of the turn would cost an evaluation per move.
    pub(crate) fn prepare_for_pv(&mut self) {
        if self.kind == Kind::Descent && self.leaves == Leaves::AfterTurn {
            self.leaves = Leaves::Prior;
        }
    }

    /// Sets settings by name. The names that the predecessor of riftlab's service uses are accepted too. The order of
    /// the pairs does not matter.
    ///
    /// # Errors
    /// If the kind does not have a setting, a value is invalid, or a setting has no effect in combination with the
    /// others.
    pub fn set(&mut self, pairs: &[(String, String)]) -> Result<(), SettingError> {
        for (name, _) in pairs {
            if !Self::keys(self.kind).any(|key| key.has_name(name)) {
                let known = Self::keys(self.kind).map(|key| key.name).collect();
                return Err(SettingError::Unknown { kind: self.kind, name: name.clone(), known });
            }
        }
        for key in Self::keys(self.kind) {
            for (name, value) in pairs.iter().filter(|(name, _)| key.has_name(name)) {
                if (key.set)(self, value).is_none() {
                    let (name, value) = (name.clone(), value.clone());
                    return Err(SettingError::Value { name, value, expected: key.expected });
                }
            }
        }
        // Settings that are not shown have no effect, such as those of another leaf evaluation.
        let idle = |key: &Key| !key.written_elsewhere && (key.show)(self).is_none();
        let named =
            |(name, _): &&(String, String)| Self::keys(self.kind).any(|key| key.has_name(name) && idle(key));
        match pairs.iter().find(named) {
            Some((name, _)) => Err(SettingError::Idle { kind: self.kind, name: name.clone() }),
            None => Ok(()),
        }
    }

    /// The maximum size of the agent's tree or transposition table, in megabytes.
    pub fn megabytes(&self) -> usize {
        match self.kind {
            Kind::Random
            | Kind::Heuristic
            | Kind::Policy
            | Kind::Omega
            | Kind::Gmo
            | Kind::IgGmo
            | Kind::Ebmo
            | Kind::Gtp => 0,
            Kind::Minimax | Kind::MaxN | Kind::Brs => self.alphabeta.megabytes,
            Kind::Descent => self.descent.max_bytes >> 20,
            Kind::Mcts => self.mcts.max_bytes >> 20,
            Kind::Gumbel => self.gumbel.max_bytes >> 20,
        }
    }

    /// The settings of a kind.
    fn keys(kind: Kind) -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(move |key| key.kinds.contains(&kind))
    }

    /// The limits of a decision.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: if self.kind.searches() { self.nodes.unwrap_or(u64::MAX) } else { 0 },
            time: self.time,
        }
    }

    /// All settings including defaults, which identify the agent. Only settings that were added after the first
    /// databases are omitted at their default, so that existing ids stay valid.
    pub fn resolved(&self) -> String {
        self.written(|key, value| !key.implied || self.is_shown(key, value))
    }

    /// A short name for tables of results, in the form `{net}:{algorithm}:{settings}`: `none:mcts:s400`.
    pub fn composite_id(&self) -> String {
        let settings: String = self
            .settings(|key, value| (key.unnamed || !key.code.is_empty()) && self.is_shown(key, value))
            .map(|(key, value)| {
                let value = if key.unnamed { slug(&value) } else { value.replace('.', "p") };
                key.code.to_owned() + &value
            })
            .collect();
        let settings = if settings.is_empty() { "base" } else { &settings };
        format!("{}:{}:{settings}", self.net.as_deref().unwrap_or("none"), self.kind)
    }

    /// Whether the short form includes a setting: it is not the default, or it is the budget.
    fn is_shown(&self, key: &Key, value: &str) -> bool {
        key.always || (key.show)(&Self::new(self.kind)).as_deref() != Some(value)
    }

    fn settings(&self, wanted: impl Fn(&Key, &str) -> bool) -> impl Iterator<Item = (&'static Key, String)> {
        let all = Self::keys(self.kind).filter_map(|key| (key.show)(self).map(|value| (key, value)));
        all.filter(move |(key, value)| wanted(key, value))
    }

    fn written(&self, wanted: impl Fn(&Key, &str) -> bool) -> String {
        let text = |(key, value): (&Key, String)| {
            if key.unnamed { quoted(&value) } else { format!("{}={value}", key.name) }
        };
        let settings: Vec<String> = self.settings(wanted).map(text).collect();
        if settings.is_empty() {
            self.kind.to_string()
        } else {
            format!("{}({})", self.kind, settings.join(","))
        }
    }
}

impl fmt::Display for AgentConfig {
    /// Formats the shortest spec that parses to this configuration: the settings that differ from the default, and
    /// always the budget.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(|key, value| self.is_shown(key, value)))
    }
}

/// Letters and digits, with hyphens in place of everything else.
fn slug(text: &str) -> String {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The error for an invalid setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// The kind does not have the setting.
    #[error("{kind} has no setting {name:?}: expected {}", or_none(known))]
    Unknown {
        /// The kind of agent.
        kind: Kind,
        /// The setting.
        name: String,
        /// The settings of the kind.
        known: Vec<&'static str>,
    },
    /// The setting has no effect in combination with the others.
    #[error("{name:?} has no effect on this {kind}: omit it, or set the setting that it belongs to")]
    Idle {
        /// The kind of agent.
        kind: Kind,
        /// The setting.
        name: String,
    },
    /// The value is invalid.
    #[error("\"{name}={value}\": expected {expected}")]
    Value {
        /// The setting.
        name: String,
        /// The value.
        value: String,
        /// A description of valid values.
        expected: &'static str,
    },
}

fn or_none(known: &[&str]) -> String {
    match known {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
