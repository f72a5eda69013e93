//! `riftlab elo`: manages participants, games and ratings in a database.

mod add;

use std::path::PathBuf;

use arena::store::{Snapshot, Store};
use clap::Subcommand;
use lab::Anchor;
use ladder::Spec;
use serde_json::{Value, json};

use crate::{
    Verdict, agents,
    failure::ErrorWithHint,
    printer::{Printer, Style},
    rating_table::{self, PrintRatings},
    rule_args::RuleArgs,
};

/// Manage participants, games and ratings in a database.
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

/// Options shared by all subcommands.
#[derive(clap::Args)]
struct Common {
    /// The database file.
    #[arg(long, value_name = "FILE", default_value = "lab.db")]
    db: PathBuf,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Register an agent in the database, and print its id.
#[derive(clap::Args)]
struct RegisterArgs {
    /// The agent. A level stands for the agent that plays it on the given board.
    #[arg(value_name = "SPEC", value_parser = agents::parse)]
    spec: Spec,

    /// A name for tables, such as `gmo_v1`, if the agent is new [default: its net, kind and budget]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    game: RuleArgs,
}

/// Add games from files of records.
///
/// Games that the database already has are not added again. If FILE.config.json is beside FILE, the games belong to the
/// match that it describes.
#[derive(clap::Args)]
struct AddArgs {
    /// Files of game records, or folders that contain them.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// Rate all participants from all games, separately for each scale.
#[derive(clap::Args)]
struct TableArgs {
    /// Show only this scale, such as ringrift/square8/2p.
    #[arg(long, value_name = "SCALE")]
    scale: Option<String>,

    /// Fix the rating of a participant, as in random=0; may be repeated [default: random=0]
    #[arg(long, value_name = "WHO=ELO", value_parser = Anchor::parse)]
    anchor: Vec<Anchor>,

    #[command(flatten)]
    common: Common,
}

/// Show the history of ratings.
#[derive(clap::Args)]
struct HistoryArgs {
    /// Show only this participant: an agent, a name or an id.
    #[arg(value_name = "WHO")]
    who: Option<String>,

    /// Show only this scale, such as ringrift/square8/2p.
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
    let venue = lab::venue(&args.game.agents_only()?);
    let mut participant = lab::participant_of(&args.spec, venue)?;
    let mut store = Store::open(&args.common.db)?;
    participant.name = args.name.clone().unwrap_or(participant.name);
    let new = store.register(&participant)?;
    let participant = store.participant(&participant.id)?.unwrap_or(participant);
    let kind = participant.spec.split('(').next();
    if args.common.json {
        printer.line(json!({
            "type": "elo-register", "version": 1, "id": participant.id, "name": participant.name, "kind": kind,
            "net": participant.net, "spec": participant.spec, "engine": participant.engine, "new": new,
        }))?;
    } else {
        printer.line(format!("{}  {}", participant.id, participant.name))?;
        printer.line(format!("{} {}", if new { "new:" } else { "known:" }, participant.spec))?;
    }
    Ok(())
}

/// The scales to show: all, or the requested one.
fn scales(store: &Store, asked: Option<&str>) -> anyhow::Result<Vec<String>> {
    let known: Vec<String> = store.scales()?.into_iter().map(|(scale, _)| scale).collect();
    match asked {
        None => Ok(known),
        Some(scale) if known.iter().any(|known| known == scale) => Ok(vec![scale.to_owned()]),
        Some(scale) => {
            let message = format!("{} has no games on the scale {scale}", store.path().display());
            Err(ErrorWithHint::error(message, format!("it has games on {}", known.join(", "))))
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
        let message = format!("no participant {who:?} in {}", store.path().display());
        return Err(ErrorWithHint::error(message, "riftlab elo table lists all participants"));
    }
    if args.common.json {
        printer.line(json!({ "type": "elo-history", "version": 1, "ratings": shown }))?;
    }
    Ok(())
}
