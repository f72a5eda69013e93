//! Whole matches on a toy game.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::{cell::RefCell, ops::ControlFlow, sync::Arc, time::Duration};

use arena::{
    Arena, Balance, Conditions, Contender, End, GameSummary, Hypothesis, PlayError, Played, Points, Results,
    Schedule, Seating, Side, Sprt, Tally,
};
use game::{
    Forfeit, ForfeitKind, Game, Seat, Values,
    toy::{Take, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Candidate, Limits, Random, Report, Stop};
use support::{mcts, random};

fn conditions(seats: u8) -> Conditions<Take> {
    Conditions::new(Take::new(&TakeRules { tokens: 23, most: 3, seats }), 3)
}

/// The parameters of a match.
#[derive(Clone, Copy)]
struct Match {
    games: u64,
    seed: u64,
    threads: usize,
    sprt: Option<Sprt>,
}

fn config(games: u64, threads: usize) -> Match {
    Match { games, seed: 7, threads, sprt: None }
}

/// A summary without times, which differ between runs.
fn timeless(mut game: GameSummary) -> GameSummary {
    game.seats.iter_mut().filter_map(|seat| seat.cost.as_mut()).for_each(|cost| cost.time = Duration::ZERO);
    game
}

/// Plays a match and returns all games in the order in which they are reported.
fn play(
    config: &Match,
    conditions: &Conditions<Take>,
    sides: [Contender<'_, Take>; 2],
    earlier: Vec<GameSummary>,
) -> (Vec<Played<Take>>, Tally) {
    let seats = conditions.start.seats();
    let (mut games, mut tally) = (Vec::new(), Tally::new(seats, config.sprt));
    let results: Results = earlier.iter().map(|game| (game.index, game.ranks())).collect();
    for game in earlier {
        tally.push(game);
    }
    let arena = Arena { threads: config.threads, ..Arena::new(conditions.clone(), sides.into()) };
    let schedule = Schedule::of_match(seats, config.games, config.seed);
    let played = arena.play(&schedule, results, &Stop::default(), |game| {
        tally.push(game.summary.clone());
        games.push(game);
        Ok::<_, ()>(match tally.decision() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        })
    });
    played.unwrap();
    (games, tally)
}

fn summaries(games: &[Played<Take>]) -> Vec<GameSummary> {
    games.iter().map(|game| timeless(game.summary.clone())).collect()
}

/// An arbitrary judge, which accepts about a third of the openings.
fn balance() -> Balance<Take> {
    let judge = |position: &Take| {
        let value = (position.key() % 1000) as f32 / 1000.0;
        Values([value, -value, 0.0, 0.0])
    };
    Balance { judge: Arc::new(judge), tolerance: 0.3, draws: 8 }
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    for (seats, balance) in [(2, None), (3, None), (4, None), (2, Some(balance())), (4, Some(balance()))] {
        let conditions = Conditions { balance, ..conditions(seats) };
        let (one, alone) = play(&config(48, 1), &conditions, [mcts(20), random()], Vec::new());
        for threads in [2, 5] {
            let (many, together) = play(&config(48, threads), &conditions, [mcts(20), random()], Vec::new());
            assert_eq!(summaries(&one), summaries(&many), "{seats} seats, {threads} threads");
            assert!(one.iter().zip(&many).all(|(one, many)| one.moves == many.moves));
            assert_eq!(alone.score().to_bits(), together.score().to_bits());
            assert_eq!(alone.round_scores(), together.round_scores());
        }
        let indices: Vec<u64> = one.iter().map(|game| game.summary.index).collect();
        assert_eq!(indices, (0..48).collect::<Vec<_>>(), "games are reported in order");
    }
}

#[test]
fn another_seed_plays_other_games() {
    let conditions = conditions(2);
    let (first, _) = play(&config(8, 1), &conditions, [random(), random()], Vec::new());
    let (second, _) = play(&Match { seed: 8, ..config(8, 1) }, &conditions, [random(), random()], Vec::new());
    assert_ne!(summaries(&first), summaries(&second));
}

#[test]
fn an_opening_is_played_from_every_seat() {
    for (seats, round) in [(2, 2), (3, 6), (4, 8)] {
        let (games, _) = play(&config(round * 3, 2), &conditions(seats), [random(), random()], Vec::new());
        assert_eq!(games.len() as u64, round * 3);
        for games in games.chunks(round as usize) {
            let opening = |game: &Played<Take>| game.moves[..game.summary.opening_plies as usize].to_vec();
            assert!(opening(&games[0]).len() >= 3, "three decisions, and forced moves");
            assert!(games.iter().all(|game| opening(game) == opening(&games[0])));
            for seat in 0..usize::from(seats) {
                let ours = games.iter().filter(|game| game.summary.seats[seat].player == 0).count();
                assert_eq!(2 * ours, games.len(), "seat {seat} of {seats}");
            }
        }
    }
}

/// Plays perfectly and records the seats in which it decides.
struct Perfect<'a>(&'a std::sync::Mutex<Vec<Seat>>);

