//! Searches for suitable cases in two kinds of positions: near the ends of random games with few rings, where mostly
//! one stack is left, and on islands in a collapsed board, where several stacks can capture each other.

use std::cmp::Reverse;

use game::{Game, Seat, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Bits, Board, Content, Draft, Geometry, Position, Rules, Stack, on_board};

use crate::{
    cases::{Unfit, fitness, write},
    solver::Solver,
};

/// The number of random games and islands to search for each board and number of seats.
const GAMES: u16 = 24;
const ISLANDS: usize = 120;

/// The maximum number of positions to solve in one game, and below one case.
const MOST: (usize, usize) = (20_000, 8_000);

/// The number of cases of each kind to keep, for each board and number of seats.
const KEPT: usize = 2;

/// A case that was found.
struct Found {
    turns: u32,
    chains: usize,
    text: String,
}

/// Finds all cases.
pub(crate) fn find_all() -> String {
    let mut cases = Vec::new();
    for board in Board::ALL {
        for seats in 2..=4 {
            cases.extend(on_board!(board, B => in_games::<B>(seats)));
            cases.extend(on_board!(board, B => on_islands::<B>(seats)));
        }
    }
    cases.join("\n\n") + "\n"
}

fn found<B: Geometry>(position: &Position<B>, turns: u32) -> Option<Found> {
    let text = write(position, MOST.1).ok()?;
    // The second line describes the case.
    let chains = text.lines().nth(1)?.matches(" chains").count();
    Some(Found { turns, chains, text })
}

/// The first cases, with one for each number of turns before a second for any.
fn pick_varied(mut found: Vec<Found>) -> Vec<String> {
    let mut kept: Vec<Found> = Vec::new();
    while kept.len() < KEPT && !found.is_empty() {
        let fresh = found.iter().position(|case| kept.iter().all(|other| other.turns != case.turns));
        kept.push(found.remove(fresh.unwrap_or(0)));
    }
    kept.into_iter().map(|case| case.text).collect()
}

/// Cases from the ends of random games, longest wins first.
fn in_games<B: Geometry>(seats: u8) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(seats));
    let mut all: Vec<Found> = Vec::new();
    for game in 0..GAMES {
        // The earliest suitable decision of the game, for every number of turns.
        let mut of_game: Vec<(u32, Position<B>)> = Vec::new();
        let mut solver = Solver::new(MOST.0);
        for position in decisions_from_the_end::<B>(seats, 2 + game % 2, &mut rng) {
            match fitness(&position, &mut solver) {
                Ok(turns) => {
                    of_game.retain(|(other, _)| *other != turns);
                    of_game.push((turns, position));
                }
                Err(Unfit::Dull) => {}
                Err(Unfit::Large) => break,
            }
        }
        all.extend(of_game.into_iter().filter_map(|(turns, position)| found(&position, turns)));
    }
    all.sort_by_key(|case| Reverse((case.turns, case.chains)));
    pick_varied(all)
}

/// Cases from islands, those with capture chains first.
fn on_islands<B: Geometry>(seats: u8) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(100 + u64::from(seats));
    let mut all: Vec<Found> = Vec::new();
    for _ in 0..ISLANDS {
        let Some(position) = island::<B>(seats, &mut rng) else { continue };
        if let Ok(turns) = fitness(&position, &mut Solver::new(MOST.1)) {
            all.extend(found(&position, turns));
        }
    }
    all.sort_by_key(|case| Reverse((case.chains, case.turns)));
    pick_varied(all)
}

/// A few stacks on a few cells, with all other cells collapsed to the seats in turn, at the first position with a
/// choice.
fn island<B: Geometry>(seats: u8, rng: &mut Xoshiro256PlusPlus) -> Option<Position<B>> {
    let rules = Rules { rings: Some(4), ..Rules::new(seats) };
    let mut draft = Draft::new::<B>(rules);
    draft.hands = [0; game::MAX_SEATS];
    let cells: Vec<_> = B::ON_BOARD.cells().collect();
    let corner = cells[pick(rng, cells.len())].index();
    let (width, depth) = (3 + pick(rng, 3), 3);
    let on_island = |index: usize| {
        let offset = index.wrapping_sub(corner);
        offset / B::STRIDE < depth && offset % B::STRIDE < width
    };
    let any_seat = |rng: &mut Xoshiro256PlusPlus| Seat::new(pick(rng, seats.into()));
    for (count, &cell) in cells.iter().enumerate() {
        let content = match pick(rng, 10) {
            _ if !on_island(cell.index()) => Content::Collapsed(Seat::new(count % usize::from(seats))),
            0..3 => {
                let rings = 1 + pick(rng, 3);
                Content::Stack((0..rings).fold(Stack::EMPTY, |stack, _| stack.push(any_seat(rng))))
            }
            3 => Content::Marker(any_seat(rng)),
            _ => continue,
        };
        draft.cells.push((cell, content));
    }
    let most = rules.goals(B::BOARD).eliminations;
    draft.credits[..seats.into()].fill_with(|| most - 1 - pick(rng, 3) as u16);
    let mut position = draft.build::<B>().ok()?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    while let [only] = moves[..] {
        position.play_unchecked(only, &mut ());
        position.legal_moves(&mut moves);
    }
    (!moves.is_empty()).then_some(position)
}

/// The positions of a random game with at least two legal moves, last one first.
fn decisions_from_the_end<B: Geometry>(
    seats: u8,
    rings: u16,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Position<B>> {
    let (mut decisions, mut moves) = (Vec::new(), Vec::new());
    let mut position = Position::<B>::new(&Rules { rings: Some(rings), ..Rules::new(seats) });
    position.legal_moves(&mut moves);
    while !moves.is_empty() {
        if moves.len() > 1 {
            decisions.push(position);
        }
        position.play_unchecked(moves[pick(rng, moves.len())], &mut ());
        position.legal_moves(&mut moves);
    }
    decisions.reverse();
    decisions
}
