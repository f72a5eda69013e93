//! What can be asked.

use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use ladder::Spec;
use record::{Config, GameKind, Options};
use serde::Deserialize;
use serde_json::{Map, Value};

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Comes back with the answer.
    #[serde(default)]
    pub(super) id: Value,
    /// A position text; without one the start of a game.
    pub(super) position: Option<String>,
    /// What is played, if from the start.
    #[serde(skip)]
    options: Option<Options>,
    /// Moves from there to the position in question.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    agent: Option<String>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    /// Where the agent's random numbers come from.
    #[serde(default = "one")]
    pub(super) seed: u64,
    /// The most candidates to tell of.
    #[serde(default = "ten")]
    pub(super) top: usize,
    /// Whether to tell what is found on the way.
    #[serde(default)]
    pub(super) partial: bool,
}

fn one() -> u64 {
    1
}

fn ten() -> usize {
    10
}

impl Request {
    /// Reads a question, or says why not, with the identity that it gave itself.
    pub(super) fn parse(text: &str, longest: usize) -> Result<Self, (Value, anyhow::Error)> {
        if text.len() > longest {
            return Err((Value::Null, anyhow!("the question is longer than {longest} bytes")));
        }
        let value: Value =
            serde_json::from_str(text).map_err(|error| (Value::Null, anyhow!("not a question: {error}")))?;
        let id = value.get("id").cloned().unwrap_or_default();
        Self::read(value).context("not a question").map_err(|error| (id, error))
    }

    /// Takes the game and its options out of the question and reads the rest.
    fn read(mut value: Value) -> anyhow::Result<Self> {
        let mut options = Map::new();
        if let Value::Object(fields) = &mut value {
            let names = GameKind::ALL.into_iter().flat_map(GameKind::options).map(|option| option.name);
            for name in names.chain(["game"]) {
                options.extend(fields.remove(name).map(|value| (name.to_owned(), value)));
            }
        }
        let mut request: Self = serde_json::from_value(value)?;
        ensure!(
            request.position.is_none() || options.is_empty(),
            "position says which game is played and by which options: leave {} out",
            options.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
        );
        options.entry("game").or_insert_with(|| GameKind::RingRift.name().into());
        request.options = Some(serde_json::from_value(Value::Object(options))?);
        request.checked()
    }

    fn checked(self) -> anyhow::Result<Self> {
        ensure!(self.nodes != Some(0), "nodes is 0: expected a budget from 1 up");
        let seconds = self.seconds.is_none_or(|seconds| (0.001..=1e6).contains(&seconds));
        ensure!(seconds, "seconds is {}: expected a time from 0.001 up", self.seconds.unwrap_or_default());
        Ok(self)
    }

    /// What is played, if from the start.
    pub(super) fn start(&self) -> anyhow::Result<Config> {
        let options = self.options.as_ref().expect("every question that was read has options");
        Ok(options.config()?)
    }

    /// Who is to look.
    pub(super) fn agent(&self, default: &Spec) -> anyhow::Result<Spec> {
        let agent = self.agent.as_deref().map_or_else(|| Ok(default.clone()), str::parse);
        agent.context("agent")
    }

    /// The limits of an agent, as far as the question does not set others.
    pub(super) fn limits(&self, own: search::Limits) -> search::Limits {
        search::Limits {
            nodes: self.nodes.unwrap_or(own.nodes),
            time: self.seconds.map(Duration::from_secs_f64).or(own.time),
        }
    }
}
