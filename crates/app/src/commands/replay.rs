//! `riftlab replay`: looks at recorded games, or verifies them.

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
    failure::Hinted,
    printer::{Printer, Style},
    words,
};

/// Look at a recorded game, step through it, or verify all games of a file.
///
/// Reads our records, conformance traces, training games, and games of Go (SGF).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games as JSON Lines, plain or packed (.gz, .zst), or an .sgf file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which game of the file, from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    game: u64,

    /// Show the position after this many moves instead of the last one.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,

    /// Step through the game: Enter goes on, `b` goes back, a number goes to that move, `q` ends.
    #[arg(long, conflicts_with = "json")]
    step: bool,

    /// Replay every game of the file and tell which do not follow the rules; the exit code is 1 if any.
    #[arg(long, conflicts_with_all = ["game", "ply", "step"])]
    verify: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.verify {
        return verify(args, printer);
    }
    let record = pick_game(args)?;
    look(args, &record, printer)
}

fn pick_game(args: &Args) -> anyhow::Result<GameRecord> {
    let mut count = 0;
    for game in ImportReader::open(&args.file)? {
        // A bad game does not keep anybody from looking at the ones before and after it.
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
    Err(Hinted::error(message, format!("it holds {games}")))
}

/// Whether a line that could not be read is a game all the same, only not one by our rules.
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

fn look(args: &Args, record: &GameRecord, printer: &Printer) -> anyhow::Result<Verdict> {
    let film = Film { game: host::open_record(record)?, record };
    let ply = args.ply.unwrap_or(if args.step { 0 } else { film.plies().len() });
    let Some(game) = film.game.at(ply) else {
        bail!("the game has {}, not {ply}", host::count_of(film.plies().len() as u32, "move"));
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
        film.step(ply, printer)?;
    } else {
        if args.ply.is_none() {
            film.score(printer)?;
        }
        film.show(ply, printer)?;
    }
    Ok(Verdict::Yes)
}

/// A recorded game, to look at from its start to its end.
struct Film<'a> {
    game: Box<dyn HostedGame>,
    record: &'a GameRecord,
}

impl Film<'_> {
    fn plies(&self) -> &[Ply] {
        self.game.plies()
    }

    /// The position after `ply` moves.
    fn at(&self, ply: usize) -> Box<dyn HostedGame> {
        self.game.at(ply).expect("the ply was checked")
    }

    /// The moves, a line per turn.
    fn score(&self, printer: &Printer) -> anyhow::Result<()> {
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
            // What a player never chose would only hide what was.
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

    /// The position after `ply` moves, with what the last real one changed.
    fn show(&self, ply: usize, printer: &Printer) -> io::Result<()> {
        let (game, painter) = (self.at(ply), colours::painter(printer));
        let mut marks = Marks::default();
        printer.line("")?;
        printer.line(format!("move {ply} of {}: {}", self.plies().len(), game.heading()))?;
        // Bookkeeping tells nothing: the last real move is the one to look at.
        let last_real = self.plies()[..ply].iter().rposition(|ply| !ply.auto);
        if let Some(real) = last_real {
            let played = &self.plies()[real];
            marks.changed = self.at(real + 1).changed_since(real);
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
            return printer.line("The record ends here; the game does not.");
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
                        printer.line(format!("expected a move from 0 to {last}"))?;
                        ply
                    }
                },
            };
        }
    }
}

/// A move in notation and in words.
fn spelled(ply: &Ply) -> String {
    format!("{} ({})", ply.text, ply.words)
}
