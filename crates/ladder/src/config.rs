//! One agent, fully described.

use std::{fmt, time::Duration};

use eval::Persona;
use search::Limits;

use crate::keys::{KEYS, Key};

/// The kinds of agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Any legal move.
    Random,
    /// The move with the best position, judged at sight.
    Heuristic,
    /// Monte Carlo tree search.
    Mcts,
}

impl Kind {
    /// All kinds, the plain ones first.
    pub const ALL: [Self; 3] = [Self::Random, Self::Heuristic, Self::Mcts];

    /// The name in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Heuristic => "heuristic",
            Self::Mcts => "mcts",
        }
    }

    /// What it is, in a line of help.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Random => "any legal move",
            Self::Heuristic => "the move with the best position, judged at sight",
            Self::Mcts => "Monte Carlo tree search",
        }
    }

    /// Whether a budget means anything to it.
    pub const fn searches(self) -> bool {
        !matches!(self, Self::Random | Self::Heuristic)
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
}

impl AgentConfig {
    /// The defaults of a kind.
    pub fn new(kind: Kind) -> Self {
        let nodes = match kind {
            Kind::Random | Kind::Heuristic => None,
            Kind::Mcts => Some(400),
        };
        Self { kind, nodes, time: None, randomness: 0.0, seed: None, persona: Persona::default() }
    }

    /// Overrides one setting by its name, or by the name it has in the service that riftlab replaces.
    ///
    /// # Errors
    /// If the kind knows no such key, or the value is not of its form.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadSetting> {
        let known = || self.keys().map(|key| key.name).collect::<Vec<_>>();
        let key = KEYS.iter().find(|key| key.name == name || key.aliases.contains(&name));
        let Some(key) = key.filter(|key| key.kinds.contains(&self.kind)) else {
            return Err(BadSetting::Unknown { kind: self.kind, name: name.to_owned(), known: known() });
        };
        (key.set)(self, value).ok_or_else(|| BadSetting::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: key.expected,
        })
    }

    /// The settings that a kind has.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static Key> {
        let kind = self.kind;
        KEYS.iter().filter(move |key| key.kinds.contains(&kind))
    }

    /// What a decision may cost.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: if self.kind.searches() { self.nodes.unwrap_or(u64::MAX) } else { 0 },
            time: self.time,
        }
    }

    /// Every setting written out, defaults included: what identifies the agent.
    pub fn resolved(&self) -> String {
        self.written(|_, _| true)
    }

    fn written(&self, wanted: impl Fn(&Key, &str) -> bool) -> String {
        let settings: Vec<String> = self
            .keys()
            .filter_map(|key| (key.show)(self).map(|value| (key, value)))
            .filter(|(key, value)| wanted(key, value))
            .map(|(key, value)| format!("{}={value}", key.name))
            .collect();
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
        let default = Self::new(self.kind);
        let text = self.written(|key, value| key.always || (key.show)(&default).as_deref() != Some(value));
        f.write_str(&text)
    }
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