impl Agent<Take> for Perfect<'_> {
    fn think_with_progress(
        &mut self,
        root: &Take,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&Report<TakeMove>),
    ) -> Report<TakeMove> {
        self.0.lock().unwrap().push(root.to_move());
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(moves.len() > 1, "forced moves are played without the agent");
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
    // Boxed agents are `'static`, so the list has to outlive the test.
    let asked: &'static std::sync::Mutex<Vec<Seat>> = Box::leak(Box::new(asked));
    let perfect = || Contender::new(Limits::nodes(1), |_| Box::new(Perfect(asked)));
    let (games, tally) = play(&config(20, 2), &conditions(2), [perfect(), perfect()], Vec::new());
    // The opening determines the winner, so every pair is split if the seats are swapped.
    assert_eq!(tally.pentanomial(), Some([0, 0, 10, 0, 0]));
    assert_eq!((tally.wins(Side::A), tally.wins(Side::B), tally.draws()), (10, 10, 0));
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves, pair[1].moves);
        let spent = |game: &Played<Take>| {
            game.summary.seats.iter().map(|seat| seat.cost.unwrap().decisions).collect()
        };
        let [one, two]: [Vec<u64>; 2] = [spent(&pair[0]), spent(&pair[1])];
        assert_eq!(one, two, "equal by seat");
    }
    assert!(tally.distinct() <= 10, "equal games are counted once: {}", tally.distinct());
    let decisions = tally.cost(Side::A).decisions + tally.cost(Side::B).decisions;
    assert_eq!(decisions as usize, asked.lock().unwrap().len());
    assert_eq!(decisions, tally.cost(Side::A).nodes + tally.cost(Side::B).nodes);
}

#[test]
fn the_better_side_scores_more_with_any_number_of_seats() {
    for seats in 2..=4 {
        let (_, tally) = play(&config(96, 2), &conditions(seats), [mcts(200), random()], Vec::new());
        assert!(tally.score_interval().low > 0.5, "{seats} seats: {}", tally.score());
        assert!(tally.elo_interval().low > 0.0 && tally.elo() >= tally.elo_interval().low);
        let (_, mirrored) = play(&config(96, 2), &conditions(seats), [random(), mcts(200)], Vec::new());
        assert!(mirrored.score_interval().high < 0.5, "{seats} seats: {}", mirrored.score());
    }
}

#[test]
fn a_match_can_be_resumed() {
    let conditions = conditions(2);
    let whole_config = config(30, 2);
    let (whole, tally) = play(&whole_config, &conditions, [mcts(10), random()], Vec::new());
    for played in [0, 1, 7, 29, 30] {
        let earlier = whole[..played].iter().map(|game| game.summary.clone()).collect();
        let (rest, resumed) = play(&whole_config, &conditions, [mcts(10), random()], earlier);
        assert_eq!(rest.len(), 30 - played);
        assert_eq!(summaries(&rest), summaries(&whole[played..]));
        assert_eq!(resumed.round_scores(), tally.round_scores());
        assert_eq!(resumed.distinct(), tally.distinct());
    }
}

#[test]
fn a_stop_finishes_current_games_and_counts_complete_rounds() {
    for threads in [1, 3] {
        let stop = Stop::default();
        let (kept, mut tally) = (RefCell::new(0), Tally::new(2, None));
        let arena = Arena { threads, ..Arena::new(conditions(2), vec![random(), random()]) };
        let played = arena.play(&Schedule::of_match(2, 1000, 7), Results::new(), &stop, |game| {
            tally.push(game.summary);
            *kept.borrow_mut() += 1;
            if *kept.borrow() == 5 {
                stop.raise();
            }
            Ok::<_, ()>(ControlFlow::Continue(()))
        });
        let (results, kept) = (played.unwrap(), kept.into_inner());
        assert_eq!(results.len() as u64, kept);
        assert!((5..1000).contains(&kept), "{kept} games");
        assert_eq!(tally.games() + tally.waiting(), kept);
        assert!(tally.games().is_multiple_of(2) && tally.waiting() < 2);
    }
}

