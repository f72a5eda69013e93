//! `riftlab replay`: looks at recorded games, or verifies them.

use std::{io, path::PathBuf};

use anyhow::bail;
use clap::value_parser;
use go::sgf::SgfError;
use interchange::{ImportError, ImportFileError, ImportReader};
use record::{GameRecord, ReadError, on_game};
use serde_json::json;

use super::show::summary;
use crate::{
    Verdict,
    failure::Hinted,
    hosted::{self, Hosted, Marks},
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
    on_game!(record.config, P => look::<P>(args, &record, printer))
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
    let games = words::count_of(count as u32, "game");
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

/// A game with all its positions.
struct Film<P: Hosted> {
    /// Positions before each move.
    frames: Vec<(P, P::Move)>,
    last: P,
}

fn look<P: Hosted>(args: &Args, record: &GameRecord, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut frames = Vec::new();
    let last = record.replay_as::<P>(|position, m| frames.push((position.clone(), m)))?;
    let film = Film { frames, last };
    let ply = args.ply.unwrap_or(if args.step { 0 } else { film.frames.len() });
    if ply > film.frames.len() {
        bail!("the game has {}, not {ply}", words::count_of(film.frames.len() as u32, "move"));
    }
    if args.json {
        let declared = record.result.as_ref().filter(|_| ply == film.frames.len());
        let mut object = summary(film.position(ply), declared);
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
        film.step(ply, record, printer)?;
    } else {
        if args.ply.is_none() {
            film.score(printer)?;
        }
        film.show(ply, record, printer)?;
    }
    Ok(Verdict::Yes)
}

impl<P: Hosted> Film<P> {
    fn position(&self, ply: usize) -> &P {
        self.frames.get(ply).map_or(&self.last, |(position, _)| position)
    }

    /// The moves, a line per turn.
    fn score(&self, printer: &Printer) -> io::Result<()> {
        printer.line("")?;
        let mut line = String::new();
        let mut turn = None;
        for (ply, (position, m)) in self.frames.iter().enumerate() {
            if turn != Some(position.turns_taken()) {
                if !line.is_empty() {
                    printer.line(&line)?;
                }
                turn = Some(position.turns_taken());
                let seat = hosted::in_colour(position.to_move(), &P::seat_name(position.to_move()), printer);
                let number = printer.paint(Style::Dim, &format!("{ply:5}"));
                line = format!("{number}  {seat} ");
            }
            // What a player never chose would only hide what was.
            if !P::is_bookkeeping(*m) {
                line.push(' ');
                line.push_str(&position.move_text(*m));
            }
        }
        if line.is_empty() { Ok(()) } else { printer.line(&line) }
    }

    /// The position after `ply` moves, with what the last real one changed.
    fn show(&self, ply: usize, record: &GameRecord, printer: &Printer) -> io::Result<()> {
        let position = self.position(ply);
        let mut marks = Marks::default();
        printer.line("")?;
        let at_the_end = record.result.as_ref().filter(|_| ply == self.frames.len());
        let heading = position.heading(at_the_end.is_some());
        printer.line(format!("move {ply} of {}: {heading}", self.frames.len()))?;
        // Bookkeeping tells nothing: the last real move is the one to look at.
        let last_real = self.frames[..ply].iter().rev().find(|(_, m)| !P::is_bookkeeping(*m));
        if let Some((before, m)) = last_real {
            let mut changes = Vec::new();
            before.clone().play_unchecked(*m, &mut changes);
            marks.changed = changes.into_iter().map(P::place).collect();
            let seat = P::seat_name(before.to_move());
            printer.line(format!("{seat} played {}", hosted::spelled(before, *m)))?;
        }
        printer.line("")?;
        printer.line(position.drawing(&marks, printer))?;
        printer.line(position.standing(at_the_end.is_some(), &[], printer))?;
        if let Some(result) = at_the_end {
            printer.line(position.ending(result))?;
            return printer.line(words::ranking(&result.ranking));
        }
        let stats = record.stats.iter().find(|stats| stats.ply as usize == ply);
        let value = stats.and_then(|stats| stats.value.get(position.to_move().index()));
        let thought = value.map(|value| format!(", expecting {}", words::chance(*value))).unwrap_or_default();
        match self.frames.get(ply) {
            Some((_, m)) => {
                let next = hosted::spelled(position, *m);
                printer.line(format!("next, {} plays {next}{thought}", P::seat_name(position.to_move())))
            }
            None => printer.line("The record ends here; the game does not."),
        }
    }

    fn step(&self, mut ply: usize, record: &GameRecord, printer: &Printer) -> io::Result<()> {
        loop {
            self.show(ply, record, printer)?;
            printer.prompt("Enter, b, a number or q> ")?;
            let Some(input) = printer.read_line()? else { return printer.line("") };
            let input = input.trim();
            ply = match input {
                "" if ply == self.frames.len() => return Ok(()),
                "" => ply + 1,
                "b" => ply.saturating_sub(1),
                "q" => return Ok(()),
                number => match number.parse() {
                    Ok(wanted) if wanted <= self.frames.len() => wanted,
                    _ => {
                        printer.line(format!("expected a move from 0 to {}", self.frames.len()))?;
                        ply
                    }
                },
            };
        }
    }
}
