//! `riftlab ladder`: lists the agents of the levels, and checks that each level beats the one below.

mod check;

use clap::Subcommand;
use ladder::{Level, Player, Spec, Standing, Step, Tier, Venue, WithoutNet};
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
        if let Some(measured) = measured(tier.level, venue) {
            printer.line(printer.paint(Style::Dim, &format!("     {measured}")))?;
        }
    }
    Ok(Verdict::Yes)
}

/// What is known about the strength of a level, in words.
fn measured(level: Level, venue: Venue) -> Option<String> {
    let Step { games, score, score_bounds, .. } = Step::to(level, venue)?;
    let [score, low, high] = [score, score_bounds[0], score_bounds[1]].map(|share| 100.0 * share);
    let below = level.difficulty() - 1;
    let step = format!("{score:.1} % [{low:.1}, {high:.1}] of {games} games against d{below}");
    let standing = Standing::of(level, venue).map(|Standing { elo, bounds: [low, high] }| {
        format!("Elo {elo:.0} ± {:.0} above d1, ", f64::midpoint(elo - low, high - elo))
    });
    Some(standing.unwrap_or_default() + &step)
}

fn row(Rung { tier, player }: &Rung) -> Value {
    let (level, venue) = (tier.level, tier.venue);
    let standing = Standing::of(level, venue);
    let step = Step::to(level, venue);
    json!({
        "elo": standing.map(|standing| standing.elo),
        "elo_low": standing.map(|standing| standing.bounds[0]),
        "elo_high": standing.map(|standing| standing.bounds[1]),
        "score_against_level_below": step.map(|step| step.score),
        "score_low": step.map(|step| step.score_bounds[0]),
        "score_high": step.map(|step| step.score_bounds[1]),
        "games": step.map(|step| step.games),
        "ms_per_move": step.map(|step| step.ms),
        "difficulty": tier.level.difficulty(), "ai_type": tier.kind.name(), "model_id": tier.model_id,
        "heuristic_profile_id": tier.heuristic_profile_id, "randomness": tier.randomness,
        "think_time_ms": tier.think_time.as_millis() as u64, "use_neural_net": tier.use_neural_net,
        "budget": tier.budget, "notes": tier.notes,
        "plays": player.config.to_string(), "net": player.net.as_ref().map(|net| net.id()),
        "fallback": player.fallback,
    })
}
