//! Many games at once on one thread, whose searches share the batches of one evaluator.

use std::sync::atomic::{AtomicU64, Ordering};

use game::{Evaluation, Evaluator, Game, Request};
use ladder::{Playable, Player};
use record::Recorded;
use search::{Limits, Report, Search, Step, Stop, drive};

use crate::{
    Plan,
    game::{Ongoing, purpose},
    run::Games,
};

/// Whether the games of these players can share batches: step-wise searches with the same evaluator, which nothing else
/// needs.
pub(crate) fn can_interleave(players: &[Player], cheap: Option<&Player>) -> bool {
    let searches = |player: &Player| player.is_stepwise();
    let alike = |player: &Player| {
        players
            .first()
            .is_some_and(|first| first.net == player.net && first.config.leaves == player.config.leaves)
    };
    players.iter().chain(cheap).all(|player| searches(player) && alike(player))
}

/// The evaluations of a run, over all threads.
#[derive(Debug, Default)]
pub(crate) struct EvaluationCounts {
    batches: AtomicU64,
    requests: AtomicU64,
}

impl EvaluationCounts {
    /// The number of batches, and of the positions in them.
    pub(crate) fn read(&self) -> (u64, u64) {
        (self.batches.load(Ordering::Relaxed), self.requests.load(Ordering::Relaxed))
    }
}

/// An evaluator that counts what it is asked.
struct Counting<'a, G> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    counts: &'a EvaluationCounts,
}

impl<G: Game> Evaluator<G> for Counting<'_, G> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluator.evaluate(requests, evaluations);
        self.counts.batches.fetch_add(1, Ordering::Relaxed);
        self.counts.requests.fetch_add(requests.len() as u64, Ordering::Relaxed);
    }

    fn identity(&self) -> Option<u64> {
        self.evaluator.identity()
    }
}

/// The searches of one game: one per seat, and after them one per seat for cheap searches. One of them is at work.
struct Seats<P: Game> {
    searches: Vec<(Box<dyn Search<P>>, Limits)>,
    active: usize,
}

impl<P: Playable + Recorded> Seats<P> {
    fn new(plan: &Plan, game: &Ongoing<'_, P>) -> Self {
        let seated = game.players.iter().map(|&player| &plan.players[player]);
        let cheap = plan.cheap.iter().flat_map(|player| game.players.iter().map(move |_| player));
        let all = (purpose::AGENTS..).zip(seated).chain((purpose::CHEAP..).zip(cheap));
        let search = |(purpose, player): (u64, &Player)| {
            let search = player.search::<P>(game.seed(purpose)).expect("the plan was checked");
            (search, player.limits())
        };
        Self { searches: all.map(search).collect(), active: 0 }
    }

    /// Begins the search of the next decision of a game. Returns whether there is one.
    fn begin_next(&mut self, game: &mut Ongoing<'_, P>, is_full: &mut bool) -> bool {
        if !game.advance() {
            return false;
        }
        *is_full = game.is_full();
        let seat = game.position.to_move().index();
        self.active = if *is_full { seat } else { game.players.len() + seat };
        let (search, limits) = &mut self.searches[self.active];
        search.begin(&game.position, limits);
        true
    }
}

impl<P: Game> Search<P> for Seats<P> {
    fn begin(&mut self, root: &P, limits: &Limits) {
        self.searches[self.active].0.begin(root, limits);
    }

    fn step(&mut self, stop: &Stop) -> Step {
        self.searches[self.active].0.step(stop)
    }

    fn is_interrupted(&self, stop: &Stop) -> bool {
        self.searches[self.active].0.is_interrupted(stop)
    }

    fn pending(&self) -> usize {
        self.searches[self.active].0.pending()
    }

    fn request(&self, index: usize) -> Request<'_, P> {
        self.searches[self.active].0.request(index)
    }

    fn resume(&mut self, evaluations: &[Evaluation<P::Move>]) {
        self.searches[self.active].0.resume(evaluations);
    }

    fn report(&self) -> Report<P::Move> {
        self.searches[self.active].0.report()
    }
}

/// A game that is being played, with whether its current search is a full one.
type Place<'p, P> = Option<(Ongoing<'p, P>, bool)>;

/// Plays games until there are no more, several at once.
pub(crate) fn play<P: Playable + Recorded>(plan: &Plan, games: &Games<'_>) {
    let most = plan.options.interleave;
    let evaluator = plan.players[0].leaf_evaluator::<P>(plan.options.seed);
    let mut evaluator = Counting { evaluator, counts: games.evaluations() };
    let begun = || next_game::<P>(plan, games);
    let (mut places, mut searches): (Vec<Place<'_, P>>, Vec<Seats<P>>) = std::iter::from_fn(begun)
        .take(most)
        .map(|(game, is_full, seats)| (Some((game, is_full)), seats))
        .unzip();
    drive(&mut searches, &mut evaluator, most, games.stop(), |index, search| {
        let Some((game, is_full)) = places[index].as_mut().filter(|_| !games.is_stopped()) else {
            return false;
        };
        let report = search.report();
        match game.check(&report) {
            Err(error) => {
                games.finish(game.index, Err(error));
                return false;
            }
            Ok(true) => {
                let stats = game.statistics(&report, *is_full);
                game.decide(stats, report.best);
                if search.begin_next(game, is_full) {
                    return true;
                }
            }
            Ok(false) => {}
        }
        if let Some((game, _)) = places[index].take() {
            games.finish(game.index, Ok(game.finish()));
        }
        // Another game takes its place.
        let Some((game, is_full, seats)) = next_game(plan, games) else { return false };
        places[index] = Some((game, is_full));
        *search = seats;
        true
    });
}

/// The next game that has a decision, with the search of that decision begun; `None` if there is none.
fn next_game<'p, P: Playable + Recorded>(
    plan: &'p Plan,
    games: &Games<'_>,
) -> Option<(Ongoing<'p, P>, bool, Seats<P>)> {
    loop {
        let index = games.next()?;
        let mut game = match Ongoing::start(plan, index) {
            Ok(game) => game,
            Err(error) => {
                games.finish(index, Err(error));
                return None;
            }
        };
        let (mut seats, mut is_full) = (Seats::new(plan, &game), true);
        if seats.begin_next(&mut game, &mut is_full) {
            return Some((game, is_full, seats));
        }
        games.finish(index, Ok(game.finish()));
    }
}
