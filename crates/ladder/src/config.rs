//! One agent, fully described.

use std::{fmt, time::Duration};

use eval::Persona;
use gtp::ExternalOptions;
use search::{AlphaBetaOptions, DescentOptions, GumbelOptions, Limits, MctsOptions, Rule};

use crate::{
    Leaves,
    keys::{KEYS, Key},
    spec::quoted,
};

/// The kinds of agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Any legal move.
    Random,
    /// The move with the best position, judged at sight.
    Heuristic,
    /// Alpha-beta search; with more than two seats all others are taken for enemies.
    Minimax,
    /// Alpha-beta's cousin in which every seat looks after itself.
    MaxN,
    /// Alpha-beta in which only the strongest reply of all others is looked at.
    Brs,
    /// Best-first minimax.
    Descent,
    /// Monte Carlo tree search.
    Mcts,
    /// Monte Carlo tree search that plans its simulations at the root.
    Gumbel,
    /// An external program that plays Go, in a process of its own.
    Gtp,
}

impl Kind {
    /// All kinds, the plain ones first.
    pub const ALL: [Self; 9] = [
        Self::Random,
        Self::Heuristic,
        Self::Minimax,
        Self::MaxN,
        Self::Brs,
        Self::Descent,
        Self::Mcts,
        Self::Gumbel,
        Self::Gtp,
    ];

    /// The name in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Heuristic => "heuristic",
            Self::Minimax => "minimax",
            Self::MaxN => "maxn",
            Self::Brs => "brs",
            Self::Descent => "descent",
            Self::Mcts => "mcts",
            Self::Gumbel => "gumbel",
            Self::Gtp => "gtp",
        }
    }

    /// Whether a budget means anything to it.
    pub const fn searches(self) -> bool {
        !matches!(self, Self::Random | Self::Heuristic | Self::Gtp)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Everything that decides how an agent plays, apart from the position.
///
/// Made from the defaults of its kind and named overrides ([`AgentConfig::set`]); keys that the kind does not know are
/// errors. Two configurations that print the same [resolved text](AgentConfig::resolved) play alike.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentConfig {
    /// What it is.
    pub kind: Kind,
    /// Nodes or simulations a decision may cost; none at all means that something else limits it.
    pub nodes: Option<u64>,
    /// The longest time of a decision.
    pub time: Option<Duration>,
    /// The chance of any legal move instead of the chosen one.
    pub randomness: f64,
    /// Where its random numbers come from; without it, whoever seats the agent says.
    pub seed: Option<u64>,
    /// The style of the heuristic behind it.
    pub persona: Persona,
    /// What judges the leaves of a tree search.
    pub leaves: Leaves,
    /// How much a value counts in the logit of a move, where the heuristic looks at moves.
    pub sharpness: f32,
    /// How many random moves come before the heuristic, where leaves are played on.
    pub rollout_plies: u32,
    /// The net that takes the place of the heuristic: a name, or a file.
    pub net: Option<String>,
    /// Whether to use a net: by default if one is named.
    pub use_neural_net: Option<bool>,
    /// The part of the net in values, the rest being the heuristic's.
    pub neural_blend_ratio: Option<f64>,
    /// The choices of an alpha-beta search.
    pub alphabeta: AlphaBetaOptions,
    /// The choices of a Monte Carlo tree search.
    pub mcts: MctsOptions,
    /// The choices of a Gumbel search.
    pub gumbel: GumbelOptions,
    /// The choices of a best-first minimax search.
    pub descent: DescentOptions,
    /// The command line of an external program; empty for all other agents.
    pub command: String,
    /// How long such a program may take.
    pub external: ExternalOptions,
}

impl AgentConfig {
    /// The defaults of a kind.
    pub fn new(kind: Kind) -> Self {
        let nodes = match kind {
            Kind::Random | Kind::Heuristic | Kind::Gtp => None,
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
            leaves: if kind == Kind::Descent { Leaves::Settled } else { Leaves::Sighted },
            sharpness: if kind == Kind::Gumbel { 20.0 } else { 10.0 },
            rollout_plies: 3,
            net: None,
            use_neural_net: None,
            neural_blend_ratio: None,
            alphabeta: AlphaBetaOptions { rule, ..AlphaBetaOptions::default() },
            mcts: MctsOptions::default(),
            gumbel: GumbelOptions::default(),
            descent: DescentOptions::default(),
            command: String::new(),
            external: ExternalOptions::default(),
        }
    }

