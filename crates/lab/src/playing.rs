//! Plays events into storage and resumes earlier runs.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use arena::{
    Arena, Conditions, Contender, GameSummary, PlayError, Played, Schedule,
    store::{Entrant, Event, Participant, RunState},
};
use ladder::{Models, Playable, Player, Spec, WithoutNet};
use record::{Config, GameRecord, Recorded, on_game};
use search::Stop;
use serde_json::Value;

use crate::{Form, Heartbeat, Judge, LabError, Storage, records, venue};

/// A fully resolved event, ready to be played.
pub struct Plan {
    /// The form of the event.
    pub form: Form,
    /// The players.
    pub players: Vec<Player>,
    /// The players as participants of the database.
    pub participants: Vec<Participant>,
    /// The configuration of the game.
    pub config: Config,
    /// The number of random decisions in an opening.
    pub opening_plies: u32,
    /// The judge that balances openings, or `None` if they are random.
    pub judge: Option<Judge>,
    /// The number of games played at the same time.
    pub threads: usize,
    /// The event in the database.
    pub event: Event,
    /// Everything that the event depends on, as JSON.
    pub resolved: Value,
    /// The schedule.
    pub schedule: Schedule,
    /// The request stored with the run, from which another process can resume it.
    pub request: Option<String>,
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The number of games from earlier runs.
    pub resumed: u64,
    /// Whether the event is complete: all games are played, or the observer ended it.
    pub complete: bool,
    /// The duration of this run.
    pub elapsed: Duration,
}

/// Observes the games of an event. A closure that takes games is an observer that ignores the number of earlier games.
pub trait EventObserver {
    /// Called first, with the number of games from earlier runs.
    fn resumed(&mut self, games: u64) {
        let _ = games;
    }

    /// Called for every game in order. Returns whether to continue.
    fn game(&mut self, game: GameSummary) -> ControlFlow<()>;
}

impl<F: FnMut(GameSummary) -> ControlFlow<()>> EventObserver for F {
    fn game(&mut self, game: GameSummary) -> ControlFlow<()> {
        self(game)
    }
}

/// Resolves specs to players for this game.
pub(crate) fn players(specs: &[Spec], config: &Config, models: &Models) -> Result<Vec<Player>, LabError> {
    let player = |spec: &Spec| {
        Player::with_models(spec, venue(config), WithoutNet::Refuse, models)
            .map_err(|source| LabError::Player { spec: spec.to_string(), source })
    };
    specs.iter().map(player).collect()
}

/// Like [`players`], but refuses duplicates.
pub(crate) fn distinct_players(
    specs: &[Spec],
    config: &Config,
    models: &Models,
) -> Result<Vec<Player>, LabError> {
    let players = players(specs, config, models)?;
    for (place, player) in players.iter().enumerate() {
        let twin = players[..place]
            .iter()
            .find(|twin| twin.by_content().resolved() == player.by_content().resolved());
        if let Some(twin) = twin {
            return Err(LabError::DuplicateParticipant {
                spec: player.spec.to_string(),
                twin: twin.spec.to_string(),
            });
        }
    }
    Ok(players)
}

impl Plan {
    /// The players as entrants of the run.
    pub fn entrants(&self) -> Vec<Entrant> {
        let entrant = |(player, participant): (&Player, &Participant)| Entrant {
            participant: participant.id.clone(),
            label: player.spec.to_string(),
        };
        self.players.iter().zip(&self.participants).map(entrant).collect()
    }

    /// The openings in words, as in `balanced openings of 4 decisions`.
    pub fn openings(&self) -> String {
        let kind = if self.judge.is_some() { "balanced" } else { "random" };
        match self.opening_plies {
            0 => "no openings".to_owned(),
            1 => format!("{kind} openings of 1 decision"),
            plies => format!("{kind} openings of {plies} decisions"),
        }
    }

    /// Checks that all external programs can be run, by starting each once.
    ///
    /// # Errors
    /// The error of the first program that cannot.
    pub fn probe(&self) -> Result<(), LabError> {
        self.players.iter().try_for_each(|player| {
            let named = |source| LabError::Player { spec: player.spec.to_string(), source };
            player.probe(venue(&self.config)).map_err(named)
        })
    }

