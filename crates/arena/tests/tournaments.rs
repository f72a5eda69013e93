//! Playing schedules: deterministic, in order, resumable, and rated.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::ops::ControlFlow;

use arena::{
    Arena, Conditions, Contender, Fixture, GameSummary, Placing, PlayError, Played, RatingConfig, Ratings,
    Results, Schedule, System, Tables,
};
use game::{
    Game,
    toy::{Take, TakeRules},
};
use search::Stop;
use support::{mcts, random};

fn field<'a>() -> Vec<Contender<'a, Take>> {
    vec![random(), mcts(5), mcts(20), mcts(200), mcts(1)]
}

fn arena<'a>(seats: usize, threads: usize) -> Arena<'a, Take> {
    let rules = TakeRules { tokens: 21, most: 3, seats: seats as u8 };
    Arena { threads, ..Arena::new(Conditions::new(Take::new(&rules), 2), field()) }
}

fn schedule(seats: usize, system: System, tables: Tables, games: u64) -> Schedule {
    Schedule { participants: 5, seats, tables, system, games, seed: 11 }
}

/// Plays a schedule and returns its games.
fn play(schedule: &Schedule, results: Results, threads: usize) -> (Vec<Played<Take>>, Results) {
    let mut games = Vec::new();
    let played = arena(schedule.seats, threads).play(schedule, results, &Stop::default(), |game| {
        games.push(game);
        Ok::<_, ()>(ControlFlow::Continue(()))
    });
    (games, played.unwrap())
}

fn schedules() -> Vec<Schedule> {
    let mut all = Vec::new();
    for seats in 2..=4 {
        for tables in [Tables::Distinct, Tables::Copies] {
            all.push(schedule(seats, System::RoundRobin, tables, 2));
            all.push(schedule(seats, System::Swiss { rounds: 3 }, tables, 2));
        }
        all.push(schedule(seats, System::Gauntlet, Tables::Copies, 2));
    }
    all
}

#[test]
fn games_come_in_order_and_do_not_depend_on_the_number_of_threads() {
    for schedule in schedules() {
        let (one, results) = play(&schedule, Results::new(), 1);
        let (many, again) = play(&schedule, Results::new(), 3);
        assert_eq!(results, again);
        let fixtures: Vec<Fixture> = schedule.fixtures(&results).iter().collect();
        assert_eq!((one.len(), one.len() as u64), (fixtures.len(), schedule.total()), "{schedule:?}");
        for (place, (one, many)) in one.iter().zip(&many).enumerate() {
            assert_eq!((one.summary.index, many.summary.index), (place as u64, place as u64));
            assert_eq!((&one.moves, &one.summary.placing().players), (&many.moves, &fixtures[place].players));
            assert_eq!(results[&one.summary.index], one.summary.ranks());
        }
        for rotation in one.chunks(schedule.rotation() as usize) {
            let opening = |game: &Played<Take>| game.moves[..game.summary.opening_plies as usize].to_vec();
            assert!(rotation.iter().all(|game| opening(game) == opening(&rotation[0])), "one opening each");
        }
    }
}

#[test]
fn a_tournament_can_be_resumed() {
    for schedule in schedules() {
        let (whole, results) = play(&schedule, Results::new(), 2);
        for played in [1, whole.len() / 3, whole.len() - 1, whole.len()] {
            let earlier: Results =
                results.iter().take(played).map(|(&index, ranks)| (index, ranks.clone())).collect();
            let (rest, resumed) = play(&schedule, earlier, 2);
            assert_eq!(resumed, results);
            assert!(rest.iter().map(|game| &game.moves).eq(whole[played..].iter().map(|game| &game.moves)));
        }
    }
}

#[test]
fn a_gap_is_filled_and_nothing_else_is_played() {
    let schedule = schedule(2, System::RoundRobin, Tables::Distinct, 2);
    let (_, results) = play(&schedule, Results::new(), 2);
    let mut holes = results.clone();
    holes.retain(|&index, _| ![3, 4, 11].contains(&index));
    let (rest, filled) = play(&schedule, holes, 2);
    assert_eq!(rest.iter().map(|game| game.summary.index).collect::<Vec<_>>(), [3, 4, 11]);
    assert_eq!(filled, results);
}

#[test]
fn costs_and_engines_belong_to_the_right_player() {
    let (games, _) = play(&schedule(3, System::RoundRobin, Tables::Distinct, 3), Results::new(), 2);
    let mut thought = 0;
    for game in &games {
        for seat in &game.summary.seats {
            let (engine, cost) = (if seat.player == 0 { "random" } else { "mcts" }, seat.cost.unwrap());
            assert!(seat.engines.iter().all(|moved| moved == engine), "{seat:?}");
            assert_eq!(seat.engines.is_empty(), cost.decisions == 0);
            assert!(seat.player != 0 || cost.nodes == 0);
            thought += cost.nodes;
        }
    }
    assert!(thought > 0);
}

#[test]
fn larger_budgets_are_rated_higher_with_any_number_of_seats() {
    for (seats, tables) in
        [(2, Tables::Distinct), (3, Tables::Distinct), (4, Tables::Distinct), (3, Tables::Copies)]
    {
        let (games, _) = play(&schedule(seats, System::RoundRobin, tables, 48), Results::new(), 2);
        let placings: Vec<Placing> = games.iter().map(|game| game.summary.placing()).collect();
        let ratings = Ratings::fit(5, &placings, &RatingConfig::anchored(0)).unwrap();
        let most = ratings.of(3).unwrap();
        assert!(most.interval.low > 0.0, "{seats} seats: {most:?}");
        let least = ratings.difference(3, 4).unwrap();
        assert!(least.elo > 0.0, "{seats} seats: {least:?} to a single simulation");
    }
}

#[test]
fn a_stop_and_a_failure_end_it_early() {
    let schedule = schedule(2, System::Swiss { rounds: 4 }, Tables::Distinct, 200);
    let stop = Stop::default();
    let mut kept = 0;
    let results = arena(2, 2).play(&schedule, Results::new(), &stop, |_| {
        kept += 1;
        if kept == 5 {
            stop.raise();
        }
        Ok::<_, ()>(ControlFlow::Continue(()))
    });
    let results = results.unwrap();
    assert_eq!(results.len(), kept);
    assert!((5..50).contains(&kept), "{kept}");
    let at = |index: u64, answer: Result<ControlFlow<()>, &'static str>| {
        arena(2, 2).play(&schedule, Results::new(), &Stop::default(), move |Played { summary, .. }| {
            let GameSummary { index: here, .. } = summary;
            if here == index { answer } else { Ok(ControlFlow::Continue(())) }
        })
    };
    assert_eq!(at(3, Err("full")).unwrap_err(), PlayError::Store("full"));
    assert_eq!(at(3, Ok(ControlFlow::Break(()))).unwrap().len(), 4, "nothing after a break counts");
}
