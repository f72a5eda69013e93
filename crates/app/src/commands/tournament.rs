//! `riftlab tournament`: many agents, everybody or like against like, and a table of ratings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use arena::{Cost, GameSummary, Tables};
use clap::{ValueEnum, value_parser};
use lab::{Anchor, Draft, Finished, Form, Plan, Rated, Storage};
use ladder::Spec;
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
/// games are kept as they end, and the same command resumes after an interruption; more --games or --rounds add to it.
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
    let mut storage = Storage::open(None, args.db.as_deref())?;
    let (games, finished) = playing::play_all(&plan, &mut storage, printer, args.play.json)?;
    let placings = games.iter().map(GameSummary::placing).collect();
    let own = lab::scale_of(plan.participants.clone(), placings);
    let rated = rating_table::rate(&plan.event.scale, own, &args.anchor)?;
    if let Some(store) = storage.store() {
        lab::store_ratings(store, &plan.event.scale, &args.anchor)?;
    }
    let played = Event { plan, games, finished, rated };
    let Event { games, finished, .. } = &played;
    if args.play.json {
        printer.line(summary(&played))?;
    } else {
        print(&played, printer)?;
        if !finished.complete {
            let resumable = args.db.is_some();
            let how = if resumable { "the same command resumes it" } else { "with --db it could be resumed" };
            printer.note(format!("interrupted after {} games; {how}", games.len()));
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
        opening_plies: args.play.opening(&config),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    playing::plan(&draft, args.play.threads())
}

/// A tournament that was played, as far as it was.
struct Event {
    plan: Plan,
    games: Vec<GameSummary>,
    finished: Finished,
    rated: Rated,
}

impl Event {
    /// Games whose moves differ from all others.
    fn distinct(&self) -> usize {
        self.games.iter().map(|game| &game.fingerprint).collect::<BTreeSet<_>>().len()
    }

    /// How often games ended for which reason.
    fn reasons(&self) -> BTreeMap<&str, u64> {
        let mut reasons = BTreeMap::new();
        for game in &self.games {
            *reasons.entry(game.end.name()).or_default() += 1;
        }
        reasons
    }

    fn mean_plies(&self) -> Option<f64> {
        let plies: f64 = self.games.iter().map(|game| f64::from(game.plies)).sum();
        (!self.games.is_empty()).then(|| plies / self.games.len() as f64)
    }

    /// How often a participant forfeited, by kind.
    fn forfeits(&self, who: usize) -> BTreeMap<&'static str, u64> {
        let mut forfeits = BTreeMap::new();
        for (&player, kind) in self.games.iter().filter_map(GameSummary::forfeit) {
            if player == who {
                *forfeits.entry(kind.name()).or_default() += 1;
            }
        }
        forfeits
    }

    /// What participants spent per decision: milliseconds and nodes; and which engines really moved.
    fn effort(&self) -> Vec<Value> {
        let one = |who: usize| {
            let all = || self.games.iter().flat_map(|game| &game.seats).filter(|seat| seat.player == who);
            let mut cost = Cost::default();
            all().filter_map(|seat| seat.cost).for_each(|spent| cost += spent);
            let engines: BTreeSet<&String> = all().flat_map(|seat| &seat.engines).collect();
            let decisions = cost.decisions.max(1) as f64;
            json!({
                "spec": self.plan.players[who].spec.to_string(), "id": self.plan.participants[who].id,
                "engines": engines, "decisions": cost.decisions,
                "ms_per_move": 1000.0 * cost.time.as_secs_f64() / decisions,
                "nodes_per_move": cost.nodes as f64 / decisions, "forfeits": self.forfeits(who),
            })
        };
        (0..self.plan.players.len()).map(one).collect()
    }
}

/// The summary object. `docs/cli.md` lists its fields.
fn summary(event: &Event) -> Value {
    let Event { plan, games, finished, rated } = event;
    json!({
        "type": "tournament", "version": 1, "board": lab::board(&plan.config), "players": plan.config.seats(),
        "scale": plan.event.scale, "event": plan.event.id, "config": plan.resolved,
        "state": if finished.complete { "complete" } else { "interrupted" },
        "games": games.len(), "games_wanted": plan.schedule.total(), "games_resumed": finished.resumed,
        "ratings": rated.json(), "cross_table": rated.cross_json(), "effort": event.effort(),
        "distinct_games": event.distinct(), "plies_mean": event.mean_plies(),
        "end_reasons": event.reasons(),
        "threads": plan.threads, "seconds": finished.elapsed.as_secs_f64(),
    })
}

/// The same for people.
fn print(event: &Event, printer: &Printer) -> anyhow::Result<()> {
    let Event { plan, games, finished, rated } = event;
    printer.line(printer.paint(Style::Bold, &rated.title(&plan.event.scale)))?;
    printer.line(format!(
        "{} agents, {} random decisions at the start, {} at a time, {:.1} s",
        plan.players.len(),
        plan.opening_plies,
        plan.threads,
        finished.elapsed.as_secs_f64()
    ))?;
    printer.line("")?;
    rated.print_cross(printer)?;
    printer.line("")?;
    rated.print(printer)?;
    printer.line("")?;
    if let Some(plies) = event.mean_plies() {
        printer.line(format!("length    {plies:.1} moves"))?;
    }
    let counted = |counts: BTreeMap<&str, u64>| {
        let words: Vec<String> = counts.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
        words.join(", ")
    };
    printer.line(format!("ended by  {}", counted(event.reasons())))?;
    for (who, player) in plan.players.iter().enumerate() {
        let forfeits = event.forfeits(who);
        if !forfeits.is_empty() {
            printer.line(format!("forfeits  {} by {}", counted(forfeits), player.spec))?;
        }
    }
    printer.line(format!("distinct  {} of {} games", event.distinct(), games.len()))?;
    Ok(())
}
