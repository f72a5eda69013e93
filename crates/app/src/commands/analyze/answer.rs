//! What is answered.

use std::io;

use anyhow::{Context, anyhow};
use game::{Game, Notation, Seat, Values};
use ladder::{Playable, Player, Spec, WithoutNet};
use record::{Recorded, on_game};
use search::{Candidate, Report, Stop};
use serde_json::{Value, json};

use super::request::Request;
use crate::position_text;

/// Why a question has no answer.
pub(super) enum Failure {
    /// It cannot be answered.
    Refused(anyhow::Error),
    /// Nobody listens any more.
    Output(io::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// Answers `request`, in as many objects as it takes, the last one being the answer itself.
pub(super) fn answer(
    request: &Request,
    default: &Spec,
    tell: &mut dyn FnMut(Value) -> io::Result<()>,
) -> Result<(), Failure> {
    if let Some(text) = &request.position {
        return on_game!(position_text::config(text).map_err(spelled)?, P => {
            look(request, default, position_text::parse::<P>(text).map_err(spelled)?, tell)
        });
    }
    let config = request.start()?;
    on_game!(config, P => look(request, default, P::new(&P::options(&config)?), tell))
}

/// Faults of a text in words, since there are no carets in JSON.
fn spelled(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<crate::failure::BadText>() {
        Some(bad) => anyhow!("{error}: {}", bad.faults()),
        None => error,
    }
}

fn look<G: Playable + Recorded>(
    request: &Request,
    default: &Spec,
    mut position: G,
    tell: &mut dyn FnMut(Value) -> io::Result<()>,
) -> Result<(), Failure> {
    for (index, text) in request.moves.iter().enumerate() {
        let place = || format!("move {} ({text:?})", index + 1);
        let m = position.parse_move(text).with_context(place)?;
        position.play(m).with_context(place)?;
    }
    let head = json!({ "type": "analysis", "version": 1, "id": request.id, "position": position.to_text() });
    if let Some(outcome) = position.outcome() {
        let over = json!({ "partial": false, "over": true, "ranks": outcome.ranks() });
        return tell(joined(head, over)).map_err(Failure::Output);
    }
    let spec = request.agent(default)?;
    let player = Player::new(&spec, position.venue(), WithoutNet::FallBack)?;
    let limits = request.limits(player.limits());
    let head = joined(
        head,
        json!({ "over": false, "to_move": position.to_move().to_string(),
        "agent": spec.to_string(), "plays": player.config.to_string() }),
    );
    let mut broken = None;
    // A search cannot fail, so a reader who left is noticed here and told of below.
    let stop = Stop::default();
    let mut aloud = |report: &Report<G::Move>| {
        if request.partial && broken.is_none() {
            let told = tell(joined(head.clone(), found(&position, report, request.top, true)));
            broken = told.inspect_err(|_| stop.raise()).err();
        }
    };
    let report = player.agent(request.seed).think_aloud(&position, &limits, &stop, &mut aloud);
    if let Some(error) = broken {
        return Err(Failure::Output(error));
    }
    tell(joined(head, found(&position, &report, request.top, false))).map_err(Failure::Output)
}

/// One object with the fields of both.
fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

fn found<G: Game + Notation>(position: &G, report: &Report<G::Move>, top: usize, partial: bool) -> Value {
    let values = |values: Option<Values>| -> Option<Vec<f64>> {
        values.map(|values| Seat::all(position.seats()).map(|seat| short(values.of(seat))).collect())
    };
    let candidate = |candidate: &Candidate<G::Move>| {
        json!({
            "move": position.move_text(candidate.m), "visits": candidate.visits,
            "share": short(candidate.share), "prior": candidate.prior.map(short),
            "policy": candidate.policy.map(short), "values": values(candidate.values),
            "solved": candidate.solved,
        })
    };
    let details: serde_json::Map<String, Value> =
        report.details.iter().map(|&(name, value)| (name.to_owned(), json!(value))).collect();
    json!({
        "partial": partial, "engine": report.engine, "best": position.move_text(report.best), "values": values(report.values),
        "line": line(position, &report.line), "nodes": report.nodes, "ms": 1000.0 * report.time.as_secs_f64(),
        "legal": report.candidates.len(), "details": details,
        "candidates": report.candidates.iter().take(top).map(candidate).collect::<Vec<_>>(),
    })
}

/// As many digits as mean something.
fn short(number: f32) -> f64 {
    (f64::from(number) * 1e5).round() / 1e5
}

/// The expected moves in words.
fn line<G: Game + Notation>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&m: &G::Move| {
        let text = position.move_text(m);
        position.play_unchecked(m, &mut ());
        text
    };
    moves.iter().map(text).collect()
}
