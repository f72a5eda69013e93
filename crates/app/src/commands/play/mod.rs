//! `riftlab play`: a game at the terminal.

mod input;
mod moves;
mod session;
mod storage;

use std::path::PathBuf;

use anyhow::bail;
use ladder::SpecError;
use record::{Config, GameRecord};

use crate::{
    Verdict,
    agents::{SeatSpec, seed_from_clock},
    position_text,
    printer::Printer,
    rule_args::{RULES, RuleArgs},
};
use session::Session;

/// Play a game at the terminal.
///
/// Type `help` during the game for a list of commands. Without options, you play RingRift on square8 in seat 1 against
/// the strongest agent, with the pie rule. `riftlab play go --size 9` starts a game of Go.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The player of each seat: human, a level d1 to d10, or an agent such as mcts(sims=400)
    /// [default: human in seat 1, the strongest agent in the others]
    #[arg(long, value_name = "SPEC,…", value_parser = SeatList::parse)]
    seats: Option<SeatList>,

    /// Seed of the agents [default: from the clock]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Start from this position.
    #[arg(long, value_name = "TEXT", conflicts_with_all = [RULES, "load"])]
    position: Option<String>,

    /// Resume the last game of a file of records.
    #[arg(long, value_name = "FILE", conflicts_with = RULES)]
    load: Option<PathBuf>,

    /// Save the game to this file after every turn.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    #[command(flatten)]
    game: RuleArgs,
}

/// A separate type, because clap treats a plain `Vec` as an option that may be repeated.
#[derive(Clone, Debug)]
struct SeatList(Vec<SeatSpec>);

impl SeatList {
    fn parse(text: &str) -> Result<Self, String> {
        let seats = SeatSpec::list(text).map_err(|fault| match fault {
            SpecError::Unknown(_) => format!("{fault}, or human"),
            _ => fault.to_string(),
        })?;
        if (2..=4).contains(&seats.len()) {
            Ok(Self(seats))
        } else {
            Err(format!("{} seats: expected 2, 3 or 4", seats.len()))
        }
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let mut record = match (&args.load, &args.position) {
        (Some(path), _) => with_seats(storage::load(path)?, args.seats.as_ref())?,
        (None, Some(text)) => {
            let game = position_text::open(text)?;
            let players = players(args, &game.config())?;
            GameRecord { result: None, ..game.record(&format!("play-{seed}"), players) }
        }
        (None, None) => new_game(args, seed)?,
    };
    let mut save_files = storage::SaveFiles::new(args.save.clone(), args.load.as_ref())?;
    loop {
        let next = Session::new(record, seed, printer)?.run(&mut save_files)?;
        match next {
            Some(loaded) => record = loaded,
            None => return Ok(Verdict::Yes),
        }
    }
}

fn new_game(args: &Args, seed: u64) -> anyhow::Result<GameRecord> {
    let named = args.seats.as_ref().map(|list| list.0.len() as u8);
    // The pie rule is on by default if a person plays, and off between agents.
    let with_people = args.seats.as_ref().is_none_or(|list| list.0.contains(&SeatSpec::Human));
    let config = args.game.config(named, with_people)?;
    let players = players(args, &config)?;
    let mut record = GameRecord::new(format!("play-{seed}"), config, players);
    // A game with people cannot be reproduced from its seed.
    record.seed = (!with_people).then_some(seed);
    Ok(record)
}

/// The specs of all seats, as stored in the record.
fn players(args: &Args, config: &Config) -> anyhow::Result<Vec<String>> {
    let seats = config.seats();
    let default = || {
        let mut specs = vec![SeatSpec::best(config); seats];
        specs[0] = SeatSpec::Human;
        specs
    };
    let specs = args.seats.as_ref().map_or_else(default, |list| list.0.clone());
    let wanted = args.game.players().unwrap_or(seats);
    if specs.len() != wanted {
        bail!("--seats names {} players, but the game has {wanted} seats", specs.len());
    }
    Ok(specs.iter().map(SeatSpec::to_string).collect())
}

fn with_seats(mut record: GameRecord, seats: Option<&SeatList>) -> anyhow::Result<GameRecord> {
    if let Some(SeatList(specs)) = seats {
        if specs.len() != record.seats() {
            bail!("--seats names {} players, but the game has {} seats", specs.len(), record.seats());
        }
        record.players = specs.iter().map(SeatSpec::to_string).collect();
    }
    Ok(record)
}
