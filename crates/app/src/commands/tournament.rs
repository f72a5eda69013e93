//! `riftlab tournament`: many agents, everybody or like against like, and a table of ratings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use arena::{
    Schedule, System, Tables,
    store::{Event, Participant, Store, StoredSeat},
};
use clap::{ValueEnum, value_parser};
use lab::{Anchor, Finished, Plan, Rated};
use ladder::Spec;
use search::Cause;
use serde_json::{Value, json};

use crate::{
    Verdict, agents,
    failure::Hinted,
    playing::{self, PlayArgs},
    printer::{Printer, Style},
    rating_table::{self, Printed},
    rule_args::RuleArgs,
};

/// Play agents against each other and rate them.
///
/// Every opening is played with everybody of a group in every seat. With three or four seats a table seats different
/// agents, or two of them with copies. The same seed plays the same tournament on any number of threads. With --db
/// games are kept as they end, and the same command goes on after an interruption; more --games or --rounds add to it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agents, separated by commas.
    #[arg(long, value_name = "SPEC,SPEC,…", value_parser = agents::parse_list)]
    agents: Specs,

    /// How opponents are found.
    #[arg(long, value_name = "SYSTEM", default_value = "round-robin")]
    system: SystemName,

    /// Rounds of a Swiss tournament [default: 5]
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// Games of every group that meets, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 10, value_parser = value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Who shares a table of three or four [default: distinct if there are enough agents]
    #[arg(long, value_name = "TABLES")]
    tables: Option<TablesName>,

    /// Keep participants, games and ratings in this database.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// A participant with a given rating, as in random=0; may be repeated [default: random=0]
    #[arg(long, value_name = "WHO=ELO", value_parser = Anchor::parse)]
    anchor: Vec<Anchor>,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

