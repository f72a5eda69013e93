//! Analyses a position and writes the responses.

use std::io;

use anyhow::Context;
use host::{HostedGame, view::ReportView};
use ladder::{Player, Spec, WithoutNet};
use search::Stop;
use serde_json::{Value, json};

use super::request::Request;
use crate::data_folder::models;

/// Why a request has no response.
pub(super) enum Failure {
    /// The request is invalid.
    Rejected(anyhow::Error),
    /// The response cannot be written.
    Output(io::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Rejected(error.into())
    }
}

/// Passes the responses to `request` to `write`: partial ones if requested, then the final one. Raises `stop` if writing
/// fails.
pub(super) fn respond(
    request: &Request,
    default: &Spec,
    stop: &Stop,
    write: &mut dyn FnMut(Value) -> io::Result<()>,
) -> Result<(), Failure> {
    let game = open(request)?;
    let head = json!({ "type": "analysis", "version": 1, "id": request.id, "position": game.text() });
    let Some(to_move) = game.to_move() else {
        let ranks = game.result().map(|result| result.ranking);
        let over = json!({ "partial": false, "over": true, "ranks": ranks });
        return write(merge(head, over)).map_err(Failure::Output);
    };
    let spec = request.agent(default)?;
    let player = Player::with_models(&spec, game.venue(), WithoutNet::FallBack, models())?;
    player.probe(game.venue())?;
    let limits = request.limits(player.limits());
    let about = json!({ "over": false, "to_move": to_move.to_string(), "agent": spec.to_string() });
    let head = merge(head, about);
    let mut broken = None;
    // A search cannot fail, so a failure to write is stored here and returned below.
    let mut on_progress = |report: ReportView| {
        if request.partial && broken.is_none() {
            let written = write(merge(head.clone(), json!(report)));
            broken = written.inspect_err(|_| stop.raise()).err();
        }
    };
    let report = game.analyse(&player, &limits, request.seed, request.top, stop, &mut on_progress);
    if let Some(error) = broken {
        return Err(Failure::Output(error));
    }
    write(merge(head, json!(report))).map_err(Failure::Output)
}

/// Opens the game at the position of the request.
fn open(request: &Request) -> anyhow::Result<Box<dyn HostedGame>> {
    let mut game = match request.position.as_deref() {
        Some(text) => host::open_position(text)?,
        None => host::open(&request.start()?)?,
    };
    for (index, text) in request.moves.iter().enumerate() {
        game.play(text).with_context(|| format!("move {}", index + 1))?;
    }
    Ok(game)
}

/// Merges the fields of two objects.
fn merge(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}
