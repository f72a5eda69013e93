//! Plays a schedule into a database, and goes on where an earlier run stopped.

use std::time::{Duration, Instant};

use arena::{
    Contender, Fixture, MatchError, Placing, Results, Schedule,
    store::{Entrant, Event, RunState, Store, StoredGame},
};
use ladder::{Player, Spec, WithoutNet};
use record::{Config, GameRecord, on_game};
use search::Stop;

use crate::{Contest, LabError, Presence, entrants, records, register, table, venue};

/// What is to be played, with nothing left open.
pub struct Plan {
    /// Who takes part.
    pub players: Vec<Player>,
    /// What is played.
    pub config: Config,
    /// Random decisions at the start.
    pub opening: u32,
    /// Games at the same time.
    pub threads: usize,
    /// The event in the database.
    pub event: Event,
    /// Who meets whom.
    pub schedule: Schedule,
    /// What is kept with the run, for whoever goes on with it.
    pub asked: Option<String>,
}

/// What there is after a run.
pub struct Finished {
    /// The games of the schedule that were played, in order.
    pub games: Vec<(Fixture, StoredGame)>,
    /// How many of them were there before.
    pub resumed: u64,
    /// Whether nothing is left to play.
    pub complete: bool,
    /// How long this run took.
    pub elapsed: Duration,
}

impl Finished {
    /// How the games ended, by participants of the schedule.
    pub fn placings(&self) -> Vec<Placing> {
        let placing = |(fixture, game): &(Fixture, StoredGame)| Placing {
            players: fixture.players.clone(),
            ranks: game.seats.iter().map(|seat| seat.rank).collect(),
        };
        self.games.iter().map(placing).collect()
    }
}

/// Whoever the specifications stand for at this table, each once.
///
/// # Errors
/// If there is no such agent, or one is named twice.
pub fn players(specs: &[Spec], config: &Config) -> Result<Vec<Player>, LabError> {
    let mut players: Vec<Player> = Vec::new();
    for spec in specs {
        let player = Player::new(spec, venue(config), WithoutNet::Refuse)
            .map_err(|source| LabError::Player { spec: spec.to_string(), source })?;
        if let Some(twin) = players.iter().find(|twin| twin.config.resolved() == player.config.resolved()) {
            return Err(LabError::Twin { spec: spec.to_string(), twin: twin.spec.to_string() });
        }
        players.push(player);
    }
    Ok(players)
}

/// The seed from which the games of an event are played: events that differ in anything share no game.
///
/// # Panics
/// If the id of the event was not made from its content.
pub fn seed(event: &Event) -> u64 {
    u64::from_str_radix(&event.id[..16], 16).expect("an id is hexadecimal digits")
}

/// Plays what the database lacks, until `stop` is raised. Tells of every game how it ended: first of those that were
/// there, then of each when it is.
///
/// # Errors
/// If the database refuses, or an agent of ours breaks the rules.
pub fn play(
    plan: &Plan,
    store: &mut Store,
    stop: &Stop,
    tell: &mut dyn FnMut(&Placing),
) -> Result<Finished, LabError> {
    register(store, &plan.players)?;
    store.begin(&plan.event)?;
    let entrants = entrants(&plan.players);
    let planned = plan.schedule.total();
    let presence = Presence::begin(store, &plan.event, planned, &entrants, plan.asked.as_deref())?;
    let played = on_game!(plan.config, P => play_on::<P>(plan, &entrants, store, stop, tell));
    let (state, error) = match &played {
        Ok(finished) if finished.complete => (RunState::Complete, None),
        Ok(_) => (RunState::Stopped, None),
        Err(error) => (RunState::Failed, Some(error.to_string())),
    };
    // What went wrong first is what matters.
    let ended = presence.end(store, state, error.as_deref());
    let finished = played?;
    ended?;
    Ok(finished)
}

fn play_on<P: Contest>(
    plan: &Plan,
    entrants: &[Entrant],
    store: &mut Store,
    stop: &Stop,
    tell: &mut dyn FnMut(&Placing),
) -> Result<Finished, LabError> {
    let ranks = |game: &StoredGame| game.seats.iter().map(|seat| seat.rank).collect();
    let earlier: Results =
        store.games(&plan.event.id)?.iter().map(|game| (game.number, ranks(game))).collect();
    let known = plan.schedule.fixtures(&earlier);
    let resumed = earlier.range(..known.len() as u64).count() as u64;
    for (&number, ranks) in earlier.range(..known.len() as u64) {
        tell(&Placing { players: known[number as usize].players.clone(), ranks: ranks.clone() });
    }
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
        let seated: Vec<String> =
            game.players.iter().map(|&player| entrants[player].participant.clone()).collect();
        let stored = records::stored(game.index, &record, &seated)?;
        store.add_game(&plan.event.id, &stored)?;
        let ranks = stored.seats.iter().map(|seat| seat.rank).collect();
        tell(&Placing { players: game.players.clone(), ranks });
        Ok(())
    };
    let played = arena::play_schedule(&plan.schedule, &table, &contenders, earlier, plan.threads, stop, keep);
    let results = played.map_err(|error| match error {
        MatchError::Keep(error) => error,
        illegal @ MatchError::Illegal(_) => LabError::Illegal(illegal.to_string()),
    })?;
    let elapsed = start.elapsed();
    let fixtures = plan.schedule.fixtures(&results);
    let complete = results.range(..fixtures.len() as u64).count() == fixtures.len();
    let games = store.games(&plan.event.id)?;
    let games =
        games.into_iter().filter_map(|game| Some((fixtures.get(game.number as usize)?.clone(), game)));
    Ok(Finished { games: games.collect(), resumed, complete, elapsed })
}
