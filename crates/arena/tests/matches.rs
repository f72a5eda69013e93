//! Whole matches on a toy game.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{cell::RefCell, time::Duration};

use arena::{Contender, Decision, Match, MatchError, Played, Points, Side, Sprt, Summary, Table, Tally, run};
use game::{
    Game, Seat,
    toy::{Take, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Candidate, Cause, Forfeit, Limits, Mcts, MctsOptions, Random, Report, Rollout, Stop};

fn random<'a>() -> Contender<'a, Take> {
    Contender::new(Limits::nodes(0), |seed| Box::new(Random::new(Xoshiro256PlusPlus::seed_from_u64(seed))))
}

fn mcts<'a>(simulations: u64) -> Contender<'a, Take> {
    Contender::new(Limits::nodes(simulations), |seed| {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Box::new(Mcts::new(Rollout::new(rng.clone()), rng, MctsOptions::default()))
    })
}

fn table(seats: u8) -> Table<Take> {
    Table::new(Take::new(&TakeRules { tokens: 23, most: 3, seats }), 3)
}

fn config(games: u64, threads: usize) -> Match {
    Match { games, seed: 7, threads, sprt: None }
}

/// Summaries with the clock taken out, which alone may differ between runs.
fn timeless(mut game: Summary) -> Summary {
    game.costs.iter_mut().for_each(|cost| cost.time = Duration::ZERO);
    game
}

/// Plays a match and returns all games as they were handed over.
fn play(
    config: &Match,
    table: &Table<Take>,
    sides: [&Contender<'_, Take>; 2],
    earlier: Vec<Summary>,
) -> (Vec<Played<Take>>, Tally) {
    let mut games = Vec::new();
    let tally = run(config, table, sides, earlier, &Stop::default(), |game, _| {
        games.push(game.clone());
        Ok::<(), ()>(())
    });
    (games, tally.unwrap())
}

fn summaries(games: &[Played<Take>]) -> Vec<Summary> {
    games.iter().map(|game| timeless(game.summary.clone())).collect()
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    for seats in 2..=4 {
        let table = table(seats);
        let (one, alone) = play(&config(48, 1), &table, [&mcts(20), &random()], Vec::new());
        for threads in [2, 5] {
            let (many, together) = play(&config(48, threads), &table, [&mcts(20), &random()], Vec::new());
            assert_eq!(summaries(&one), summaries(&many), "{seats} seats, {threads} threads");
            assert!(one.iter().zip(&many).all(|(one, many)| one.game.moves == many.game.moves));
            assert_eq!(alone.score().to_bits(), together.score().to_bits());
            assert_eq!(alone.round_scores(), together.round_scores());
        }
        let indices: Vec<u64> = one.iter().map(|game| game.game.index).collect();
        assert_eq!(indices, (0..48).collect::<Vec<_>>(), "games are handed over in order");
    }
}

#[test]
fn another_seed_plays_other_games() {
    let table = table(2);
    let (first, _) = play(&config(8, 1), &table, [&random(), &random()], Vec::new());
    let (second, _) = play(&Match { seed: 8, ..config(8, 1) }, &table, [&random(), &random()], Vec::new());
    assert_ne!(summaries(&first), summaries(&second));
}

#[test]
fn an_opening_is_played_from_every_seat() {
    for (seats, round) in [(2, 2), (3, 6), (4, 8)] {
        let (games, _) = play(&config(round * 3, 2), &table(seats), [&random(), &random()], Vec::new());
        assert_eq!(games.len() as u64, round * 3);
        for games in games.chunks(round as usize) {
            let opening = &games[0].game.moves[..games[0].game.opening];
            assert!(opening.len() >= 3, "three decisions, and forced steps");
            assert!(games.iter().all(|game| &game.game.moves[..game.game.opening] == opening));
            for seat in Seat::all(seats.into()) {
                let ours = games.iter().filter(|game| game.seating.side(seat) == Side::A).count();
                assert_eq!(2 * ours, games.len(), "seat {seat} of {seats}");
            }
        }
    }
}

/// Plays the theory of the game and remembers in which seats it was asked.
struct Perfect<'a>(&'a std::sync::Mutex<Vec<Seat>>);

impl Agent<Take> for Perfect<'_> {
    fn think_aloud(
        &mut self,
        root: &Take,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&Report<TakeMove>),
    ) -> Report<TakeMove> {
        self.0.lock().unwrap().push(root.to_move());
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(moves.len() > 1, "a step without a choice is played without asking");
        let wins = |m: &&TakeMove| {
            let mut child = root.clone();
            child.play_unchecked(**m, &mut ());
            child.is_over() || child.mover_wins() == (child.to_move() == root.to_move())
        };
        let best = *moves.iter().find(wins).unwrap_or(&moves[0]);
        Report { nodes: 1, ..Report::new("perfect", vec![Candidate::new(best)]) }
    }
}

