//! Playing a schedule.

use std::ops::ControlFlow;

use game::Game;
use search::Stop;

use crate::{
    Contender, Fixture, MatchError, Results, Schedule, Seated, Table,
    play::{Order, play_seated},
    run::in_order,
};

/// Plays what `results` lack of a schedule, and returns all results.
///
/// Game `i` is a function of the schedule, its seed and `i` alone. Every game that ends is handed to `keep`, in the
/// order of the schedule whatever the order in which games ended. After `stop` was raised, games under way are
/// finished and no other is begun: the results are then fewer than the schedule wants.
///
/// # Errors
/// If an agent breaks the rules, or `keep` fails. Games handed over before are as good as ever.
///
/// # Panics
/// If there are fewer contenders than participants, or the table has another number of seats than the schedule.
pub fn play_schedule<G: Game, E>(
    schedule: &Schedule,
    table: &Table<G>,
    contenders: &[&Contender<'_, G>],
    mut results: Results,
    threads: usize,
    stop: &Stop,
    mut keep: impl FnMut(&Seated<G>) -> Result<(), E>,
) -> Result<Results, MatchError<E>> {
    assert!(contenders.len() >= schedule.participants, "every participant needs a contender");
    assert_eq!(table.start.seats(), schedule.seats, "the schedule is for tables of another size");
    loop {
        let known = (0..).zip(schedule.fixtures(&results));
        let open: Vec<(u64, Fixture)> = known.filter(|(index, _)| !results.contains_key(index)).collect();
        let before = results.len();
        let play = |place: u64, abandon: &Stop| {
            let (index, Fixture { players, opening }) = open[place as usize].clone();
            play_seated(table, contenders, schedule.seed, &Order { index, players, opening }, abandon)
        };
        in_order(open.len() as u64, threads, stop, play, |game: Seated<G>| {
            keep(&game).map_err(MatchError::Keep)?;
            results.insert(game.index, game.ranks);
            Ok(ControlFlow::Continue(()))
        })?;
        if stop.is_raised() || results.len() == before {
            return Ok(results);
        }
    }
}
