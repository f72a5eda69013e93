//! Agents on positions of RingRift whose value is known.
//!
//! `positions.txt` has small endgames on all boards for two to four seats, with the result of best play after every
//! move. They come from random games and are solved exhaustively; `BLESS=1` regenerates them.

#![allow(clippy::unwrap_used, reason = "a test that cannot unwrap has failed")]

mod cases;
mod find;
mod keeps;
mod solver;
mod trees;

use std::{collections::BTreeSet, fs, thread};

use eval::{Heuristic, Persona};
use game::{EagerLine, ValuesOnly};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Geometry, Position, on_board};
use search::{
    AlphaBeta, AlphaBetaOptions, Descent, DescentMode, DescentOptions, Gumbel, GumbelOptions, HeuristicPrior,
    Mcts, MctsOptions, Rule,
};

use crate::{
    cases::{Case, all, path, write},
    keeps::keeps_the_value,
};

keeps_the_value!(best_first_descent_keeps_the_value, 4_000, B => descent::<B>(DescentMode::BestFirst));
keeps_the_value!(descent_to_the_end_keeps_the_value, 4_000, B => descent::<B>(DescentMode::Descent));
keeps_the_value!(mcts_keeps_the_value, 4_000, B => Mcts::new(prior::<B>(), generator(), MctsOptions::default()));
keeps_the_value!(gumbel_keeps_the_value, 4_000, B => Gumbel::new(prior::<B>(), generator(), GumbelOptions::default()));
keeps_the_value!(max_n_keeps_the_value, 40_000, B => alphabeta::<B>(Rule::MaxN));

fn generator() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1)
}

fn heuristic<B: Geometry>() -> Heuristic<B> {
    Heuristic::new(Persona::Balanced)
}

fn prior<B: Geometry>() -> HeuristicPrior<Position<B>, ValuesOnly<Heuristic<B>>> {
    HeuristicPrior::new(ValuesOnly(heuristic()), 5.0)
}

/// The solver also uses max-n, which is alpha-beta with two seats. The other rules make different assumptions about
/// opponents.
fn alphabeta<B: Geometry>(rule: Rule) -> AlphaBeta<Position<B>> {
    AlphaBeta::new(EagerLine::new(heuristic()), AlphaBetaOptions { rule, ..AlphaBetaOptions::default() })
}

fn descent<B: Geometry>(mode: DescentMode) -> Descent<Position<B>> {
    let options = DescentOptions { mode, ..DescentOptions::default() };
    Descent::new(ValuesOnly(heuristic()), options)
}

/// The solver recurses to the end of the game, which exceeds the default stack of a test thread.
fn with_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, work);
        thread
            .expect("a thread for the solver")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn the_positions_are_solved_as_written() {
    with_a_deep_stack(|| {
        if std::env::var_os("BLESS").is_some() {
            fs::write(path(), find::find_all()).unwrap();
        }
        for (board, text) in all() {
            let again = on_board!(board, B => write(&Case::<B>::read(&text).position, 50_000));
            assert_eq!(again.ok().as_ref(), Some(&text), "BLESS=1 regenerates the positions");
        }
    });
}

#[test]
fn the_positions_are_of_all_kinds() {
    let cases = all();
    assert!(cases.len() >= 24, "only {} positions", cases.len());
    let kinds: BTreeSet<String> =
        cases.iter().map(|(_, text)| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(kinds.len(), 12, "four boards, two to four seats: {kinds:?}");
    let count = |part: &str| cases.iter().filter(|(_, text)| text.contains(part)).count();
    for (part, least) in
        [(", won in 1", 6), (", won in 2", 6), (", won in 3", 3), (", own chains", 3), ("opposing chains", 3)]
    {
        assert!(count(part) >= least, "{} positions with {part:?}", count(part));
    }
}
