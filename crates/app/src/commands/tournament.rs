//! `riftlab tournament`: many agents, everybody or like against like, and a table of ratings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use arena::{
    Tables,
    store::{Participant, StoredSeat},
};
use clap::{ValueEnum, value_parser};
use lab::{Anchor, Draft, Finished, Form, Plan, Rated};
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
        lab::remember(&mut store, &plan.event.scale, &args.anchor)?;
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

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let config = args.game.plain()?;
    let rounds = match (args.system, args.rounds) {
        (SystemName::Swiss, rounds) => Some(rounds.unwrap_or(5)),
        (SystemName::RoundRobin, None) => None,
        (SystemName::RoundRobin, Some(rounds)) => {
            let message = format!("--rounds {rounds}: a round robin has as many rounds as it needs");
            return Err(Hinted::error(message, "say how much is played with --games, or add --system swiss"));
        }
    };
    let tables = args.tables.map(|name| match name {
        TablesName::Distinct => Tables::Distinct,
        TablesName::Copies => Tables::Copies,
    });
    let draft = Draft {
        form: Form::Tournament { rounds, tables },
        agents: args.agents.clone(),
        opening: args.play.opening(&config),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    Ok(draft.plan(args.play.threads())?)
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
