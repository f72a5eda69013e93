//! `riftlab ladder check`: plays every level against the one below.

use std::path::PathBuf;

use anyhow::Context;
use arena::{Side, Tally};
use clap::value_parser;
use lab::{Draft, Finished, Form, Storage};
use ladder::Player;
use record::Config;
use search::Stop;
use serde_json::{Value, json};

use super::{Rung, rungs};
use crate::{
    Verdict,
    commands::matches::{measure, ms_per_move, nodes_per_move},
    playing::{PlayArgs, stop_at_interrupt},
    printer::{Printer, Style},
    rule_args::RuleArgs,
};

/// Play every level against the one below, and report which is stronger.
///
/// A level whose net is missing is left out, because its fallback is a different agent; --fallback includes it. The exit
/// code is 0 only if each level is stronger than the one below, with its whole 95 % interval above one half.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of games per pair, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 200, value_parser = value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// The lowest level to check.
    #[arg(long, value_name = "D", default_value_t = 1, value_parser = value_parser!(u8).range(1..=9))]
    from: u8,

    /// The highest level to check.
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = value_parser!(u8).range(2..=10))]
    to: u8,

    /// Include levels whose net is missing, with their fallback agents.
    #[arg(long)]
    fallback: bool,

    /// Print the results as rows of the table of measured levels, models/levels.csv.
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Record the games of each pair in this folder; an interrupted check is resumed.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.agents_only()?;
    let venue = lab::venue(&config);
    let selected = |rung: &Rung| (args.from..=args.to).contains(&rung.tier.level.difficulty());
    let (able, unable): (Vec<Rung>, Vec<Rung>) = rungs(venue)?
        .into_iter()
        .filter(selected)
        .partition(|rung| args.fallback || rung.player.fallback.is_none());
    for Rung { tier, player } in &unable {
        let reason = player.fallback.as_deref().unwrap_or_default();
        printer.note(format!("{} is left out: {reason}", tier.level));
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    if !args.play.json && !args.csv {
        printer
            .line(printer.paint(Style::Bold, &format!("Levels of {venue}, each against the one below")))?;
    }
    let stop = stop_at_interrupt()?;
    let mut rows = Vec::new();
    let (mut all_stronger, mut complete) = (true, true);
    for pair in able.windows(2) {
        let [below, above] = pair else { break };
        let (tally, finished) = play(args, &config, [&above.player, &below.player], &stop, printer)?;
        all_stronger &= tally.score_interval().low > 0.5;
        if args.play.json {
            rows.push(row([above, below], &tally));
        } else if args.csv {
            printer.line(table_row([above, below], &tally))?;
        } else {
            printer.line(line([above, below], &tally))?;
        }
        if !finished.complete {
            printer.note("interrupted; with --out the check can be resumed");
            complete = false;
            break;
        }
    }
    if args.play.json {
        let left_out: Vec<String> = unable.iter().map(|rung| rung.tier.level.to_string()).collect();
        printer.line(json!({
            "type": "ladder-check", "version": 1, "venue": venue.to_string(), "seed": args.play.seed,
            "pairs": rows, "left_out": left_out, "each_stronger": all_stronger,
        }))?;
    }
    Ok(match all_stronger {
        _ if !complete => Verdict::Interrupted,
        true => Verdict::Yes,
        false => Verdict::No,
    })
}

fn play(
    args: &Args,
    config: &Config,
    sides: [&Player; 2],
    stop: &Stop,
    printer: &Printer,
) -> anyhow::Result<(Tally, Finished)> {
    let out = args.out.as_ref().map(|folder| {
        let [above, below] = sides.map(|player| player.spec.to_string());
        let place = match config {
            Config::RingRift(config) => format!("{}-{}p", config.board, config.rules.seats),
            Config::Go(_) => lab::scale(config).replace('/', "-"),
        };
        folder.join(format!("{place}-{above}-{below}.jsonl.zst"))
    });
    let draft = Draft {
        form: Form::Match { sprt: None },
        agents: sides.map(|player| player.spec.clone()).into(),
        config: config.clone(),
        opening_plies: args.play.opening_plies(config),
        openings: args.play.openings(),
        games: args.games,
        seed: args.play.seed,
    };
    let plan = draft.plan_for(sides.map(Player::clone).into(), args.play.threads())?;
    let mut storage = Storage::open(out.as_deref(), None)?;
    measure(&plan, &mut storage, stop, printer, args.play.json)
}

fn line([above, below]: [&Rung; 2], tally: &Tally) -> String {
    let interval = tally.score_interval();
    let [score, low, high] = [tally.score(), interval.low, interval.high].map(|share| 100.0 * share);
    let elo = tally.elo_interval();
    let [slow, quick] = [Side::A, Side::B].map(|side| ms_per_move(tally, side));
    let verdict = match (interval.low > 0.5, interval.high < 0.5) {
        (true, _) => "stronger",
        (_, true) => "WEAKER",
        _ => "inconclusive",
    };
    format!(
        "{:>3} – {:3} {score:5.1} % [{low:.1}, {high:.1}] of {}   Elo {:+.0} [{:+.0}, {:+.0}]   {slow:.1} against {quick:.1} ms   {verdict}",
        above.tier.level,
        below.tier.level,
        tally.games(),
        tally.elo(),
        elo.low,
        elo.high,
    )
}

fn table_row([above, below]: [&Rung; 2], tally: &Tally) -> String {
    let (score, elo) = (tally.score_interval(), tally.elo_interval());
    format!(
        "{};{};{};{:.4};{:.4};{:.4};{:.1};{:.1};{:.1};{:.3};{};{}",
        above.tier.venue,
        above.tier.level,
        tally.games(),
        tally.score(),
        score.low,
        score.high,
        tally.elo(),
        elo.low,
        elo.high,
        ms_per_move(tally, Side::A),
        above.tier.identity(),
        below.tier.identity(),
    )
}

fn row([above, below]: [&Rung; 2], tally: &Tally) -> Value {
    let (score, elo) = (tally.score_interval(), tally.elo_interval());
    json!({
        "above": above.tier.level.to_string(), "below": below.tier.level.to_string(),
        "above_plays": above.player.config.to_string(), "below_plays": below.player.config.to_string(),
        "games": tally.games(), "score": tally.score(), "score_low": score.low, "score_high": score.high,
        "elo": tally.elo(), "elo_low": elo.low, "elo_high": elo.high,
        "ms_per_move_above": ms_per_move(tally, Side::A), "ms_per_move_below": ms_per_move(tally, Side::B),
        "nodes_per_move_above": nodes_per_move(tally, Side::A),
        "nodes_per_move_below": nodes_per_move(tally, Side::B),
        "distinct_games": tally.distinct(), "stronger": score.low > 0.5,
    })
}