    /// The record of game `index` before its first move.
    pub(crate) fn blank(&self, index: u64, players: &[usize]) -> GameRecord {
        let number = index + 1;
        // Records of a match are named by its seed, and its players by the requested specs.
        let (id, name): (String, fn(&Player) -> String) = match self.form {
            Form::Match { .. } => {
                (format!("match-{}-game-{number}", self.schedule.seed), |player| player.spec.to_string())
            }
            Form::Tournament { .. } | Form::Gauntlet => {
                (format!("{}-game-{number}", &self.event.id[..12]), |player| player.config.to_string())
            }
        };
        let names = players.iter().map(|&player| name(&self.players[player])).collect();
        GameRecord { seed: Some(self.schedule.seed), ..GameRecord::new(id, self.config.clone(), names) }
    }
}

/// Plays the games that the storage lacks, until `stop` is raised or the observer breaks.
///
/// The observer gets every game in the order of the event: first those from earlier runs, then each new one when it is
/// stored. Its decisions therefore depend only on the earlier games, not on interruptions.
///
/// # Errors
/// If the storage fails or belongs to another event, or an internal agent chooses an illegal move.
pub fn play(
    plan: &Plan,
    storage: &mut Storage,
    stop: &Stop,
    observer: &mut dyn EventObserver,
) -> Result<Finished, LabError> {
    storage.check_event(plan)?;
    let Some(store) = storage.store() else { return play_on(plan, storage, stop, observer) };
    for participant in &plan.participants {
        store.register(participant)?;
    }
    store.begin(&plan.event)?;
    let planned = plan.schedule.total();
    let heartbeat = Heartbeat::begin(store, &plan.event, planned, &plan.entrants(), plan.request.as_deref())?;
    let played = play_on(plan, storage, stop, observer);
    let (state, error) = match &played {
        Ok(finished) if finished.complete => (RunState::Complete, None),
        Ok(_) => (RunState::Stopped, None),
        Err(error) => (RunState::Failed, Some(error.to_string())),
    };
    let Some(store) = storage.store() else { return played };
    // The first error takes precedence.
    let ended = heartbeat.end(store, state, error.as_deref());
    let finished = played?;
    ended?;
    Ok(finished)
}

fn play_on(
    plan: &Plan,
    storage: &mut Storage,
    stop: &Stop,
    observer: &mut dyn EventObserver,
) -> Result<Finished, LabError> {
    let earlier = storage.load_games(plan)?;
    let resumed = earlier.len() as u64;
    observer.resumed(resumed);
    let results = earlier.iter().map(|game| (game.index, game.ranks())).collect();
    let mut flow = ControlFlow::Continue(());
    for game in earlier {
        flow = observer.game(game);
        if flow.is_break() {
            break;
        }
    }
    let start = Instant::now();
    let complete = match flow {
        ControlFlow::Break(()) => true,
        ControlFlow::Continue(()) => {
            on_game!(plan.config, P => play_rest::<P>(plan, results, storage, stop, observer)?)
        }
    };
    Ok(Finished { resumed, complete, elapsed: start.elapsed() })
}

/// Plays the games that are missing from `results`. Returns whether the event is complete.
fn play_rest<P: Playable + Recorded>(
    plan: &Plan,
    results: arena::Results,
    storage: &mut Storage,
    stop: &Stop,
    observer: &mut dyn EventObserver,
) -> Result<bool, LabError> {
    let contender = |player| Contender::new(Player::limits(player), |seed| player.agent(seed));
    let reason = |last: &P| last.result(0).map_or_else(|| "unfinished".to_owned(), |result| result.reason);
    let start = P::new(&P::options(&plan.config)?);
    let balance = plan.judge.as_ref().map(Judge::balance);
    let arena = Arena {
        conditions: Conditions { balance, ..Conditions::new(start, plan.opening_plies).in_notation(reason) },
        contenders: plan.players.iter().map(contender).collect(),
        threads: plan.threads,
        on_decision: None,
    };
    let mut broken_off = false;
    let keep = |game: Played<P>| {
        if storage.is_persistent() {
            let players = game.summary.placing().players;
            let record = records::complete(plan.blank(game.summary.index, &players), &game);
            storage.keep(plan, &game.summary, &record)?;
        }
        let flow = observer.game(game.summary);
        broken_off = flow.is_break();
        Ok(flow)
    };
    let results = arena.play(&plan.schedule, results, stop, keep).map_err(|error| match error {
        PlayError::Store(error) => error,
        illegal @ PlayError::Illegal(_) => LabError::Illegal(illegal.to_string()),
    })?;
    let known = plan.schedule.fixtures(&results).len();
    Ok(broken_off || results.range(..known).count() as u64 == known)
}