#[test]
fn seats_are_swapped_and_perfect_play_gives_each_opening_to_its_better_seat() {
    let asked = std::sync::Mutex::new(Vec::new());
    // Agents are boxed without a lifetime, so the list has to outlive the test.
    let asked: &'static std::sync::Mutex<Vec<Seat>> = Box::leak(Box::new(asked));
    let perfect = || Contender::new(Limits::nodes(1), |_| Box::new(Perfect(asked)));
    let (games, tally) = play(&config(20, 2), &table(2), [&perfect(), &perfect()], Vec::new());
    // The winner is a matter of the opening, so every pair is split: the seats were really swapped.
    assert_eq!(tally.pentanomial(), Some([0, 0, 10, 0, 0]));
    assert_eq!((tally.wins(Side::A), tally.wins(Side::B), tally.draws()), (10, 10, 0));
    for pair in games.chunks(2) {
        assert_eq!(pair[0].game.moves, pair[1].game.moves);
        assert_eq!(pair[0].summary.costs[0].decisions, pair[1].summary.costs[1].decisions);
    }
    assert!(tally.distinct() <= 10, "twins are counted once: {}", tally.distinct());
    let decisions = tally.cost(Side::A).decisions + tally.cost(Side::B).decisions;
    assert_eq!(decisions as usize, asked.lock().unwrap().len());
    assert_eq!(decisions, tally.cost(Side::A).nodes + tally.cost(Side::B).nodes);
}

#[test]
fn the_better_side_is_measured_as_such_at_every_table() {
    for seats in 2..=4 {
        let (_, tally) = play(&config(96, 2), &table(seats), [&mcts(200), &random()], Vec::new());
        assert!(tally.score_interval().low > 0.5, "{seats} seats: {}", tally.score());
        assert!(tally.elo_interval().low > 0.0 && tally.elo() >= tally.elo_interval().low);
        let (_, mirrored) = play(&config(96, 2), &table(seats), [&random(), &mcts(200)], Vec::new());
        assert!(mirrored.score_interval().high < 0.5, "{seats} seats: {}", mirrored.score());
    }
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let table = table(2);
    let whole_config = config(30, 2);
    let (whole, tally) = play(&whole_config, &table, [&mcts(10), &random()], Vec::new());
    for played in [0, 1, 7, 29, 30] {
        let earlier = whole[..played].iter().map(|game| game.summary.clone()).collect();
        let (rest, resumed) = play(&whole_config, &table, [&mcts(10), &random()], earlier);
        assert_eq!(rest.len(), 30 - played);
        assert_eq!(summaries(&rest), summaries(&whole[played..]));
        assert_eq!(resumed.round_scores(), tally.round_scores());
        assert_eq!(resumed.distinct(), tally.distinct());
    }
}

#[test]
fn a_stop_finishes_what_runs_and_counts_whole_rounds() {
    for threads in [1, 3] {
        let stop = Stop::default();
        let kept = RefCell::new(0);
        let tally =
            run(&config(1000, threads), &table(2), [&random(), &random()], Vec::new(), &stop, |_, _| {
                *kept.borrow_mut() += 1;
                if *kept.borrow() == 5 {
                    stop.raise();
                }
                Ok::<(), ()>(())
            });
        let (tally, kept) = (tally.unwrap(), kept.into_inner());
        assert!((5..1000).contains(&kept), "{kept} games");
        assert_eq!(tally.games() + tally.waiting(), kept);
        assert!(tally.games().is_multiple_of(2) && tally.waiting() < 2);
    }
}

