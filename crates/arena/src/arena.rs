//! Plays a schedule on several threads, with results that do not depend on the threads.

use std::ops::{ControlFlow, Range};

use game::Game;
use search::Stop;

use crate::{
    Conditions, Contender, Decision, IllegalMove, Played, Results, Schedule, in_order::in_order,
    opening::Openings, play::play,
};

/// A callback for every decision, called on the thread of its game.
pub type DecisionHook<'a, G> = Box<dyn Fn(&Decision<'_, G>) + Sync + 'a>;

/// Plays games between contenders under common conditions.
pub struct Arena<'a, G: Game> {
    /// The conditions of all games.
    pub conditions: Conditions<G>,
    /// The contenders. Schedules refer to them by index.
    pub contenders: Vec<Contender<'a, G>>,
    /// The number of games played at the same time, at least one.
    pub threads: usize,
    /// Called for every decision, after the agent has reported and before its move is played. Decisions of one game
    /// come in order, but those of several games may be interleaved.
    pub on_decision: Option<DecisionHook<'a, G>>,
}

/// Why playing a schedule failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError<E> {
    /// An agent chose an illegal move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The caller could not store a game.
    #[error("a game could not be stored")]
    Store(E),
}

impl<'a, G: Game> Arena<'a, G> {
    /// Creates an arena that plays one game at a time, without a decision callback.
    pub fn new(conditions: Conditions<G>, contenders: Vec<Contender<'a, G>>) -> Self {
        Self { conditions, contenders, threads: 1, on_decision: None }
    }

    /// Plays the games of a schedule that are missing from `results`, and returns all results.
    ///
    /// Game `i` depends only on the schedule, its seed and `i`. Every finished game is passed to `keep`, in the order
    /// of the schedule. If `keep` breaks, later games are dropped, so the decision depends only on the games before it.
    /// After `stop` is raised, current games are finished and no others start.
    ///
    /// # Errors
    /// If an agent chooses an illegal move, or `keep` fails. Games passed to `keep` before remain valid.
    ///
    /// # Panics
    /// If there are fewer contenders than participants, or if the game and the schedule differ in the number of seats.
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
            "the schedule is for another number of seats"
        );
        let openings = Openings::new(&self.conditions, schedule.seed, self.threads);
        loop {
            let fixtures = schedule.fixtures(&results);
            let open = RemainingGames::new(&results, fixtures.len());
            let before = results.len();
            let mut broken_off = false;
            let play = |place: u64, abandon: &Stop| {
                let index = open.index(place);
                let Some(fixture) = fixtures.get(index) else { return Ok(None) };
                play(self, &openings, (schedule.seed, index), &fixture, abandon)
            };
            in_order(open.len(), self.threads, stop, play, |game: Played<G>| {
                results.insert(game.summary.index, game.summary.ranks());
                let flow = keep(game).map_err(PlayError::Store)?;
                broken_off = flow.is_break();
                Ok::<_, PlayError<E>>(flow)
            })?;
            if broken_off || stop.is_raised() || results.len() == before {
                return Ok(results);
            }
        }
    }
}

/// The games still to be played: gaps among the existing results, then everything after them. Games are not listed
/// individually, since a match of millions of games may be decided after a hundred.
struct RemainingGames {
    gaps: Vec<u64>,
    rest: Range<u64>,
}

impl RemainingGames {
    /// The games that are missing from `results`, out of `count`.
    fn new(results: &Results, count: u64) -> Self {
        let begin = results.range(..count).next_back().map_or(0, |(&last, _)| last + 1);
        let gaps = (0..begin).filter(|index| !results.contains_key(index)).collect();
        Self { gaps, rest: begin..count }
    }

    fn len(&self) -> u64 {
        self.gaps.len() as u64 + (self.rest.end - self.rest.start)
    }

    /// The game at this position of the list.
    fn index(&self, place: u64) -> u64 {
        let behind = || self.rest.start + place - self.gaps.len() as u64;
        self.gaps.get(place as usize).copied().unwrap_or_else(behind)
    }
}
