//! Agent specs: `random`, `heuristic(profile=aggressive)`, `mcts(sims=400)`, `d7`, `gtp("gnugo --mode gtp")`.

use std::{fmt, str::FromStr};

use crate::{AgentConfig, Kind, Level, SettingError, Tier, Venue};

/// An agent spec: a kind with settings, or a level, whose meaning depends on the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Spec {
    /// An agent of a kind.
    Agent(Box<AgentConfig>),
    /// The agent of a level, with some settings changed.
    Level {
        /// The level.
        level: Level,
        /// The changed settings, in order.
        overrides: Vec<(String, String)>,
    },
}

/// The error for an invalid spec.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The name is unknown.
    #[error("{0:?} is not an agent: expected {kinds}, or a level d1 to d10", kinds = Kind::ALL.map(Kind::name).join(", "))]
    Unknown(String),
    /// The parentheses do not match.
    #[error("{0:?} lacks a closing parenthesis")]
    Parenthesis(String),
    /// The command line of an external program is missing.
    #[error("gtp needs the command line of a program in quotes, as in gtp(\"gnugo --mode gtp\")")]
    NoProgram,
    /// A setting has no value.
    #[error("{0:?}: expected a setting and its value, as in sims=400")]
    NoValue(String),
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Spec {
    /// Parses a comma-separated list of specs. Commas in parentheses belong to a spec.
    ///
    /// # Errors
    /// The error of the first invalid spec.
    pub fn list(text: &str) -> Result<Vec<Self>, SpecError> {
        split(text).map(str::parse).collect()
    }

    /// Whether the spec names an external program. Specs from untrusted sources must not.
    pub fn names_program(&self) -> bool {
        matches!(self, Self::Agent(config) if config.kind == Kind::Gtp)
    }

    /// Resolves the spec for `venue`.
    ///
    /// # Errors
    /// If a setting is invalid for the level's agent in this venue.
    pub fn resolve(&self, venue: Venue) -> Result<AgentConfig, SettingError> {
        match self {
            Self::Agent(config) => Ok(AgentConfig::clone(config)),
            Self::Level { level, overrides } => {
                // Without its net a level has another budget.
                let declines = |(name, value): &(String, String)| {
                    name == "use_neural_net" && matches!(&**value, "no" | "false")
                };
                let tier = if overrides.iter().any(declines) { Tier::without_net } else { Tier::at };
                let mut config = tier(*level, venue).config();
                config.set(overrides)?;
                Ok(config)
            }
        }
    }
}

/// Splits a list at its commas, except between parentheses and quotes.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted, mut escaped) = (0_i32, false, false);
    let parts = text.split(move |character: char| {
        let literal = escaped;
        escaped = quoted && character == '\\' && !literal;
        match character {
            '"' if !literal => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0 && !quoted
    });
    parts.map(str::trim)
}

/// Quotes a text, escaping quotes and backslashes with a backslash.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// The inverse of [`quoted`], or `None` if the text is not quoted.
fn unquoted(text: &str) -> Option<String> {
    let mut characters = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next()? } else { character });
    }
    Some(plain)
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, settings) = match text.split_once('(') {
            Some((name, rest)) => {
                (name, rest.strip_suffix(')').ok_or_else(|| SpecError::Parenthesis(text.to_owned()))?)
            }
            None => (text, ""),
        };
        let pair = |setting: &str| {
            if let Some(command) = unquoted(setting) {
                return Ok(("command".to_owned(), command));
            }
            let (name, value) =
                setting.split_once('=').ok_or_else(|| SpecError::NoValue(setting.to_owned()))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        };
        let settings = split(settings).filter(|setting| !setting.is_empty());
        let pairs = settings.map(pair).collect::<Result<Vec<_>, SpecError>>()?;
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == name) {
            let mut config = AgentConfig::new(kind);
            config.set(&pairs)?;
            if kind == Kind::Gtp && config.command.is_empty() {
                return Err(SpecError::NoProgram);
            }
            return Ok(Self::Agent(Box::new(config)));
        }
        let level = Level::parse(name).ok_or_else(|| SpecError::Unknown(name.to_owned()))?;
        Ok(Self::Level { level, overrides: pairs })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(config) => config.fmt(f),
            Self::Level { level, overrides } if overrides.is_empty() => level.fmt(f),
            Self::Level { level, overrides } => {
                let pairs: Vec<String> =
                    overrides.iter().map(|(name, value)| format!("{name}={value}")).collect();
                write!(f, "{level}({})", pairs.join(","))
            }
        }
    }
}
