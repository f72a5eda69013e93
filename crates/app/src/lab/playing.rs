//! Plays a schedule into a database, and goes on where an earlier run stopped.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use arena::{
    Contender, Fixture, MatchError, Placing, Results, Schedule, Table,
    store::{Event, Store, StoredGame},
};
use clap::value_parser;
use ladder::{Player, Spec, WithoutNet};
use record::{Config, GameRecord, on_game};
use search::Stop;

use super::{records, register, venue};
use crate::{hosted::Hosted, printer::Printer};

/// How games are played, shared by the commands that play many.
#[derive(clap::Args, Debug)]
pub(crate) struct PlayArgs {
    /// Seed of the openings and the agents.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Random decisions at the start, steps without a choice not counted [default: two for each seat]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(..=1000))]
    opening_plies: Option<u32>,

    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

impl PlayArgs {
    pub(crate) fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    pub(crate) fn opening(&self, config: &Config) -> u32 {
        self.opening_plies.unwrap_or(2 * config.seats() as u32)
    }
}

/// What is to be played, with nothing left open.
pub(crate) struct Plan {
    pub(crate) players: Vec<Player>,
    pub(crate) config: Config,
    pub(crate) opening: u32,
    pub(crate) threads: usize,
    pub(crate) event: Event,
    pub(crate) schedule: Schedule,
}

/// What there is after a run.
pub(crate) struct Finished {
    /// The games of the schedule that were played, in order.
    pub(crate) games: Vec<(Fixture, StoredGame)>,
    /// How many of them were there before.
    pub(crate) resumed: u64,
    /// Whether nothing is left to play.
    pub(crate) complete: bool,
    /// How long this run took.
    pub(crate) elapsed: Duration,
}

impl Finished {
    /// How the games ended, by participants of the schedule.
    pub(crate) fn placings(&self) -> Vec<Placing> {
        let placing = |(fixture, game): &(Fixture, StoredGame)| Placing {
            players: fixture.players.clone(),
            ranks: game.seats.iter().map(|seat| seat.rank).collect(),
        };
        self.games.iter().map(placing).collect()
    }
}

/// Whoever the specifications stand for at this table, each once.
pub(crate) fn players(specs: &[Spec], config: &Config) -> anyhow::Result<Vec<Player>> {
    let mut players: Vec<Player> = Vec::new();
    for spec in specs {
        let player =
            Player::new(spec, venue(config), WithoutNet::Refuse).with_context(|| spec.to_string())?;
        if let Some(twin) = players.iter().find(|twin| twin.config.resolved() == player.config.resolved()) {
            bail!("{spec} is the same agent as {}: expected every participant once", twin.spec);
        }
        players.push(player);
    }
    Ok(players)
}

/// The seed from which the games of an event are played: events that differ in anything share no game.
pub(crate) fn seed(event: &Event) -> u64 {
    u64::from_str_radix(&event.id[..16], 16).expect("an id is hexadecimal digits")
}

/// Plays what the database lacks.
pub(crate) fn play(
    plan: &Plan,
    store: &mut Store,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<Finished> {
    on_game!(plan.config, P => play_on::<P>(plan, store, printer, quiet))
}

fn play_on<P: Hosted>(
    plan: &Plan,
    store: &mut Store,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<Finished> {
    let participants = register(store, &plan.players)?;
    let ids: Vec<String> = participants.into_iter().map(|who| who.id).collect();
    store.begin(&plan.event)?;
    let ranks = |game: &StoredGame| game.seats.iter().map(|seat| seat.rank).collect();
    let earlier: Results =
        store.games(&plan.event.id)?.iter().map(|game| (game.number, ranks(game))).collect();
    let known = plan.schedule.fixtures(&earlier).len() as u64;
    let resumed = earlier.range(..known).count() as u64;
    if resumed > 0 {
        printer.note(format!("going on after {resumed} games in the database"));
    }
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).context("Ctrl-C cannot be caught")?;
    let bar = printer.progress(plan.schedule.total(), quiet);
    bar.set_position(resumed);
    let contenders: Vec<Contender<'_, P>> = plan
        .players
        .iter()
        .map(|player| Contender::new(player.limits(), |seed| player.agent(seed)))
        .collect();
    let contenders: Vec<&Contender<'_, P>> = contenders.iter().collect();
    let table = table::<P>(&plan.config, plan.opening)?;
    let start = Instant::now();
    let keep = |game: &arena::Seated<P>| {
        let names = game.players.iter().map(|&player| plan.players[player].config.to_string()).collect();
        let id = format!("{}-game-{}", &plan.event.id[..12], game.index + 1);
        let blank =
            GameRecord { seed: Some(plan.schedule.seed), ..GameRecord::new(id, plan.config.clone(), names) };
        let record = records::complete(blank, game);
        let seated: Vec<String> = game.players.iter().map(|&player| ids[player].clone()).collect();
        store.add_game(&plan.event.id, &records::stored(game.index, &record, &seated)?)?;
        bar.inc(1);
        Ok(())
    };
    let played =
        arena::play_schedule(&plan.schedule, &table, &contenders, earlier, plan.threads, &stop, keep);
    bar.finish_and_clear();
    let results = played.map_err(|error| match error {
        MatchError::Keep(error) => error,
        illegal @ MatchError::Illegal(_) => anyhow!(illegal.to_string()),
    })?;
    let elapsed = start.elapsed();
    let fixtures = plan.schedule.fixtures(&results);
    let complete = results.range(..fixtures.len() as u64).count() == fixtures.len();
    let games = store.games(&plan.event.id)?;
    let games =
        games.into_iter().filter_map(|game| Some((fixtures.get(game.number as usize)?.clone(), game)));
    Ok(Finished { games: games.collect(), resumed, complete, elapsed })
}

/// A table of this game.
pub(crate) fn table<P: Hosted>(config: &Config, opening: u32) -> anyhow::Result<Table<P>> {
    let start = P::new(&P::options(config)?);
    Ok(Table { start, opening, swaps_sides: P::swaps_sides, reason: P::end_reason })
}
