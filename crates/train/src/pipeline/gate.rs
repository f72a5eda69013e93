//! Matches of a new network: the gate against the best one so far, and the panel.

use std::{ops::ControlFlow, path::Path};

use arena::{Hypothesis, Sprt, Tally};
use lab::{Draft, Form, Openings, Storage};
use ladder::{Models, Spec};
use search::Stop;
use serde::{Deserialize, Serialize};

use super::Table;
use crate::TrainError;

/// What the gate says about a new network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is better.
    Accepted,
    /// It is worse.
    Rejected,
    /// The games did not decide; the newer network counts as the better one.
    Undecided,
}

/// The result of a gate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateResult {
    /// The number of players.
    pub players: u8,
    /// The name of the games, as in `2p`; empty in old reports.
    #[serde(default)]
    pub table: String,
    /// The opponent.
    pub against: String,
    /// The number of games.
    pub games: u64,
    /// The score of the new network, from 0 to 1.
    pub score: f64,
    /// The 95 % interval of the score.
    pub interval: [f64; 2],
    /// The verdict.
    pub verdict: Verdict,
}

impl GateResult {
    /// The name of the games.
    pub fn name(&self) -> String {
        if self.table.is_empty() { format!("{}p", self.players) } else { self.table.clone() }
    }
}

/// The Elo differences that the gate tells apart: with two players, scores of 50 % and 55 %.
const ELO: (f64, f64) = (0.0, 35.0);

/// A match between the agent of a new network and another one.
pub(super) struct Match<'a> {
    pub(super) file: &'a Path,
    pub(super) table: &'a Table,
    pub(super) agent: &'a Spec,
    pub(super) opponent: &'a Spec,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) threads: usize,
    /// Whether it may end as soon as it is decided.
    pub(super) is_gate: bool,
}

impl Match<'_> {
    /// Plays the match, or what is missing of it. Returns `None` if it was stopped.
    pub(super) fn play(
        &self,
        models: &Models,
        stop: &Stop,
        progress: &mut dyn FnMut(u64, f64),
    ) -> Result<Option<GateResult>, TrainError> {
        let sprt = Sprt::new(ELO.0, ELO.1).map_err(|error| TrainError::Options(error.to_string()))?;
        let sprt = Some(sprt).filter(|_| self.is_gate);
        let seats = self.table.config.seats();
        let draft = Draft {
            form: Form::Match { sprt },
            agents: vec![self.agent.clone(), self.opponent.clone()],
            config: self.table.config.clone(),
            opening_plies: 2 * seats as u32,
            openings: Openings::Balanced,
            games: self.games,
            seed: self.seed,
        };
        let plan = draft.plan(self.threads, models)?;
        let mut storage = Storage::open(Some(self.file), None)?;
        let mut tally = Tally::new(seats, sprt);
        let finished = lab::play(&plan, &mut storage, stop, &mut |game| {
            tally.push(game);
            progress(tally.games(), tally.score());
            if tally.decision().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if !finished.complete {
            return Ok(None);
        }
        let interval = tally.score_interval();
        let verdict = match tally.decision() {
            Some(Hypothesis::H1) => Verdict::Accepted,
            // The test rejects an improvement of 35 Elo; only a score below one half says that the network is worse.
            Some(Hypothesis::H0) if tally.score() < 1.0 / seats as f64 => Verdict::Rejected,
            _ => Verdict::Undecided,
        };
        Ok(Some(GateResult {
            players: seats as u8,
            table: self.table.name.clone(),
            against: self.opponent.to_string(),
            games: tally.games(),
            score: tally.score(),
            interval: [interval.low, interval.high],
            verdict,
        }))
    }
}
