//! `riftlab show`: draws a position.

use game::{Game, Notation, Seat, Setup};
use ringrift::{Geometry, Position, on_board};
use serde_json::{Value, json};

use crate::{
    Verdict, move_list, position_text,
    printer::Printer,
    sketch::{self, Marks},
    words,
};

/// Draw a position given as text, with how it stands and what can be played.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, as `riftlab play` prints it for `position`; quotes are not needed.
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,

    /// List the legal moves.
    #[arg(long)]
    moves: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let text = args.position.join(" ");
    on_board!(position_text::board(&text)?, B => show(args, &position_text::parse::<B>(&text)?, printer))
}

fn show<B: Geometry>(args: &Args, position: &Position<B>, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if args.json {
        let mut object = summary(position);
        if args.moves {
            object["moves"] = moves.iter().map(|&m| position.move_text(m)).collect();
        }
        printer.line(object)?;
        return Ok(Verdict::Yes);
    }
    printer.line(words::heading(position))?;
    printer.line("")?;
    printer.line(sketch::board(position, &Marks::default(), printer))?;
    printer.line(sketch::standing(position, &[], printer))?;
    if let Some(end) = position.end() {
        printer.line(words::ending(end))?;
    } else {
        let turn = sketch::in_colour(position.to_move(), &format!("Seat {}.", position.to_move()), printer);
        printer.paragraph(&format!("{turn} {}", words::choice(position, &moves)))?;
    }
    if args.moves {
        printer.line("")?;
        for line in move_list::lines(position, &moves) {
            printer.line(format!("  {line}"))?;
        }
    }
    Ok(Verdict::Yes)
}

/// A position as an object: `type`, `version`, then `text` to set it up again, and the facts worth asking for.
/// `to_move` and `winner` are seats from 1; `winner` and `reason` are there once the game is over.
pub(crate) fn summary<B: Geometry>(position: &Position<B>) -> Value {
    let per_seat =
        |count: &dyn Fn(Seat) -> u32| -> Vec<u32> { Seat::all(position.seats()).map(count).collect() };
    let mut object = json!({
        "type": "position", "version": 1, "board": B::BOARD.name(), "players": position.seats(),
        "text": position.to_text(), "phase": position.phase().name(), "turns": position.turns(),
        "hands": per_seat(&|seat| position.hand(seat)),
        "credits": per_seat(&|seat| position.credits(seat)),
        "territory": per_seat(&|seat| position.territory(seat)),
        "over": position.is_over(),
    });
    match position.end() {
        Some(end) => {
            object["winner"] = end.winner.map(Seat::number).into();
            object["reason"] = end.reason.name().into();
        }
        None => object["to_move"] = position.to_move().number().into(),
    }
    object
}