    /// Whether a net is to take the place of the heuristic.
    pub fn wants_net(&self) -> bool {
        self.use_neural_net.unwrap_or(self.net.is_some())
    }

    /// Leaves out everything that is about a net: what is left is the agent that plays without.
    pub(crate) fn leave_out_net(&mut self) {
        (self.net, self.use_neural_net, self.neural_blend_ratio) = (None, None, None);
    }

    /// Overrides settings by their names, or by the names they have in the service that riftlab replaces. The order
    /// of the pairs does not matter.
    ///
    /// # Errors
    /// If the kind knows no such key, a value is not of its form, or a setting makes no difference beside the others.
    pub fn set(&mut self, pairs: &[(String, String)]) -> Result<(), BadSetting> {
        for (name, _) in pairs {
            if !Self::keys(self.kind).any(|key| key.is_called(name)) {
                let known = Self::keys(self.kind).map(|key| key.name).collect();
                return Err(BadSetting::Unknown { kind: self.kind, name: name.clone(), known });
            }
        }
        for key in Self::keys(self.kind) {
            for (name, value) in pairs.iter().filter(|(name, _)| key.is_called(name)) {
                if (key.set)(self, value).is_none() {
                    let (name, value) = (name.clone(), value.clone());
                    return Err(BadSetting::Value { name, value, expected: key.expected });
                }
            }
        }
        // What is not written down makes no difference: a setting of leaves that are not used, for instance.
        let idle = |key: &Key| !key.written_elsewhere && (key.show)(self).is_none();
        let named =
            |(name, _): &&(String, String)| Self::keys(self.kind).any(|key| key.is_called(name) && idle(key));
        match pairs.iter().find(named) {
            Some((name, _)) => Err(BadSetting::Idle { kind: self.kind, name: name.clone() }),
            None => Ok(()),
        }
    }

    /// The settings that a kind has.
    fn keys(kind: Kind) -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(move |key| key.kinds.contains(&kind))
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: if self.kind.searches() { self.nodes.unwrap_or(u64::MAX) } else { 0 },
            time: self.time,
        }
    }

    /// Every setting written out, defaults included: what identifies the agent. Only settings that came later than
    /// the first databases are left out at their default.
    pub fn resolved(&self) -> String {
        self.written(|key, value| !key.implied || self.is_told(key, value))
    }

    /// A short name for tables, in the form `{net}:{algorithm}:{settings}`: `none:mcts:s400`.
    pub fn composite_id(&self) -> String {
        let settings: String = self
            .settings(|key, value| (key.unnamed || !key.code.is_empty()) && self.is_told(key, value))
            .map(|(key, value)| {
                let value = if key.unnamed { slug(&value) } else { value.replace('.', "p") };
                key.code.to_owned() + &value
            })
            .collect();
        let settings = if settings.is_empty() { "base" } else { &settings };
        format!("{}:{}:{settings}", self.net.as_deref().unwrap_or("none"), self.kind)
    }

    /// Whether a short text has to name a setting: it is not the default, or it is the budget.
    fn is_told(&self, key: &Key, value: &str) -> bool {
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
    /// As short as it can be read back: settings that are not the default. The budget of a search is always told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(|key, value| self.is_told(key, value)))
    }
}

/// Letters and digits, with a hyphen for whatever is between them.
fn slug(text: &str) -> String {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// A setting that an agent does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSetting {
    /// There is no such key.
    #[error("{kind} has no setting {name:?}: expected {}", or_none(known))]
    Unknown {
        /// Whose setting it is not.
        kind: Kind,
        /// The key.
        name: String,
        /// The keys there are.
        known: Vec<&'static str>,
    },
    /// Other settings leave it without effect.
    #[error("{name:?} makes no difference to this {kind}: leave it out, or set what it belongs to")]
    Idle {
        /// Whose setting it is.
        kind: Kind,
        /// The key.
        name: String,
    },
    /// The value makes no sense.
    #[error("\"{name}={value}\": expected {expected}")]
    Value {
        /// The key.
        name: String,
        /// What it was to be.
        value: String,
        /// What it can be.
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
