//! `riftlab tournament`: plays agents against each other, round robin or Swiss, and rates them.

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
    failure::ErrorWithHint,
    playing::{self, PlayArgs},
    printer::{Printer, Style},
    rating_table::{self, PrintRatings},
    rule_args::RuleArgs,
};

/// Play agents against each other and rate them.
///
/// Every opening is played with each agent of a group in every seat. With three or four seats, a group consists of different
/// agents, or of two agents and copies of them. The same seed gives the same tournament with any number of threads. With
/// --db, games are stored as they end, and the same command resumes after an interruption; with more --games or --rounds,
/// it adds to those already played.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agents, separated by commas.
    #[arg(long, value_name = "SPEC,SPEC,…", value_parser = agents::parse_list)]
    agents: Specs,

    /// The pairing system.
    #[arg(long, value_name = "SYSTEM", default_value = "round-robin")]
    system: SystemName,

    /// Number of rounds of a Swiss tournament [default: 5]
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// Number of games per pairing, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 10, value_parser = value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Composition of the tables with three or four seats [default: distinct if there are enough agents]
    #[arg(long, value_name = "TABLES")]
    tables: Option<TablesName>,

    /// Store participants, games and ratings in this database.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Fix the rating of a participant, as in random=0; may be repeated [default: random=0]
    #[arg(long, value_name = "WHO=ELO", value_parser = Anchor::parse)]
    anchor: Vec<Anchor>,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

/// A list of agents as a single command-line value.
pub(crate) type Specs = Vec<Spec>;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SystemName {
    /// Every agent meets every other.
    RoundRobin,
    /// Agents with similar scores meet, without rematches where possible.
    Swiss,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TablesName {
    /// A different agent in every seat.
    Distinct,
    /// One agent against copies of another.
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
            let how = if resumable { "the same command resumes it" } else { "with --db, it can be resumed" };
            printer.note(format!("interrupted after {} games; {how}", games.len()));
        }
    }
    Ok(Verdict::of_work(finished.complete))
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let config = args.game.agents_only()?;
    let rounds = match (args.system, args.rounds) {
        (SystemName::Swiss, rounds) => Some(rounds.unwrap_or(5)),
        (SystemName::RoundRobin, None) => None,
        (SystemName::RoundRobin, Some(rounds)) => {
            let message = format!("--rounds {rounds} does not apply to a round robin");
            return Err(ErrorWithHint::error(message, "use --games to play more, or add --system swiss"));
        }
    };
    let tables = args.tables.map(|name| match name {
        TablesName::Distinct => Tables::Distinct,
        TablesName::Copies => Tables::Copies,
    });
    let draft = Draft {
        form: Form::Tournament { rounds, tables },
        agents: args.agents.clone(),
        opening_plies: args.play.opening_plies(&config),
        openings: args.play.openings(),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    playing::plan(&draft, args.play.threads())
}

/// A tournament, played in full or in part.
struct Event {
    plan: Plan,
    games: Vec<GameSummary>,
    finished: Finished,
    rated: Rated,
}

impl Event {
    /// The number of games with different moves.
    fn distinct(&self) -> usize {
        self.games.iter().map(|game| &game.fingerprint).collect::<BTreeSet<_>>().len()
    }

    /// The number of games by the reason they ended.
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

    /// The number of games that a participant forfeited, by kind.
    fn forfeits(&self, who: usize) -> BTreeMap<&'static str, u64> {
        let mut forfeits = BTreeMap::new();
        for (&player, kind) in self.games.iter().filter_map(GameSummary::forfeit) {
            if player == who {
                *forfeits.entry(kind.name()).or_default() += 1;
            }
        }
        forfeits
    }

    /// The mean time and nodes per decision of each participant, and the engines that chose its moves.
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

/// The result as JSON. `docs/cli.md` lists its fields.
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

/// Prints the result as text.
fn print(event: &Event, printer: &Printer) -> anyhow::Result<()> {
    let Event { plan, games, finished, rated } = event;
    printer.line(printer.paint(Style::Bold, &rated.title(&plan.event.scale)))?;
    printer.line(format!(
        "{} agents, {}, {} in parallel, {:.1} s",
        plan.players.len(),
        plan.openings(),
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
