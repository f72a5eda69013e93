//! What can be asked.

use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use ladder::Spec;
use record::Config;
use serde::Deserialize;
use serde_json::Value;

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Comes back with the answer.
    #[serde(default)]
    pub(super) id: Value,
    /// A position text; without one the start of a game.
    pub(super) position: Option<String>,
    game: Option<String>,
    board: Option<String>,
    players: Option<u8>,
    size: Option<u8>,
    komi: Option<f64>,
    handicap: Option<u8>,
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
        let request = serde_json::from_value::<Self>(value).context("not a question");
        request.and_then(Self::checked).map_err(|error| (id, error))
    }

    fn checked(self) -> anyhow::Result<Self> {
        let ringrift = self.board.is_some() || self.players.is_some();
        let go = self.size.is_some() || self.komi.is_some() || self.handicap.is_some();
        ensure!(
            self.position.is_none() || !(ringrift || go || self.game.is_some()),
            "position says which game, which board and how many players: leave game, board, players, size, komi \
             and handicap out"
        );
        match self.game.as_deref() {
            None | Some("ringrift") => {
                ensure!(!go, "size, komi and handicap are of Go: add \"game\":\"go\"");
            }
            Some("go") => ensure!(!ringrift, "board and players are of RingRift: Go has a size"),
            Some(other) => bail!("game is {other:?}: expected ringrift or go"),
        }
        ensure!(self.nodes != Some(0), "nodes is 0: expected a budget from 1 up");
        let seconds = self.seconds.is_none_or(|seconds| (0.001..=1e6).contains(&seconds));
        ensure!(seconds, "seconds is {}: expected a time from 0.001 up", self.seconds.unwrap_or_default());
        Ok(self)
    }

    /// What is played, if from the start.
    pub(super) fn start(&self) -> anyhow::Result<Config> {
        if self.game.as_deref() == Some("go") {
            return self.start_of_go();
        }
        let board = self.board.as_deref().unwrap_or("square8").parse()?;
        let players = self.players.unwrap_or(2);
        ensure!((2..=4).contains(&players), "players is {players}: expected 2, 3 or 4");
        Ok(Config::ringrift(board, ringrift::Rules::new(players)))
    }

    fn start_of_go(&self) -> anyhow::Result<Config> {
        let mut rules = go::Rules::new(self.size.unwrap_or(9));
        rules.handicap = self.handicap.unwrap_or(0);
        if let Some(komi) = self.komi {
            rules.komi = komi.to_string().parse().context("komi")?;
        }
        let faults = rules.faults();
        ensure!(faults.is_empty(), "{}", faults.join("; "));
        Ok(Config::go(rules))
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
