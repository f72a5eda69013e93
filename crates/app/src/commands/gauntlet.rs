//! `riftlab gauntlet`: measures one candidate against each of several baselines.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use arena::{Bout, Cost, Interval, Side, bouts, store::Event};
use clap::value_parser;
use lab::{Draft, Finished, Form, Plan, Storage, atomic_file};
use ladder::{Player, Spec};
use serde_json::{Value, json};

use super::{matches::forfeits, tournament::Specs};
use crate::{
    Verdict, agents,
    failure::ErrorWithHint,
    playing::{self, PlayArgs},
    printer::{Printer, Style},
    rule_args::RuleArgs,
};

/// Measure one agent against each of several baselines.
///
/// Every opening is played from all seats. With three or four seats, the candidate plays against copies of the baseline and
/// vice versa. The games are stored in a database, by default beside the result, so that the same command resumes after an
/// interruption; with more --games, it adds to those already played.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent to measure.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    candidate: Spec,

    /// The baselines, separated by commas.
    #[arg(long, value_name = "SPEC,SPEC,…", value_parser = agents::parse_list)]
    baselines: Specs,

    /// Number of games against each baseline, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Write the result to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Store participants, games and ratings in this database [default: FILE.db beside the result]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let plan = plan(args)?;
    if let Some(out) = &args.out {
        refuse_other_files(out, &plan.event)?;
    }
    let beside = args.out.as_ref().map(|out| atomic_file::with_suffix(out, ".db"));
    let db = args.db.clone().or(beside);
    let mut storage = Storage::open(None, db.as_deref())?;
    let (games, finished) = playing::play_all(&plan, &mut storage, printer, args.play.json)?;
    if let Some(store) = storage.store() {
        lab::store_ratings(store, &plan.event.scale, &[])?;
    }
    let played = games.len();
    let bouts = bouts(plan.players.len() - 1, plan.schedule.seats, games);
    let result = json(&plan, &finished, &bouts);
    if let Some(out) = &args.out {
        atomic_file::write(out, format!("{result:#}\n"))
            .with_context(|| format!("cannot write {}", out.display()))?;
    }
    if args.play.json {
        printer.line(&result)?;
    } else {
        print(&plan, &finished, &bouts, printer)?;
        if !finished.complete {
            let how =
                if db.is_some() { "the same command resumes it" } else { "with --db, it can be resumed" };
            printer.note(format!("interrupted after {played} games; {how}"));
        }
    }
    Ok(Verdict::of_work(finished.complete))
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let config = args.game.agents_only()?;
    let draft = Draft {
        form: Form::Gauntlet,
        agents: [args.candidate.clone()].into_iter().chain(args.baselines.clone()).collect(),
        opening_plies: args.play.opening_plies(&config),
        openings: args.play.openings(),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    playing::plan(&draft, args.play.threads())
}

/// Checks that `out` is absent, empty or a result of the same gauntlet, the only one that may be replaced.
fn refuse_other_files(out: &Path, event: &Event) -> anyhow::Result<()> {
    let Ok(text) = fs::read_to_string(out) else {
        return if out.exists() { Err(other_file(out)) } else { Ok(()) };
    };
    let found: Value = serde_json::from_str(&text).unwrap_or_default();
    if text.is_empty() || found["event"] == json!(event.id) { Ok(()) } else { Err(other_file(out)) }
}

fn other_file(out: &Path) -> anyhow::Error {
    let message = format!("{} exists and is not a result of this gauntlet", out.display());
    ErrorWithHint::error(message, "choose another --out")
}

/// The limits of a player per decision.
fn budget(player: &Player) -> Value {
    let limits = player.limits();
    json!({ "nodes": limits.nodes, "seconds": limits.time.map(|time| time.as_secs_f64()) })
}

fn per_decision(total: f64, cost: &Cost) -> f64 {
    total / cost.decisions.max(1) as f64
}

/// The result as JSON. `docs/cli.md` lists its fields.
fn json(plan: &Plan, finished: &Finished, bouts: &[Bout]) -> Value {
    let candidate = &plan.players[0];
    let config: Value = serde_json::from_str(&plan.event.config).unwrap_or_default();
    let results: Vec<Value> = bouts.iter().map(|bout| bout_json(plan, bout)).collect();
    json!({
        "type": "gauntlet", "version": 1, "timestamp": service::clock::now("Z"),
        "candidate": candidate.spec.to_string(), "candidate_id": plan.participants[0].id,
        "candidate_name": plan.participants[0].name, "candidate_budget": budget(candidate),
        "board": lab::board(&plan.config), "players": plan.config.seats(), "scale": plan.event.scale,
        "event": plan.event.id, "config": config,
        "state": if finished.complete { "complete" } else { "interrupted" },
        "games_per_opponent": plan.schedule.rotations() * plan.schedule.rotation(),
        "games_resumed": finished.resumed, "results": results,
        "threads": plan.threads, "seconds": finished.elapsed.as_secs_f64(),
    })
}

