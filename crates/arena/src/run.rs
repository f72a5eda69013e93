//! Playing a match on many threads, with a result that does not depend on them.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use game::Game;
use search::Stop;

use crate::{Contender, IllegalMove, Played, Seating, Sprt, Summary, Table, Tally, play::play};

/// How much is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Match {
    /// Games to play; rounded up to whole rounds.
    pub games: u64,
    /// Everything random comes from here.
    pub seed: u64,
    /// Games played at the same time, at least one.
    pub threads: usize,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
}

impl Match {
    /// The number of games in whole rounds.
    pub fn whole_games(&self, seats: usize) -> u64 {
        self.games.next_multiple_of(Seating::round(seats))
    }
}

/// Why a match broke off.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatchError<E> {
    /// An agent does not play by the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The caller could not keep a game.
    #[error("a game could not be kept")]
    Keep(E),
}

/// Plays a match between A and B, in this order, and returns what came of it.
///
/// `earlier` are the first games, if they were played before. Every further one is handed to `keep`, with the tally
/// that includes it, in the order of the match whatever the order in which they ended. After `stop` was raised,
/// games under way are finished and no other is begun. When the test is decided, games behind the decision are
/// dropped: the decision depends on the games before it alone.
///
/// # Errors
/// If an agent breaks the rules, or `keep` fails. Games handed over before are as good as ever.
pub fn run<G: Game, E>(
    config: &Match,
    table: &Table<G>,
    contenders: [&Contender<'_, G>; 2],
    earlier: Vec<Summary>,
    stop: &Stop,
    mut keep: impl FnMut(&Played<G>, &Tally) -> Result<(), E>,
) -> Result<Tally, MatchError<E>> {
    let seats = table.start.seats();
    let wanted = config.whole_games(seats);
    let mut tally = Tally::new(seats, config.sprt);
    let begin = (earlier.len() as u64).min(wanted);
    earlier.into_iter().take(wanted as usize).for_each(|game| tally.push(game));
    if begin == wanted || tally.decision().is_some() {
        return Ok(tally);
    }
    let play = |place: u64, abandon: &Stop| play(table, contenders, config.seed, begin + place, abandon);
    in_order(wanted - begin, config.threads, stop, play, |game| {
        tally.push(game.summary.clone());
        keep(&game, &tally).map_err(MatchError::Keep)?;
        Ok(if tally.decision().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(tally)
}

/// Plays `count` games on `threads` threads and hands them to `take` in their order, until it breaks off, fails or
/// there are no more. After `stop` was raised, games under way are finished and no other is begun.
pub(crate) fn in_order<T: Send, E>(
    count: u64,
    threads: usize,
    stop: &Stop,
    play: impl Fn(u64, &Stop) -> Result<Option<T>, IllegalMove> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, MatchError<E>>,
) -> Result<(), MatchError<E>> {
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
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, MatchError<E>>,
) -> Result<(), MatchError<E>> {
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
