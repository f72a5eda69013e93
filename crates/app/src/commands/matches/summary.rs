//! The result of a match, as text and as JSON.

use arena::{Hypothesis, Interval, Side, Tally};
use lab::{Finished, Plan};
use record::Config;
use serde_json::{Value, json};

use super::ms;
use crate::printer::{Printer, Style};

/// The state of the match: `complete`, `h0`, `h1` or `interrupted`.
fn state(plan: &Plan, tally: &Tally) -> &'static str {
    match tally.decision() {
        Some(Hypothesis::H0) => "h0",
        Some(Hypothesis::H1) => "h1",
        None if tally.games() == plan.schedule.total() => "complete",
        None => "interrupted",
    }
}

fn per_decision(total: f64, tally: &Tally, side: Side) -> f64 {
    total / tally.cost(side).decisions.max(1) as f64
}

pub(in crate::commands) fn ms_per_move(tally: &Tally, side: Side) -> f64 {
    per_decision(ms(tally.cost(side).time), tally, side)
}

pub(in crate::commands) fn nodes_per_move(tally: &Tally, side: Side) -> f64 {
    per_decision(tally.cost(side).nodes as f64, tally, side)
}

/// The number of games that a side forfeited, by kind.
pub(in crate::commands) fn forfeits(tally: &Tally, side: Side) -> Value {
    tally.forfeits(side).iter().map(|(kind, count)| (kind.name().to_owned(), json!(count))).collect()
}

/// The result as JSON. `docs/cli.md` lists its fields.
pub(super) fn json(plan: &Plan, tally: &Tally, finished: &Finished) -> Value {
    let Interval { low: score_low, high: score_high } = tally.score_interval();
    let Interval { low: elo_low, high: elo_high } = tally.elo_interval();
    let [a, b] = [0, 1].map(|side| plan.players[side].spec.to_string());
    let lengths = tally.lengths();
    json!({
        "type": "match", "version": 1, "board": lab::board(&plan.config), "players": plan.config.seats(),
        "a": a, "b": b, "config": plan.resolved, "state": state(plan, tally),
        "games": tally.games(), "games_wanted": plan.schedule.total(), "games_resumed": finished.resumed,
        "wins_a": tally.wins(Side::A), "wins_b": tally.wins(Side::B), "draws": tally.draws(),
        "score_a": tally.score(), "score_a_low": score_low, "score_a_high": score_high,
        "elo": tally.elo(), "elo_low": elo_low, "elo_high": elo_high,
        "pentanomial": tally.pentanomial(), "round_scores": tally.round_scores(),
        "sprt": tally.sprt().map(|(sprt, llr)| json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
            "llr": llr, "lower": sprt.lower(), "upper": sprt.upper(),
        })),
        "plies_mean": lengths.map(|lengths| lengths.mean),
        "plies_min": lengths.map(|lengths| lengths.shortest),
        "plies_max": lengths.map(|lengths| lengths.longest),
        "forfeits_a": forfeits(tally, Side::A), "forfeits_b": forfeits(tally, Side::B),
        "end_reasons": tally.reasons(), "distinct_games": tally.distinct(),
        "ms_per_move_a": ms_per_move(tally, Side::A), "ms_per_move_b": ms_per_move(tally, Side::B),
        "nodes_per_move_a": nodes_per_move(tally, Side::A),
        "nodes_per_move_b": nodes_per_move(tally, Side::B),
        "decisions_a": tally.cost(Side::A).decisions, "decisions_b": tally.cost(Side::B).decisions,
        "threads": plan.threads, "seconds": finished.elapsed.as_secs_f64(),
    })
}

/// The game and board, as in `square8, 2 seats` or `go/9x9+komi=0.5`.
fn place(plan: &Plan) -> String {
    match &plan.config {
        Config::RingRift(config) => format!("{}, {} seats", config.board, config.rules.seats),
        Config::Go(_) => lab::scale(&plan.config),
    }
}

/// Prints the result as text.
pub(super) fn print(
    plan: &Plan,
    tally: &Tally,
    finished: &Finished,
    printer: &Printer,
) -> anyhow::Result<()> {
    let [a, b] = [0, 1].map(|side| &plan.players[side].spec);
    let games = tally.games();
    let title = format!("{a} against {b}");
    printer.line(printer.paint(Style::Bold, &title))?;
    printer.line(format!(
        "{}, seed {}, {}, {} in parallel, {:.1} s",
        place(plan),
        plan.schedule.seed,
        plan.openings(),
        plan.threads,
        finished.elapsed.as_secs_f64()
    ))?;
    let (won, lost) = (tally.wins(Side::A), tally.wins(Side::B));
    printer.line(format!("games     {games}: {won} won, {lost} lost, {} drawn by A", tally.draws()))?;
    let interval = tally.score_interval();
    let [score, low, high] = [tally.score(), interval.low, interval.high].map(|share| 100.0 * share);
    printer.line(format!("score     {score:.1} % for A (95 %: {low:.1} to {high:.1})"))?;
    let interval = tally.elo_interval();
    let (elo, low, high) = (tally.elo(), interval.low, interval.high);
    printer.line(format!("Elo       {elo:+.0} (95 %: {low:+.0} to {high:+.0})"))?;
    if let Some(pairs) = tally.pentanomial() {
        printer.line(format!("pairs     {pairs:?} with 0, ½, 1, 1½, 2 points for A"))?;
    }
    if let Some((sprt, llr)) = tally.sprt() {
        let (lower, upper) = (sprt.lower(), sprt.upper());
        let verdict = match tally.decision() {
            Some(Hypothesis::H0) => "H0 accepted",
            Some(Hypothesis::H1) => "H1 accepted",
            None => "undecided",
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        printer
            .line(format!("SPRT      LLR {llr:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]: {verdict}"))?;
    }
    if let Some(lengths) = tally.lengths() {
        let (shortest, longest) = (lengths.shortest, lengths.longest);
        printer.line(format!("length    {:.1} moves ({shortest} to {longest})", lengths.mean))?;
    }
    let reasons: Vec<String> =
        tally.reasons().iter().map(|(name, count)| format!("{name} {count}")).collect();
    printer.line(format!("ended by  {}", reasons.join(", ")))?;
    for (name, side) in [("A", Side::A), ("B", Side::B)] {
        let forfeits = tally.forfeits(side);
        if !forfeits.is_empty() {
            let kinds: Vec<String> = forfeits.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let games: u64 = forfeits.values().sum();
            printer.line(format!("forfeits  {games} by {name}: {}", kinds.join(", ")))?;
        }
    }
    for (name, side) in [("A", Side::A), ("B", Side::B)] {
        let (time, nodes) = (ms_per_move(tally, side), nodes_per_move(tally, side));
        printer.line(format!("{name}         {time:.3} ms and {nodes:.1} nodes per decision"))?;
    }
    printer.line(format!("distinct  {} of {games} games", tally.distinct()))?;
    if state(plan, tally) == "interrupted" {
        printer.note(format!(
            "interrupted before {} games; with --out or --db, the same command resumes the match",
            plan.schedule.total()
        ));
    }
    Ok(())
}
