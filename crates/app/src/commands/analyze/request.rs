//! Parses the requests of `riftlab analyze`.

use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use ladder::Spec;
use record::{Config, GameKind, Options};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request to analyse a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Returned in the response.
    #[serde(default)]
    pub(super) id: Value,
    /// A position text; the start of a game if absent.
    pub(super) position: Option<String>,
    /// The game and its options, unless there is a position.
    #[serde(skip)]
    options: Option<Options>,
    /// Moves to play before the analysis.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    agent: Option<String>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    /// The seed of the agent.
    #[serde(default = "one")]
    pub(super) seed: u64,
    /// The maximum number of candidates to report.
    #[serde(default = "ten")]
    pub(super) top: usize,
    /// Whether to report partial results.
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
    /// Parses a request. An error comes with the `id` of the request, if it could be read.
    pub(super) fn parse(text: &str, longest: usize) -> Result<Self, (Value, anyhow::Error)> {
        if text.len() > longest {
            return Err((Value::Null, anyhow!("the request is longer than {longest} bytes")));
        }
        let value: Value =
            serde_json::from_str(text).map_err(|error| (Value::Null, anyhow!("invalid request: {error}")))?;
        let id = value.get("id").cloned().unwrap_or_default();
        Self::read(value).context("invalid request").map_err(|error| (id, error))
    }

    /// Extracts the game and its options, and deserializes the rest.
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
            "the position already determines the game and its options: remove {}",
            options.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
        );
        options.entry("game").or_insert_with(|| GameKind::RingRift.name().into());
        request.options = Some(serde_json::from_value(Value::Object(options))?);
        request.checked()
    }

    fn checked(self) -> anyhow::Result<Self> {
        ensure!(self.nodes != Some(0), "nodes is 0: expected a budget of at least 1");
        let seconds = self.seconds.is_none_or(|seconds| (0.001..=1e6).contains(&seconds));
        ensure!(
            seconds,
            "seconds is {}: expected a time of at least 0.001",
            self.seconds.unwrap_or_default()
        );
        Ok(self)
    }

    /// The game and its options, if there is no position.
    pub(super) fn start(&self) -> anyhow::Result<Config> {
        let options = self.options.as_ref().expect("every parsed request without a position has options");
        Ok(options.config()?)
    }

    /// The agent to use.
    pub(super) fn agent(&self, default: &Spec) -> anyhow::Result<Spec> {
        let agent = self.agent.as_deref().map_or_else(|| Ok(default.clone()), str::parse);
        agent.context("agent")
    }

    /// The limits of the request, or the agent's `own` where the request sets none.
    pub(super) fn limits(&self, own: search::Limits) -> search::Limits {
        search::Limits {
            nodes: self.nodes.unwrap_or(own.nodes),
            time: self.seconds.map(Duration::from_secs_f64).or(own.time),
        }
    }
}
