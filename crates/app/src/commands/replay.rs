//! `riftlab replay`: shows, steps through and verifies recorded games.

use std::{io, path::PathBuf};

use anyhow::bail;
use clap::value_parser;
use game::Seat;
use go::sgf::SgfError;
use host::{HostedGame, Marks, Ply};
use interchange::{ImportError, ImportFileError, ImportReader};
use record::{GameRecord, ReadError};
use serde_json::json;

use super::show::summary;
use crate::{
    Verdict, colours,
    failure::ErrorWithHint,
    printer::{Printer, Style},
    words,
};

/// Show a recorded game, step through it, or verify all games of a file.
///
/// Reads game records, conformance traces, training games, and games of Go (SGF).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games as JSON Lines, plain or compressed (.gz, .zst), or an SGF file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Number of the game in the file, from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    game: u64,

    /// Show the position after this many moves instead of the last one.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,

    /// Step through the game: Enter goes forward, `b` back, a number to that move, and `q` quits.
    #[arg(long, conflicts_with = "json")]
    step: bool,

    /// Replay all games of the file and report those that violate the rules; the exit code is 1 if there are any.
    #[arg(long, conflicts_with_all = ["game", "ply", "step"])]
    verify: bool,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.verify {
        return verify(args, printer);
    }
    let record = pick_game(args)?;
    show(args, &record, printer)
}

fn pick_game(args: &Args) -> anyhow::Result<GameRecord> {
    let mut count = 0;
    for game in ImportReader::open(&args.file)? {
        // An invalid game does not affect the games before and after it.
        count += 1;
        if count == args.game {
            return Ok(game?.record);
        }
        if let Err(ImportFileError::Read(error @ (ReadError::Io { .. } | ReadError::Torn { .. }))) = game {
            return Err(error.into());
        }
    }
    let games = host::count_of(count as u32, "game");
    let message = format!("{} has no game {}", args.file.display(), args.game);
    Err(ErrorWithHint::error(message, format!("it contains {games}")))
}

/// Whether the error is a violation of the rules, and not a line that cannot be parsed.
fn breaks_rules(error: &ImportFileError) -> bool {
    match error {
        ImportFileError::Sgf { source, .. } => {
            matches!(source.source, SgfError::Move { .. } | SgfError::Start { .. })
        }
        ImportFileError::Line { source, .. } => {
            matches!(**source, ImportError::Illegal { .. } | ImportError::Result { .. })
        }
        ImportFileError::Read(_) => false,
    }
}

fn verify(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let (mut games, mut plies, mut bad) = (0, 0, 0);
    let mut reader = ImportReader::open(&args.file)?;
    while let Some(game) = reader.next() {
        let fault = match game {
            Ok(imported) => {
                plies += imported.record.moves.len();
                let place = format!("{}:{}", args.file.display(), reader.line_number());
                imported.record.replay().err().map(|error| format!("{place}: {error}"))
            }
            Err(error) if breaks_rules(&error) => Some(error.to_string()),
            Err(error) => return Err(error.into()),
        };
        games += 1;
        if let Some(fault) = fault {
            bad += 1;
            if !args.json {
                printer.line(fault)?;
            }
        }
    }
    if args.json {
        printer.line(json!({
            "type": "verify", "version": 1, "games": games, "plies": plies, "faulty": bad,
        }))?;
    } else {
        printer.line(format!("{games} games, {plies} plies, {bad} faulty"))?;
    }
    Ok(if bad == 0 { Verdict::Yes } else { Verdict::No })
}

fn show(args: &Args, record: &GameRecord, printer: &Printer) -> anyhow::Result<Verdict> {
    let viewer = Viewer { game: host::open_record(record)?, record };
    let ply = args.ply.unwrap_or(if args.step { 0 } else { viewer.plies().len() });
    let Some(game) = viewer.game.at(ply) else {
        bail!("--ply {ply}: the game has {}", host::count_of(viewer.plies().len() as u32, "move"));
    };
    if args.json {
        let mut object = summary(game.as_ref());
        object["game"] = json!({
            "id": record.id, "players": record.players, "moves": record.moves, "ply": ply,
        });
        printer.line(object)?;
        return Ok(Verdict::Yes);
    }
    printer.line(format!("{}: {}", record.id, record.players.join(" – ")))?;
    if let Some(seed) = record.seed {
        printer.line(format!("seed {seed}"))?;
    }
    if args.step {
        viewer.step(ply, printer)?;
    } else {
        if args.ply.is_none() {
            viewer.print_moves(printer)?;
        }
        viewer.show(ply, printer)?;
    }
    Ok(Verdict::Yes)
}

