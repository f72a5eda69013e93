//! What is answered.

use std::io;

use anyhow::Context;
use host::{HostedGame, view::ReportView};
use ladder::{Player, Spec, WithoutNet};
use search::Stop;
use serde_json::{Value, json};

use super::request::Request;

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

/// Answers `request`, in as many objects as it takes, the last one being the answer itself. Raises `stop` once nobody
/// listens any more.
pub(super) fn answer(
    request: &Request,
    default: &Spec,
    stop: &Stop,
    tell: &mut dyn FnMut(Value) -> io::Result<()>,
) -> Result<(), Failure> {
    let game = open(request)?;
    let head = json!({ "type": "analysis", "version": 1, "id": request.id, "position": game.text() });
    let Some(to_move) = game.to_move() else {
        let ranks = game.result().map(|result| result.ranking);
        let over = json!({ "partial": false, "over": true, "ranks": ranks });
        return tell(joined(head, over)).map_err(Failure::Output);
    };
    let spec = request.agent(default)?;
    let player = Player::new(&spec, game.venue(), WithoutNet::FallBack)?;
    player.probe(game.venue())?;
    let limits = request.limits(player.limits());
    let about = json!({ "over": false, "to_move": to_move.to_string(), "agent": spec.to_string() });
    let head = joined(head, about);
    let mut broken = None;
    // A search cannot fail, so a reader who left is noticed here and told of below.
    let mut aloud = |report: ReportView| {
        if request.partial && broken.is_none() {
            let told = tell(joined(head.clone(), json!(report)));
            broken = told.inspect_err(|_| stop.raise()).err();
        }
    };
    let report = game.analyse(&player, &limits, request.seed, request.top, stop, &mut aloud);
    if let Some(error) = broken {
        return Err(Failure::Output(error));
    }
    tell(joined(head, json!(report))).map_err(Failure::Output)
}

/// The position in question.
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

/// One object with the fields of both.
fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}