/// A list of agents as one value of the command line.
pub(crate) type Specs = Vec<Spec>;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SystemName {
    /// Everybody meets everybody.
    RoundRobin,
    /// Like meets like, nobody twice while that can be avoided.
    Swiss,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TablesName {
    /// Every seat another agent.
    Distinct,
    /// Each alone among copies of one other.
    Copies,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let plan = plan(args)?;
    let mut store = lab::open(args.db.as_deref())?;
    let finished = playing::play(&plan, &mut store, printer, args.play.json)?;
    let participants: Vec<Participant> =
        plan.players.iter().map(|player| lab::participant(&player.config)).collect();
    let own = lab::scale_of(participants, finished.placings());
    let rated = rating_table::rate(&plan.event.scale, own, &args.anchor)?;
    if args.db.is_some() {
        remember(&mut store, &plan.event.scale, &args.anchor)?;
    }
    if args.play.json {
        printer.line(summary(&plan, &finished, &rated))?;
    } else {
        print(&plan, &finished, &rated, printer)?;
        if !finished.complete {
            let how = if args.db.is_some() { "the same command goes on" } else { "with --db it could go on" };
            printer.note(format!("interrupted after {} games; {how}", finished.games.len()));
        }
    }
    Ok(Verdict::Yes)
}

/// Adds the ratings of everything on the scale to their history.
pub(crate) fn remember(store: &mut Store, scale: &str, anchors: &[Anchor]) -> anyhow::Result<()> {
    let all = store.scale(scale)?;
    if all.games.is_empty() {
        return Ok(());
    }
    let rated = rating_table::rate(scale, all, anchors)?;
    Ok(store.take_snapshot(scale, rated.games as u64, &rated.rows())?)
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let played = args.game.plain()?;
    let players = lab::players(&args.agents, &played)?;
    let seats = played.seats();
    let system = match (args.system, args.rounds) {
        (SystemName::Swiss, rounds) => System::Swiss { rounds: rounds.unwrap_or(5) },
        (SystemName::RoundRobin, None) => System::RoundRobin,
        (SystemName::RoundRobin, Some(rounds)) => {
            let message = format!("--rounds {rounds}: a round robin has as many rounds as it needs");
            return Err(Hinted::error(message, "say how much is played with --games, or add --system swiss"));
        }
    };
    let tables = match args.tables {
        Some(TablesName::Distinct) => Tables::Distinct,
        None if players.len() >= seats => Tables::Distinct,
        None | Some(TablesName::Copies) => Tables::Copies,
    };
    let mut schedule = Schedule {
        participants: players.len(),
        seats,
        tables,
        system,
        games: args.games,
        seed: args.play.seed,
    };
    schedule.check()?;
    let opening = args.play.opening(&played);
    let resolved: Vec<String> = players.iter().map(|player| player.config.resolved()).collect();
    let mut config = json!({
        "type": "tournament-config", "version": 1, "agents": resolved,
        "rules": &played,
        "system": name(&args.system), "tables": name(&tables_name(tables)),
        "opening_plies": opening, "seed": args.play.seed,
    });
    // Further rounds, and further games of a round robin, only come behind those there are: the games stay the same.
    if matches!(system, System::Swiss { .. }) {
        config["games"] = json!(schedule.rotations() * schedule.rotation());
    }
    let event = Event::new("tournament", &lab::scale(&played), &config.to_string());
    schedule.seed = lab::seed(&event);
    Ok(Plan { players, config: played, opening, threads: args.play.threads(), event, schedule })
}

fn tables_name(tables: Tables) -> TablesName {
    match tables {
        Tables::Distinct => TablesName::Distinct,
        Tables::Copies => TablesName::Copies,
    }
}

/// The word for a value on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Games whose moves differ from all others.
fn distinct(finished: &Finished) -> usize {
    finished.games.iter().map(|(_, game)| &game.fingerprint).collect::<BTreeSet<_>>().len()
}

fn reasons(finished: &Finished) -> BTreeMap<&str, u64> {
    let mut reasons = BTreeMap::new();
    for (_, game) in &finished.games {
        *reasons.entry(game.reason.as_str()).or_default() += 1;
    }
    reasons
}

fn mean_plies(finished: &Finished) -> Option<f64> {
    let plies: f64 = finished.games.iter().map(|(_, game)| f64::from(game.plies)).sum();
    (!finished.games.is_empty()).then(|| plies / finished.games.len() as f64)
}

/// What participants spent per decision: milliseconds and nodes; and which engines really moved.
fn effort(plan: &Plan, finished: &Finished) -> Vec<Value> {
    let one = |who: usize| {
        let seats = || {
            let all =
                finished.games.iter().flat_map(|(fixture, game)| fixture.players.iter().zip(&game.seats));
            all.filter(move |&(&player, _)| player == who).map(|(_, seat)| seat)
        };
        let mut cost = arena::Cost::default();
        seats().filter_map(|seat| seat.cost).for_each(|spent| cost += spent);
        let engines: BTreeSet<&String> = seats().flat_map(|seat| &seat.engines).collect();
        let decisions = cost.decisions.max(1) as f64;
        json!({
            "spec": plan.players[who].spec.to_string(), "id": lab::participant(&plan.players[who].config).id,
            "engines": engines, "decisions": cost.decisions,
            "ms_per_move": 1000.0 * cost.time.as_secs_f64() / decisions,
            "nodes_per_move": cost.nodes as f64 / decisions, "forfeits": forfeits(finished, who),
        })
    };
    (0..plan.players.len()).map(one).collect()
}

/// How often a participant gave a game up, or lost it by default, by cause. Whoever does that comes last.
fn forfeits(finished: &Finished, who: usize) -> BTreeMap<&str, u64> {
    let mut forfeits = BTreeMap::new();
    for (fixture, game) in finished.games.iter().filter(|(_, game)| Cause::parse(&game.reason).is_some()) {
        let last = game.seats.iter().map(|seat| seat.rank).max();
        let lost = |(player, seat): (&usize, &StoredSeat)| *player == who && Some(seat.rank) == last;
        if fixture.players.iter().zip(&game.seats).any(lost) {
            *forfeits.entry(game.reason.as_str()).or_default() += 1;
        }
    }
    forfeits
}

/// The summary object. `docs/cli.md` lists its fields.
fn summary(plan: &Plan, finished: &Finished, rated: &Rated) -> Value {
    let config: Value = serde_json::from_str(&plan.event.config).unwrap_or_default();
    json!({
        "type": "tournament", "version": 1, "board": lab::board(&plan.config), "players": plan.config.seats(),
        "scale": plan.event.scale, "event": plan.event.id, "config": config,
        "state": if finished.complete { "complete" } else { "interrupted" },
        "games": finished.games.len(), "games_wanted": plan.schedule.total(), "games_resumed": finished.resumed,
        "ratings": rated.json(), "cross_table": rated.cross_json(), "effort": effort(plan, finished),
        "distinct_games": distinct(finished), "plies_mean": mean_plies(finished),
        "end_reasons": reasons(finished),
        "threads": plan.threads, "seconds": finished.elapsed.as_secs_f64(),
    })
}

/// The same for people.
fn print(plan: &Plan, finished: &Finished, rated: &Rated, printer: &Printer) -> anyhow::Result<()> {
    printer.line(printer.paint(Style::Bold, &rated.title(&plan.event.scale)))?;
    printer.line(format!(
        "{} agents, {} random decisions at the start, {} at a time, {:.1} s",
        plan.players.len(),
        plan.opening,
        plan.threads,
        finished.elapsed.as_secs_f64()
    ))?;
    printer.line("")?;
    rated.print_cross(printer)?;
    printer.line("")?;
    rated.print(printer)?;
    printer.line("")?;
    if let Some(plies) = mean_plies(finished) {
        printer.line(format!("length    {plies:.1} moves"))?;
    }
    let reasons: Vec<String> =
        reasons(finished).into_iter().map(|(name, count)| format!("{name} {count}")).collect();
    printer.line(format!("ended by  {}", reasons.join(", ")))?;
    for (who, player) in plan.players.iter().enumerate() {
        let causes: Vec<String> =
            forfeits(finished, who).into_iter().map(|(name, count)| format!("{name} {count}")).collect();
        if !causes.is_empty() {
            printer.line(format!("forfeits  {} by {}", causes.join(", "), player.spec))?;
        }
    }
    printer.line(format!("distinct  {} of {} games", distinct(finished), finished.games.len()))?;
    Ok(())
}
