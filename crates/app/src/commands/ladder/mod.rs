//! `riftlab ladder`: lists the agents of the levels, and checks that each level beats the one below.

mod check;

use clap::Subcommand;
use ladder::{Level, Player, Spec, Tier, Venue, WithoutNet};
use serde_json::{Value, json};

use crate::{
    Verdict, data_folder,
    printer::{Printer, Style},
    rule_args::RuleArgs,
};

/// Show the levels d1 to d10, or check that each beats the one below.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Show(ShowArgs),
    Check(check::Args),
}

/// List the agents of the levels.
#[derive(clap::Args)]
struct ShowArgs {
    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.what {
        What::Show(args) => show(args, printer),
        What::Check(args) => check::run(args, printer),
    }
}

/// A level of a venue and the agent that plays it, possibly a fallback.
struct Rung {
    tier: Tier,
    player: Player,
}

fn rungs(venue: Venue) -> anyhow::Result<Vec<Rung>> {
    let models = data_folder::models();
    let rung = |level| {
        let spec = Spec::Level { level, overrides: Vec::new() };
        let player = Player::with_models(&spec, venue, WithoutNet::FallBack, models)?;
        Ok(Rung { tier: Tier::at(level, venue), player })
    };
    Level::all().map(rung).collect()
}

fn show(args: &ShowArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let venue = lab::venue(&args.game.agents_only()?);
    let rungs = rungs(venue)?;
    if args.json {
        let rows: Vec<Value> = rungs.iter().map(row).collect();
        printer
            .line(json!({ "type": "ladder", "version": 1, "venue": venue.to_string(), "levels": rows }))?;
        return Ok(Verdict::Yes);
    }
    printer.line(printer.paint(Style::Bold, &format!("Levels of {venue}")))?;
    for Rung { tier, player } in &rungs {
        printer.line(format!("{:4} {:48} {}", tier.level, player.config.to_string(), tier.notes))?;
        if let Some(net) = &player.net {
            printer.line(printer.paint(Style::Dim, &format!("     with the net {}", net.id())))?;
        }
        if let Some(fallback) = &player.fallback {
            printer.line(printer.paint(Style::Dim, &format!("     {fallback}")))?;
        }
    }
    Ok(Verdict::Yes)
}

fn row(Rung { tier, player }: &Rung) -> Value {
    json!({
        "difficulty": tier.level.difficulty(), "ai_type": tier.kind.name(), "model_id": tier.model_id,
        "heuristic_profile_id": tier.heuristic_profile_id, "randomness": tier.randomness,
        "think_time_ms": tier.think_time.as_millis() as u64, "use_neural_net": tier.use_neural_net,
        "budget": tier.budget, "notes": tier.notes,
        "plays": player.config.to_string(), "net": player.net.as_ref().map(|net| net.id()),
        "fallback": player.fallback,
    })
}
