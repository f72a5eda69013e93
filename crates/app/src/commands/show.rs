//! `riftlab show`: draws a position.

use game::Seat;
use host::{HostedGame, Marks};
use serde_json::{Value, json};

use crate::{Verdict, colours, position_text, printer::Printer};

/// Draw a position given as text, with its standings and legal moves.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, in the notation that `position` prints in `riftlab play`; quotes are optional.
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,

    /// List the legal moves.
    #[arg(long)]
    moves: bool,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let game = position_text::open(&args.position.join(" "))?;
    let all: Vec<usize> = (0..game.legal_moves().len()).collect();
    if args.json {
        let mut object = summary(game.as_ref());
        if args.moves {
            object["moves"] = game.legal_moves().iter().map(|m| m.text.clone()).collect();
        }
        printer.line(object)?;
        return Ok(Verdict::Yes);
    }
    let painter = colours::painter(printer);
    printer.line(game.heading())?;
    printer.line("")?;
    printer.line(game.drawing(&Marks::default(), painter))?;
    printer.line(game.standing(&[], painter))?;
    match game.to_move() {
        Some(seat) => {
            let name = format!("{}.", host::capitalised(&game.seat_name(seat)));
            let turn = colours::in_colour(seat, &name, printer);
            printer.paragraph(&format!("{turn} {}", game.prompt(true)))?;
        }
        None => printer.line(game.ending().map(|ending| ending.words).unwrap_or_default())?,
    }
    if args.moves {
        printer.line("")?;
        for line in game.move_lines(&all) {
            printer.line(format!("  {line}"))?;
        }
    }
    Ok(Verdict::Yes)
}

/// A position as JSON: its `text` and the facts that the game provides. `to_move` and `winner` are seats from 1; `winner` and
/// `reason` are present once the game is over.
pub(crate) fn summary(game: &dyn HostedGame) -> Value {
    let mut object = json!({
        "type": "position", "version": 1, "board": lab::board(&game.config()),
        "players": game.seats(), "text": game.text(),
    });
    if let (Some(object), Value::Object(facts)) = (object.as_object_mut(), game.facts()) {
        object.extend(facts);
    }
    let result = game.result();
    object["over"] = result.is_some().into();
    match result {
        Some(result) => {
            object["winner"] = result.winner.into();
            object["reason"] = result.reason.into();
        }
        None => object["to_move"] = game.to_move().map(Seat::number).into(),
    }
    object
}