/// Prints the positions and moves of a recorded game.
struct Viewer<'a> {
    game: Box<dyn HostedGame>,
    record: &'a GameRecord,
}

impl Viewer<'_> {
    fn plies(&self) -> &[Ply] {
        self.game.plies()
    }

    /// The position after `ply` moves.
    fn at(&self, ply: usize) -> Box<dyn HostedGame> {
        self.game.at(ply).expect("the ply was checked")
    }

    /// Prints the moves, one turn per line.
    fn print_moves(&self, printer: &Printer) -> anyhow::Result<()> {
        printer.line("")?;
        let mut line = String::new();
        let mut turn = None;
        let mut game = self.at(0);
        for (at, ply) in self.plies().iter().enumerate() {
            if turn != Some(game.turns_taken()) {
                if !line.is_empty() {
                    printer.line(&line)?;
                }
                turn = Some(game.turns_taken());
                let seat = Seat::new(ply.seat - 1);
                let name = colours::in_colour(seat, &game.seat_name(seat), printer);
                let number = printer.paint(Style::Dim, &format!("{at:5}"));
                line = format!("{number}  {name} ");
            }
            // Moves that no player chose would only obscure the others.
            if !ply.auto {
                line.push(' ');
                line.push_str(&ply.text);
            }
            game.play(&ply.text)?;
        }
        if !line.is_empty() {
            printer.line(&line)?;
        }
        Ok(())
    }

    /// Prints the position after `ply` moves, with the changes of the last move that was a decision.
    fn show(&self, ply: usize, printer: &Printer) -> io::Result<()> {
        let (game, painter) = (self.at(ply), colours::painter(printer));
        let mut marks = Marks::default();
        printer.line("")?;
        printer.line(format!("move {ply} of {}: {}", self.plies().len(), game.heading()))?;
        // Forced moves are skipped: the last decision is the move of interest.
        let last_decision = self.plies()[..ply].iter().rposition(|ply| !ply.auto);
        if let Some(decision) = last_decision {
            let played = &self.plies()[decision];
            marks.changed = self.at(decision + 1).changed_since(decision);
            let seat = game.seat_name(Seat::new(played.seat - 1));
            printer.line(format!("{seat} played {}", spelled(played)))?;
        }
        printer.line("")?;
        printer.line(game.drawing(&marks, painter))?;
        printer.line(game.standing(&[], painter))?;
        let at_the_end = self.record.result.as_ref().filter(|_| ply == self.plies().len());
        if let Some(result) = at_the_end {
            printer.line(game.result_view(result).words)?;
            return printer.line(words::ranking(&result.ranking));
        }
        let Some(next) = self.plies().get(ply) else {
            return printer.line("The record ends here, but the game is not over.");
        };
        let value = next.values.as_ref().and_then(|values| values.get(next.seat - 1));
        let thought = value.map(|value| format!(", expecting {}", words::chance(*value))).unwrap_or_default();
        let seat = game.seat_name(Seat::new(next.seat - 1));
        printer.line(format!("next, {seat} plays {}{thought}", spelled(next)))
    }

    fn step(&self, mut ply: usize, printer: &Printer) -> io::Result<()> {
        let last = self.plies().len();
        loop {
            self.show(ply, printer)?;
            printer.prompt("Enter, b, a number or q> ")?;
            let Some(input) = printer.read_line()? else { return printer.line("") };
            ply = match input.trim() {
                "" if ply == last => return Ok(()),
                "" => ply + 1,
                "b" => ply.saturating_sub(1),
                "q" => return Ok(()),
                number => match number.parse() {
                    Ok(wanted) if wanted <= last => wanted,
                    _ => {
                        printer.line(format!("expected a number from 0 to {last}"))?;
                        ply
                    }
                },
            };
        }
    }
}

/// A move in notation and in words.
fn spelled(ply: &Ply) -> String {
    host::spelled(&ply.text, &ply.words)
}
