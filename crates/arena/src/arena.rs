//! Playing a schedule on many threads, with results that do not depend on them.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use game::Game;
use search::Stop;

use crate::{Conditions, Contender, Decision, IllegalMove, Played, Results, Schedule, play::play};

/// Sees every decision, on the thread of its game.
pub type DecisionHook<'a, G> = Box<dyn Fn(&Decision<'_, G>) + Sync + 'a>;

/// Where games are played: what, by whom, and how many at a time.
pub struct Arena<'a, G: Game> {
    /// What is played.
    pub conditions: Conditions<G>,
    /// Who can take part; schedules name them by their index here.
    pub contenders: Vec<Contender<'a, G>>,
    /// Games played at the same time, at least one.
    pub threads: usize,
    /// Called for every decision, after the agent has reported and before its move is played. Decisions of one game
    /// come in order; several games are under way at once.
    pub on_decision: Option<DecisionHook<'a, G>>,
}

/// Why an event broke off.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError<E> {
    /// An agent does not play by the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The caller could not keep a game.
    #[error("a game could not be kept")]
    Keep(E),
}

impl<'a, G: Game> Arena<'a, G> {
    /// An arena that plays one game at a time and shows its decisions to nobody.
    pub fn new(conditions: Conditions<G>, contenders: Vec<Contender<'a, G>>) -> Self {
        Self { conditions, contenders, threads: 1, on_decision: None }
    }

    /// Plays what `results` lack of a schedule, and returns all results.
    ///
    /// Game `i` is a function of the schedule, its seed and `i` alone. Every game that ends is handed to `keep`, in
    /// the order of the schedule whatever the order in which games ended. If `keep` breaks off, games behind that one
    /// are dropped: the decision depends on the games before it alone. After `stop` was raised, games under way are
    /// finished and no other is begun.
    ///
    /// # Errors
    /// If an agent breaks the rules, or `keep` fails. Games handed over before are as good as ever.
    ///
    /// # Panics
    /// If there are fewer contenders than participants, or the game has another number of seats than the schedule.
    pub fn play<E>(
        &self,
        schedule: &Schedule,
        mut results: Results,
        stop: &Stop,
        mut keep: impl FnMut(Played<G>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Results, PlayError<E>> {
        assert!(self.contenders.len() >= schedule.participants, "every participant needs a contender");
        assert_eq!(
            self.conditions.start.seats(),
            schedule.seats,
            "the schedule is for tables of another size"
        );
        loop {
            let fixtures = schedule.fixtures(&results);
            let open = Open::new(&results, fixtures.len());
            let before = results.len();
            let mut broken_off = false;
            let play = |place: u64, abandon: &Stop| {
                let index = open.index(place);
                let Some(fixture) = fixtures.get(index) else { return Ok(None) };
                play(self, schedule.seed, index, &fixture, abandon)
            };
            in_order(open.len(), self.threads, stop, play, |game: Played<G>| {
                results.insert(game.summary.index, game.summary.ranks());
                let flow = keep(game).map_err(PlayError::Keep)?;
                broken_off = flow.is_break();
                Ok(flow)
            })?;
            if broken_off || stop.is_raised() || results.len() == before {
                return Ok(results);
            }
        }
    }
}

/// The games that are still to be played: gaps among those there are, then everything behind them. A match may be
/// asked for with millions of games and decided after a hundred, so they are not listed.
struct Open {
    gaps: Vec<u64>,
    rest: Range<u64>,
}

impl Open {
    /// What `results` lack of `count` games.
    fn new(results: &Results, count: u64) -> Self {
        let begin = results.range(..count).next_back().map_or(0, |(&last, _)| last + 1);
        let gaps = (0..begin).filter(|index| !results.contains_key(index)).collect();
        Self { gaps, rest: begin..count }
    }

    fn len(&self) -> u64 {
        self.gaps.len() as u64 + (self.rest.end - self.rest.start)
    }

    /// The game in this place of the list.
    fn index(&self, place: u64) -> u64 {
        let behind = || self.rest.start + place - self.gaps.len() as u64;
        self.gaps.get(place as usize).copied().unwrap_or_else(behind)
    }
}

/// Plays `count` games on `threads` threads and hands them to `take` in their order, until it breaks off, fails or
/// there are no more. After `stop` was raised, games under way are finished and no other is begun.
fn in_order<T: Send, E>(
    count: u64,
    threads: usize,
    stop: &Stop,
    play: impl Fn(u64, &Stop) -> Result<Option<T>, IllegalMove> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, PlayError<E>>,
) -> Result<(), PlayError<E>> {
    let (next, abandon) = (AtomicU64::new(0), Stop::default());
    let work = |sender: SyncSender<(u64, Result<T, IllegalMove>)>| {
        while !stop.is_raised() && !abandon.is_raised() {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= count {
                break;
            }
            let Some(game) = play(place, &abandon).transpose() else { break };
            if sender.send((place, game)).is_err() {
                break;
            }
        }
    };
    // Short, so that a slow disk holds the games up and a stop is not a thousand quick games late.
    let (sender, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(sender));
        }
        drop(sender);
        let taken = take_in_order(receiver, take);
        // Whatever still runs is behind a decision or a failure.
        abandon.raise();
        taken
    })
}

/// Takes games as soon as all before them are taken. The receiver goes away with the call: that frees workers that
/// wait to send.
fn take_in_order<T, E>(
    games: Receiver<(u64, Result<T, IllegalMove>)>,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, PlayError<E>>,
) -> Result<(), PlayError<E>> {
    let (mut ahead, mut next) = (BTreeMap::new(), 0);
    for (place, game) in games {
        ahead.insert(place, game?);
        while let Some(game) = ahead.remove(&next) {
            next += 1;
            if take(game)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