fn bout_json(plan: &Plan, bout: &Bout) -> Value {
    let (opponent, participant) = (&plan.players[bout.opponent], &plan.participants[bout.opponent]);
    let tally = &bout.tally;
    let Interval { low: score_low, high: score_high } = tally.score_interval();
    let Interval { low: elo_low, high: elo_high } = tally.elo_interval();
    let [ours, theirs] = [Side::A, Side::B].map(|side| tally.cost(side));
    let ms = |cost: &Cost| per_decision(1000.0 * cost.time.as_secs_f64(), cost);
    let nodes = |cost: &Cost| per_decision(cost.nodes as f64, cost);
    let mut value = json!({
        "opponent": opponent.spec.to_string(), "opponent_id": participant.id,
        "opponent_name": participant.name, "games": tally.games(),
        "candidate_wins": tally.wins(Side::A), "opponent_wins": tally.wins(Side::B), "draws": tally.draws(),
        "winrate": bout.winrate(), "placement": bout.placement().map(arena::Placement::word),
        "avg_game_length": tally.lengths().map(|lengths| lengths.mean),
        "score": tally.score(), "score_low": score_low, "score_high": score_high,
        "elo": tally.elo(), "elo_low": elo_low, "elo_high": elo_high,
        "opponent_budget": budget(opponent),
        "candidate_engines": bout.engines[0], "opponent_engines": bout.engines[1],
        "candidate_ms_per_move": ms(&ours), "opponent_ms_per_move": ms(&theirs),
        "candidate_nodes_per_move": nodes(&ours), "opponent_nodes_per_move": nodes(&theirs),
        "candidate_forfeits": forfeits(tally, Side::A), "opponent_forfeits": forfeits(tally, Side::B),
        "distinct_games": tally.distinct(), "end_reasons": tally.reasons(),
    });
    // Existing readers expect these fields to be named after the candidate's kind.
    let kind = plan.players[0].config.kind;
    value[format!("{kind}_wins")] = json!(tally.wins(Side::A));
    value[format!("{kind}_winrate")] = json!(bout.winrate());
    value
}

/// Prints the result as text.
fn print(plan: &Plan, finished: &Finished, bouts: &[Bout], printer: &Printer) -> anyhow::Result<()> {
    let title = format!("{} on {}", plan.players[0].spec, plan.event.scale);
    printer.line(printer.paint(Style::Bold, &title))?;
    printer.line(format!(
        "{} games against each, {}, {} in parallel, {:.1} s",
        plan.schedule.rotations() * plan.schedule.rotation(),
        plan.openings(),
        plan.threads,
        finished.elapsed.as_secs_f64()
    ))?;
    let names: Vec<String> = bouts.iter().map(|bout| plan.players[bout.opponent].spec.to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let head = format!(
        "{:<11}  {:<width$}  {:>5} {:>5} {:>5}  {:>7}  {:^14}  {:>5}  {:^14}  {:>6}  {:>8}",
        "", "opponent", "won", "lost", "drawn", "score", "95 %", "Elo", "95 %", "length", "distinct"
    );
    printer.line(printer.paint(Style::Dim, &head))?;
    for (bout, name) in bouts.iter().zip(names) {
        let tally = &bout.tally;
        let (score, elo) = (tally.score_interval(), tally.elo_interval());
        let length = tally.lengths().map_or(0.0, |lengths| lengths.mean);
        printer.line(format!(
            "{:<11}  {name:<width$}  {:>5} {:>5} {:>5}  {:>5.1} %  {:>5.1} to {:>5.1}  {:>+5.0}  {:>+5.0} to {:>+5.0}  {:>6.1}  {:>8}",
            bout.placement().map_or("–", arena::Placement::word),
            tally.wins(Side::A),
            tally.wins(Side::B),
            tally.draws(),
            100.0 * tally.score(),
            100.0 * score.low,
            100.0 * score.high,
            tally.elo(),
            elo.low,
            elo.high,
            length,
            tally.distinct(),
        ))?;
        for (side, who) in [(Side::A, "candidate"), (Side::B, "opponent")] {
            for (kind, count) in tally.forfeits(side) {
                printer.line(format!("{:<11}  forfeited by the {who}: {kind} {count}", ""))?;
            }
        }
    }
    Ok(())
}
