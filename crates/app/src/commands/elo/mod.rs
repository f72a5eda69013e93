//! `riftlab elo`: participants, games and ratings in a database.

mod add;

use std::path::PathBuf;

use arena::store::{Snapshot, Store};
use clap::Subcommand;
use lab::Anchor;
use ladder::Spec;
use serde_json::{Value, json};

use crate::{
    Verdict, agents,
    failure::Hinted,
    printer::{Printer, Style},
    rating_table::{self, Printed},
    rule_args::RuleArgs,
};

/// Keep participants and games in a database, and rate them.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Register(RegisterArgs),
    Add(AddArgs),
    Table(TableArgs),
    History(HistoryArgs),
}

/// The database and the form of the output.
#[derive(clap::Args)]
struct Common {
    /// The database.
    #[arg(long, value_name = "FILE", default_value = "lab.db")]
    db: PathBuf,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Tell the database of an agent, and show its id.
#[derive(clap::Args)]
struct RegisterArgs {
    /// The agent. A level means what it means on the board of that game.
    #[arg(value_name = "SPEC", value_parser = agents::parse)]
    spec: Spec,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    game: RuleArgs,
}

/// Add the games of match records.
///
/// Games that are there already are not added again. With FILE.config.json beside them, games count as those of that
/// match, whoever adds them.
#[derive(clap::Args)]
struct AddArgs {
    /// Files of game records, or folders with such files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// Rate everybody from all games, each scale by itself.
#[derive(clap::Args)]
struct TableArgs {
    /// Only this scale, as in ringrift/square8/2p.
    #[arg(long, value_name = "SCALE")]
    scale: Option<String>,

    /// A participant with a given rating, as in random=0; may be repeated [default: random=0]
    #[arg(long, value_name = "WHO=ELO", value_parser = Anchor::parse)]
    anchor: Vec<Anchor>,

    #[command(flatten)]
    common: Common,
}

/// Show how ratings changed.
#[derive(clap::Args)]
struct HistoryArgs {
    /// Only this participant: an agent, a name or an id.
    #[arg(value_name = "WHO")]
    who: Option<String>,

    /// Only this scale, as in ringrift/square8/2p.
    #[arg(long, value_name = "SCALE")]
    scale: Option<String>,

    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.command {
        Command::Register(args) => register(args, printer)?,
        Command::Add(args) => {
            let mut store = Store::open(&args.common.db)?;
            let added = add::add(&args.files, &mut store)?;
            for scale in &added.scales {
                lab::store_ratings(&mut store, scale, &[])?;
            }
            if args.common.json {
                printer.line(json!({
                    "type": "elo-add", "version": 1, "files": added.files, "games": added.games,
                    "added": added.new, "scales": added.scales,
                }))?;
            } else {
                let (games, new) = (added.games, added.new);
                printer.line(format!("{games} games in {} files, {new} of them new", added.files))?;
            }
        }
        Command::Table(args) => table(args, printer)?,
        Command::History(args) => history(args, printer)?,
    }
    Ok(Verdict::Yes)
}

fn register(args: &RegisterArgs, printer: &Printer) -> anyhow::Result<()> {
    let venue = lab::venue(&args.game.plain()?);
    let participant = lab::participant_of(&args.spec, venue)?;
    let new = Store::open(&args.common.db)?.register(&participant)?;
    if args.common.json {
        printer.line(json!({
            "type": "elo-register", "version": 1, "id": participant.id, "name": participant.name,
            "net": participant.net, "spec": participant.spec, "engine": participant.engine, "new": new,
        }))?;
    } else {
        printer.line(format!("{}  {}", participant.id, participant.name))?;
        printer.line(format!("{} {}", if new { "new:" } else { "known:" }, participant.spec))?;
    }
    Ok(())
}

/// The scales to be shown: all, or the one asked for.
fn scales(store: &Store, asked: Option<&str>) -> anyhow::Result<Vec<String>> {
    let known: Vec<String> = store.scales()?.into_iter().map(|(scale, _)| scale).collect();
    match asked {
        None => Ok(known),
        Some(scale) if known.iter().any(|known| known == scale) => Ok(vec![scale.to_owned()]),
        Some(scale) => {
            let message = format!("{} has no games on {scale}", store.path().display());
            Err(Hinted::error(message, format!("it has games on: {}", known.join(", "))))
        }
    }
}

fn table(args: &TableArgs, printer: &Printer) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.common.db)?;
    let mut tables: Vec<Value> = Vec::new();
    let scales = scales(&store, args.scale.as_deref())?;
    for (place, scale) in scales.iter().enumerate() {
        let rated = rating_table::rate(scale, store.scale(scale)?, &args.anchor)?;
        if args.common.json {
            tables.push(json!({ "scale": scale, "games": rated.games, "ratings": rated.json() }));
            continue;
        }
        if place > 0 {
            printer.line("")?;
        }
        printer.line(printer.paint(Style::Bold, &rated.title(scale)))?;
        rated.print(printer)?;
    }
    if args.common.json {
        printer.line(json!({ "type": "elo-table", "version": 1, "scales": tables }))?;
    } else if scales.is_empty() {
        printer.note(format!("{} has no games yet", store.path().display()));
    }
    Ok(())
}

fn history(args: &HistoryArgs, printer: &Printer) -> anyhow::Result<()> {
    let store = Store::open_existing(&args.common.db)?;
    let participants = store.participants()?;
    let mut shown: Vec<Value> = Vec::new();
    let mut known = args.who.is_none();
    for scale in scales(&store, args.scale.as_deref())? {
        let wanted = args.who.as_deref().map(|who| lab::find(&scale, &participants, who));
        known |= wanted.is_some_and(|found| found.is_some());
        let wanted = wanted.map(|found| found.map(|place| participants[place].id.as_str()));
        let snapshots = store.history(&scale)?;
        if !args.common.json && !snapshots.is_empty() {
            printer.line(printer.paint(Style::Bold, &scale))?;
        }
        for Snapshot { taken, games, rows, .. } in snapshots {
            for row in
                rows.iter().filter(|row| wanted.is_none_or(|who| who == Some(row.participant.as_str())))
            {
                let who = participants.iter().find(|who| who.id == row.participant);
                let name = who.map_or(row.participant.as_str(), |who| who.name.as_str());
                let rating = row.rating;
                if args.common.json {
                    shown.push(json!({
                        "scale": scale, "taken": taken, "scale_games": games, "participant": row.participant,
                        "name": name, "games": row.games, "anchor": row.anchor,
                        "elo": rating.map(|rating| rating.elo),
                        "elo_low": rating.map(|rating| rating.interval.low),
                        "elo_high": rating.map(|rating| rating.interval.high),
                    }));
                    continue;
                }
                let text = rating.map_or("not connected".to_owned(), |rating| {
                    let (low, high) = (rating.interval.low, rating.interval.high);
                    format!("{:+.0} ({low:+.0} to {high:+.0})", rating.elo)
                });
                printer.line(format!("{taken}  {name}  {text}, {} games", row.games))?;
            }
        }
    }
    if let Some(who) = args.who.as_deref().filter(|_| !known) {
        let message = format!("{who}: no participant of that name in {}", store.path().display());
        return Err(Hinted::error(message, "riftlab elo table lists them"));
    }
    if args.common.json {
        printer.line(json!({ "type": "elo-history", "version": 1, "ratings": shown }))?;
    }
    Ok(())
}