#[test]
fn the_test_ends_at_the_same_game_for_any_number_of_threads() {
    let sprt = Some(Sprt::new(0.0, 50.0).unwrap());
    let decided = |threads, sides: [Contender<'_, Take>; 2]| {
        let config = Match { sprt, ..config(2000, threads) };
        let (games, tally) = play(&config, &conditions(2), sides, Vec::new());
        assert_eq!(games.len() as u64, tally.games(), "no games after the decision are reported");
        (tally.decision().unwrap(), tally.games(), tally.sprt().unwrap().1.to_bits())
    };
    let up = decided(1, [mcts(100), random()]);
    assert_eq!(up.0, Hypothesis::H1);
    assert!(up.1 < 200, "a clear case is short: {} games", up.1);
    assert_eq!(up, decided(3, [mcts(100), random()]));
    assert_eq!(decided(2, [random(), mcts(100)]).0, Hypothesis::H0);
}

#[test]
fn a_failure_to_store_a_game_ends_the_match() {
    let arena = Arena { threads: 2, ..Arena::new(conditions(2), vec![random(), random()]) };
    let result = arena.play(&Schedule::of_match(2, 1000, 7), Results::new(), &Stop::default(), |game| {
        if game.summary.index == 3 { Err("full") } else { Ok(ControlFlow::Continue(())) }
    });
    assert_eq!(result.unwrap_err(), PlayError::Store("full"));
}

/// Plays one random move and forfeits at the second decision.
struct Faint(Random<Xoshiro256PlusPlus>, ForfeitKind, bool);

impl Agent<Take> for Faint {
    fn think_with_progress(
        &mut self,
        root: &Take,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<TakeMove>),
    ) -> Report<TakeMove> {
        let report = self.0.think_with_progress(root, limits, stop, on_progress);
        let forfeit = self.2.then(|| Forfeit::new(self.1, "once is enough"));
        self.2 = true;
        Report { forfeit, ..report }
    }
}

#[test]
fn a_forfeit_loses_the_game_and_the_match_continues() {
    for (seats, kind) in [(2, ForfeitKind::Failure), (3, ForfeitKind::Resignation), (4, ForfeitKind::Timeout)]
    {
        let faint = Contender::new(Limits::nodes(0), |seed| {
            Box::new(Faint(Random::new(Xoshiro256PlusPlus::seed_from_u64(seed)), kind, false))
        });
        let (games, tally) = play(&config(48, 2), &conditions(seats), [random(), faint], Vec::new());
        assert_eq!(tally.games(), 48);
        let forfeited: Vec<_> = games.iter().filter(|game| game.forfeit.is_some()).collect();
        assert!(forfeited.len() > 30, "{}", forfeited.len());
        for Played { summary, last, forfeit, .. } in forfeited {
            let quitter = last.to_move();
            assert!(!last.is_over() && summary.seats[quitter.index()].player == 1);
            assert_eq!(forfeit.as_ref().unwrap().message, "once is enough");
            assert_eq!((&summary.end, summary.forfeit()), (&End::Forfeit(kind), Some((&1, kind))));
            let ranks = summary.ranks();
            assert_eq!(ranks[quitter.index()], seats);
            assert!(ranks.iter().filter(|&&rank| rank == 1).count() == usize::from(seats) - 1);
            assert!(seats > 2 || summary.points(0) == Points::WIN, "with two seats the other wins");
        }
        assert_eq!(tally.reasons()[kind.name()], tally.games() - tally.reasons().get("end").unwrap_or(&0));
        let counted = tally.forfeits(Side::B).get(&kind).copied().unwrap_or(0);
        assert_eq!(counted, if seats == 2 { tally.reasons()[kind.name()] } else { 0 });
    }
}

#[test]
fn a_game_too_short_for_its_opening_gets_a_shorter_one() {
    let short = Conditions::new(Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), 50);
    let (games, tally) = play(&config(10, 2), &short, [random(), random()], Vec::new());
    assert_eq!(tally.games(), 10);
    assert!(
        games.iter().all(|game| (game.summary.opening_plies as usize) < game.moves.len()),
        "the opening never ends the game"
    );
    // Forced moves need no agent.
    let forced = Conditions::new(Take::new(&TakeRules { tokens: 1, most: 1, seats: 2 }), 0);
    let (_, tally) = play(&config(2, 1), &forced, [random(), random()], Vec::new());
    assert_eq!(tally.cost(Side::A).decisions, 0);
}

#[test]
fn the_seating_of_a_match_is_stable() {
    for (seats, round) in [(2, 2), (3, 6), (4, 8)] {
        let fixtures = Schedule::of_match(seats, 2 * round, 1).fixtures(&Results::new());
        assert_eq!(fixtures.len(), 2 * round);
        for (index, fixture) in (0..).zip(fixtures.iter()) {
            let sides = Seating::of_game(index, seats);
            let players: Vec<usize> = sides.sides().iter().map(|side| side.index()).collect();
            assert_eq!((fixture.players, fixture.opening), (players, index / round));
        }
    }
}
