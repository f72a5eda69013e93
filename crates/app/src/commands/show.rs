//! `riftlab show`: draws a position.

use record::{GameResult, on_game};
use serde_json::{Value, json};

use crate::{
    Verdict,
    hosted::{self, Hosted, Marks},
    position_text,
    printer::Printer,
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
    on_game!(position_text::config(&text)?, P => show(args, &position_text::parse::<P>(&text)?, printer))
}

fn show<P: Hosted>(args: &Args, position: &P, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if args.json {
        let mut object = summary(position, None);
        if args.moves {
            object["moves"] = moves.iter().map(|&m| position.move_text(m)).collect();
        }
        printer.line(object)?;
        return Ok(Verdict::Yes);
    }
    printer.line(position.heading(position.is_over()))?;
    printer.line("")?;
    printer.line(position.drawing(&Marks::default(), printer))?;
    printer.line(position.standing(position.is_over(), &[], printer))?;
    if let Some(result) = position.result(0) {
        printer.line(position.ending(&result))?;
    } else {
        let seat = position.to_move();
        let name = format!("{}.", hosted::capitalised(&P::seat_name(seat)));
        let turn = hosted::in_colour(seat, &name, printer);
        printer.paragraph(&format!("{turn} {}", position.choice(&moves)))?;
    }
    if args.moves {
        printer.line("")?;
        for line in position.move_lines(&moves) {
            printer.line(format!("  {line}"))?;
        }
    }
    Ok(Verdict::Yes)
}

/// A position as an object: `type`, `version`, then `text` to set it up again, and the facts worth asking for.
/// `to_move` and `winner` are seats from 1; `winner` and `reason` are there once the game is over, by its rules or as
/// `declared`.
pub(crate) fn summary<P: Hosted>(position: &P, declared: Option<&GameResult>) -> Value {
    let mut object = json!({
        "type": "position", "version": 1, "board": lab::board(&P::written(&position.config())),
        "players": position.seats(), "text": position.to_text(),
    });
    if let (Some(object), Value::Object(facts)) = (object.as_object_mut(), position.facts()) {
        object.extend(facts);
    }
    let result = declared.cloned().or_else(|| position.result(0));
    object["over"] = result.is_some().into();
    match result {
        Some(result) => {
            object["winner"] = result.winner.into();
            object["reason"] = result.reason.into();
        }
        None => object["to_move"] = position.to_move().number().into(),
    }
    object
}
