//! Measures the gain of common batches if calls of the evaluator have a latency, as a network on another device does.
//!
//! ```text
//! cargo run --release -p search --example batching -- 64 1000    # games, microseconds per call
//! ```
//!
//! The same decisions of RingRift on square8 are made twice: one game after the other, and all games at once in one
//! thread. Both must find the same moves.

#![expect(clippy::print_stdout, reason = "a program that measures")]

use std::{
    thread,
    time::{Duration, Instant},
};

use eval::{Heuristic, Persona};
use game::{Evaluation, Evaluator, Game, Request, ValuesOnly};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Move, Position, Rules, Square8};
use search::{BatchCounts, GumbelOptions, GumbelSearch, HeuristicPrior, Limits, Search, Stop, drive};

type Board = Position<Square8>;

/// Adds a fixed latency to every batch.
struct Delayed<E> {
    evaluator: E,
    latency: Duration,
}

impl<E: Evaluator<Board>> Evaluator<Board> for Delayed<E> {
    fn evaluate(&mut self, requests: &[Request<'_, Board>], evaluations: &mut [Evaluation<Move>]) {
        thread::sleep(self.latency);
        self.evaluator.evaluate(requests, evaluations);
    }
}

/// Decisions per game.
const DECISIONS: usize = 6;
const LIMITS: Limits = Limits::nodes(16);

/// Plays the first decisions of `games` at once, each with its own search.
fn play(games: std::ops::Range<usize>, latency: Duration) -> (Vec<Vec<Move>>, BatchCounts) {
    let evaluator = HeuristicPrior::new(ValuesOnly(Heuristic::new(Persona::Balanced)), 20.0);
    let mut evaluator = Delayed { evaluator, latency };
    let options = GumbelOptions { noise: 1.0, ..GumbelOptions::default() };
    let mut positions: Vec<Board> = games.clone().map(|_| Position::new(&Rules::new(2))).collect();
    let mut searches: Vec<_> = games
        .map(|game| GumbelSearch::new(Xoshiro256PlusPlus::seed_from_u64(game as u64), options))
        .collect();
    for (search, position) in searches.iter_mut().zip(&positions) {
        search.begin(position, &LIMITS);
    }
    let mut played = vec![Vec::new(); positions.len()];
    let counts = drive(&mut searches, &mut evaluator, 64, &Stop::default(), |game, search| {
        let best = search.report().best;
        played[game].push(best);
        positions[game].play_unchecked(best, &mut ());
        let goes_on = played[game].len() < DECISIONS && !positions[game].is_over();
        if goes_on {
            search.begin(&positions[game], &LIMITS);
        }
        goes_on
    });
    (played, counts)
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().ok());
    let games = arguments.next().flatten().unwrap_or(64);
    let latency = Duration::from_micros(arguments.next().flatten().unwrap_or(1_000) as u64);
    let start = Instant::now();
    let mut alone = (Vec::new(), BatchCounts::default());
    for game in 0..games {
        let (played, counts) = play(game..game + 1, latency);
        alone.0.extend(played);
        alone.1.batches += counts.batches;
        alone.1.requests += counts.requests;
    }
    let seconds_alone = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let together = play(0..games, latency);
    let seconds_together = start.elapsed().as_secs_f64();
    assert_eq!(alone.0, together.0, "the same moves either way");
    println!("{games} games, {DECISIONS} decisions each, {latency:?} per call");
    for (name, counts, seconds) in
        [("one by one", alone.1, seconds_alone), ("interleaved", together.1, seconds_together)]
    {
        let (batches, mean) = (counts.batches, counts.mean());
        println!("{name:>12}: {seconds:7.2} s, {batches:6} calls, {mean:5.1} requests per call");
    }
    println!("{:>12}: {:.1} times as fast", "", seconds_alone / seconds_together);
}
