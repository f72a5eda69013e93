//! The gate: a match between a new network and the best one so far.

use std::{ops::ControlFlow, path::Path};

use arena::{Hypothesis, Sprt, Tally};
use lab::{Draft, Form, Openings, Storage};
use ladder::Models;
use search::Stop;
use serde::{Deserialize, Serialize};

use super::PipelineOptions;
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

/// The Elo differences that the gate tells apart: with two players, scores of 50 % and 55 %.
const ELO: (f64, f64) = (0.0, 35.0);

impl PipelineOptions {
    /// Plays the match of `net` against `best`, or against the heuristic. Returns `None` if it was stopped.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step of the loop")]
    pub(crate) fn gate(
        &self,
        seats: u8,
        generation: u32,
        net: &Path,
        best: Option<&str>,
        file: &Path,
        models: &Models,
        stop: &Stop,
        progress: &mut dyn FnMut(u64, f64),
    ) -> Result<Option<GateResult>, TrainError> {
        let sprt = Sprt::new(ELO.0, ELO.1).map_err(|error| TrainError::Options(error.to_string()))?;
        let opponent = Self::agent(self.gate_nodes, best)?;
        let draft = Draft {
            form: Form::Match { sprt: Some(sprt) },
            agents: vec![Self::agent(self.gate_nodes, Some(&net.display().to_string()))?, opponent.clone()],
            config: self.config(seats)?,
            opening_plies: 2 * u32::from(seats),
            openings: Openings::Balanced,
            games: self.gate_games,
            seed: game::derive_seed(self.seed, generation.into(), 1_000 + u64::from(seats)),
        };
        let plan = draft.plan(self.threads, models)?;
        let mut storage = Storage::open(Some(file), None)?;
        let mut tally = Tally::new(seats.into(), Some(sprt));
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
            Some(Hypothesis::H0) if tally.score() < 1.0 / f64::from(seats) => Verdict::Rejected,
            _ => Verdict::Undecided,
        };
        Ok(Some(GateResult {
            players: seats,
            against: opponent.to_string(),
            games: tally.games(),
            score: tally.score(),
            interval: [interval.low, interval.high],
            verdict,
        }))
    }
}