#[test]
fn the_test_ends_at_the_same_game_for_any_number_of_threads() {
    let sprt = Some(Sprt::new(0.0, 50.0).unwrap());
    let decided = |threads, sides: [&Contender<'_, Take>; 2]| {
        let config = Match { sprt, ..config(2000, threads) };
        let (games, tally) = play(&config, &table(2), sides, Vec::new());
        assert_eq!(games.len() as u64, tally.games(), "nothing behind the decision is handed over");
        (tally.decision().unwrap(), tally.games(), tally.sprt().unwrap().1.to_bits())
    };
    let (strong, weak) = (mcts(100), random());
    let up = decided(1, [&strong, &weak]);
    assert_eq!(up.0, Decision::H1);
    assert!(up.1 < 200, "a clear case is short: {} games", up.1);
    assert_eq!(up, decided(3, [&strong, &weak]));
    assert_eq!(decided(2, [&weak, &strong]).0, Decision::H0);
}

#[test]
fn a_failure_to_keep_a_game_ends_the_match() {
    let result =
        run(&config(1000, 2), &table(2), [&random(), &random()], Vec::new(), &Stop::default(), |game, _| {
            if game.game.index == 3 { Err("full") } else { Ok(()) }
        });
    assert_eq!(result.unwrap_err(), MatchError::Keep("full"));
}

/// Plays one decision at random, and gives up at the second.
struct Faint(Random<Xoshiro256PlusPlus>, Cause, bool);

impl Agent<Take> for Faint {
    fn think_aloud(
        &mut self,
        root: &Take,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<TakeMove>),
    ) -> Report<TakeMove> {
        let report = self.0.think_aloud(root, limits, stop, tell);
        let forfeit = self.2.then(|| Forfeit::new(self.1, "once is enough"));
        self.2 = true;
        Report { forfeit, ..report }
    }
}

#[test]
fn whoever_forfeits_loses_that_game_and_the_match_goes_on() {
    for (seats, cause) in [(2, Cause::Failure), (3, Cause::Resignation), (4, Cause::Timeout)] {
        let faint = Contender::new(Limits::nodes(0), |seed| {
            Box::new(Faint(Random::new(Xoshiro256PlusPlus::seed_from_u64(seed)), cause, false))
        });
        let (games, tally) = play(&config(48, 2), &table(seats), [&random(), &faint], Vec::new());
        assert_eq!(tally.games(), 48);
        let forfeited: Vec<_> = games.iter().filter(|game| game.game.forfeit.is_some()).collect();
        assert!(forfeited.len() > 30, "{}", forfeited.len());
        for Played { seating, game, summary } in forfeited {
            let quitter = game.last.to_move();
            assert!(!game.last.is_over() && seating.side(quitter) == Side::B);
            assert_eq!(game.ranks[quitter.index()], seats);
            assert!(game.ranks.iter().filter(|&&rank| rank == 1).count() == usize::from(seats) - 1);
            assert_eq!(summary.reason, cause.name());
            assert!(seats > 2 || summary.points == Points::WIN, "of two the other wins");
        }
        assert_eq!(tally.reasons()[cause.name()], tally.games() - tally.reasons().get("end").unwrap_or(&0));
    }
}

#[test]
fn a_game_too_short_for_its_opening_gets_a_shorter_one() {
    let table = Table::new(Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), 50);
    let (games, tally) = play(&config(10, 2), &table, [&random(), &random()], Vec::new());
    assert_eq!(tally.games(), 10);
    assert!(
        games.iter().all(|game| game.game.opening < game.game.moves.len()),
        "the opening never ends the game"
    );
    // Where there is no choice nobody is asked.
    let table = Table::new(Take::new(&TakeRules { tokens: 1, most: 1, seats: 2 }), 0);
    let (_, tally) = play(&config(2, 1), &table, [&random(), &random()], Vec::new());
    assert_eq!(tally.cost(Side::A).decisions, 0);
}
