//! Components on prepared positions, and invariants of the evaluator.

use game::{
    Accumulator, EagerLine, Game, LazyLine, LineEvaluator, MAX_SEATS, Seat, Setup, StaticEvaluator, Symmetry,
    pick,
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Content, Draft, Geometry, Hex8, Position, Rules, Square8, Stack, Standing, on_board};

use crate::{Heuristic, Persona, Profile, Weights};

/// The component `name` of seats 1 and 2 on square8, in units of `unit`.
fn on_square8(name: &str, unit: f32, words: &str) -> [f32; 2] {
    let text = format!("square8 2 1:ring_placement {words}");
    let position = Position::<Square8>::from_text(&text).unwrap();
    let heuristic = Heuristic::<Square8>::new(Persona::Balanced);
    [0, 1].map(|seat| {
        let parts = heuristic.components(&position, Seat::new(seat));
        let part = parts.iter().find(|(part, _)| *part == name).expect("a component of this name");
        // Rounded, since the unit is not exact.
        (part.1 / unit * 1000.0).round() / 1000.0
    })
}

const RING: f32 = 1.0 / 18.0;
const CELL: f32 = 1.0 / 33.0;

#[track_caller]
fn check(name: &str, unit: f32, words: &str, expected: [f32; 2]) {
    let found = on_square8(name, unit, words);
    assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits), "{name}: {found:?} in {words:?}");
}

#[test]
fn stacks_are_counted_by_controller_height_and_cap() {
    let words = "hands=9,9 cells=a1:1,c1:221,e5:1122,h8:2222222";
    check("stacks", RING, words, [2.0, 2.0]);
    check("height", RING, words, [4.0, 4.0 + 5.0]);
    check("caps", RING, words, [2.0, 2.0 + 7.0]);
    // Two rings of seat 1 are buried in e5, two of seat 2 in c1.
    check("captives", RING, words, [2.0, 2.0]);
    // One capture changes who controls a1 or c1.
    check("thin", RING, words, [2.0, 0.0]);
    check("hand", RING, "hands=9,4", [9.0, 4.0]);
}

#[test]
fn progress_is_measured_against_the_goals() {
    let words = "credits=9,6 cells=a1#1,a2#1,a3#1,h8#2";
    check("credits", 1.0, words, [0.5, 0.333]);
    check("territory", CELL, words, [3.0, 1.0]);
    check("markers", CELL, "cells=a1*1,b1*1,g7*2", [2.0, 1.0]);
    // Half-way counts a sixteenth, a third of the way an eighty-first.
    check("proximity", 1.0, words, [0.063, 0.012]);
}

/// Two rings and the cell they stand on, as a fraction of a win: 1/33 + 2/18.
const CORNER: f32 = 0.141;

#[test]
fn the_seat_to_move_can_claim_what_walls_of_any_colour_cut_off() {
    //  2  *   .   .
    //  1  22  *   .      a1 is cut off by markers of seat 1; e5 can pay
    check("claims", 1.0, "cells=a1:22,a2*1,b1*1,e5:1,g7:2", [CORNER, 0.0]);
    // The same walls in the other colour, and around own rings.
    check("claims", 1.0, "cells=a1:22,a2*2,b1*2,e5:1,g7:2", [CORNER, 0.0]);
    check("claims", 1.0, "cells=a1:11,a2*2,b1*2,e5:1,g7:2", [CORNER, 0.0]);
    // No stack can pay; walls of two colours do not combine.
    check("claims", 1.0, "cells=a1:22,a2*1,b1*1,g7:2", [0.0, 0.0]);
    check("claims", 1.0, "cells=a1:22,a2*1,b1*2,e5:1,g7:2", [0.0, 0.0]);
    // Fifteen rings, two more, and one for the cost.
    check("winning_claim", 1.0, "credits=15,0 cells=a1:22,a2*1,b1*1,e5:1,g7:2", [1.0, 0.0]);
    check("winning_claim", 1.0, "credits=14,0 cells=a1:22,a2*1,b1*1,e5:1,g7:2", [0.0, 0.0]);
    check("winning_claim", 1.0, "credits=15,0 cells=a1:22,a2*1,b1*2,e5:1,g7:2", [0.0, 0.0]);
}

#[test]
fn one_more_marker_may_cut_a_region_off() {
    //  2  *   .   .
    //  1  22  .   .      a ring placed on b1 leaves a marker there and closes the corner
    let corner = "cells=a1:22,a2*1,e5:1,g7:2";
    let closed_by = |seat: usize| if seat == 1 { [CORNER, 0.0] } else { [0.0, CORNER] };
    check("closings", 1.0, &format!("hands=9,9 {corner}"), closed_by(1));
    check("next_closing", 1.0, &format!("hands=9,9 {corner}"), closed_by(1));
    // Without a ring to place, a stack must stand there.
    check("closings", 1.0, &format!("hands=0,9 {corner}"), [0.0, 0.0]);
    check("closings", 1.0, &format!("hands=0,9 {corner},b1:1"), closed_by(1));
    // Seat 2 could close it too, but seat 1 is to move.
    let other = "hands=9,9 cells=a1:11,a2*2,e5:1,g7:2";
    check("closings", 1.0, other, closed_by(2));
    check("next_closing", 1.0, other, [0.0, 0.0]);
    check("winning_closing", 1.0, &format!("hands=9,9 credits=15,0 {corner}"), [1.0, 0.0]);
    check("winning_closing", 1.0, &format!("hands=9,9 credits=14,0 {corner}"), [0.0, 0.0]);
    check("tempo", 1.0, other, [1.0, 0.0]);
}

#[test]
fn stacks_that_move_and_stacks_that_cannot() {
    // From a corner three directions, from the middle eight.
    check("mobility", RING / 8.0, "cells=a1:1,e5:2", [3.0, 8.0]);
    let walled = "hands=0,9 cells=a1:1,a2#2,b1#2,b2#2,e5:2";
    check("mobility", RING / 8.0, walled, [0.0, 8.0]);
    check("blocked", RING, walled, [1.0, 0.0]);
    check("idle", 1.0, walled, [1.0, 0.0]);
    check("idle", 1.0, &walled.replace("hands=0", "hands=1"), [0.0, 0.0]);
}

#[test]
fn captures_threaten_whom_they_reach() {
    // Two rings can jump one, one cannot jump two.
    let words = "cells=c3:11,e3:2";
    check("overtakes", RING, words, [1.0, 0.0]);
    check("vulnerable", RING, words, [0.0, 1.0]);
    // A capture takes the top ring: a cap of one changes hands, a cap of two does not.
    check("exposed", RING, words, [0.0, 1.0]);
    check("vulnerable", RING, "cells=c3:11,e3:22", [1.0, 1.0]);
    check("exposed", RING, "cells=c3:11,e3:22", [0.0, 0.0]);
    // Nowhere to land.
    check("overtakes", RING, "cells=c3:11,e3:2,f3#2", [0.0, 0.0]);
    check("overtakes", RING, "cells=g3:11,h3:2", [0.0, 0.0]);
}

#[test]
fn endangered_seats_are_recognised() {
    // Seat 1 has only a buried ring and a marker.
    let words = "hands=0,9 cells=c3:12,h1*1";
    check("stackless", 1.0, words, [1.0, 0.0]);
    check("recovery", 1.0, words, [1.0, 0.0]);
    check("recovery", 1.0, "hands=0,9 cells=c3:12", [0.0, 0.0]);
    check("alone", 1.0 / 3.0, "cells=c3:1,e5:2 lps=1/12/2/2", [0.0, 2.0]);
}

#[test]
fn every_component_is_tested_here() {
    let source = include_str!("tests.rs");
    for name in Weights::NAMES {
        assert!(source.contains(&format!("(\"{name}\",")), "{name} has no case");
    }
}

/// The position with permuted seats: `to[seat]` is the new seat of `seat`.
fn renamed<B: Geometry>(position: &Position<B>, to: &[usize]) -> Position<B> {
    let seat = |seat: Seat| Seat::new(to[seat.index()]);
    let stack = |stack: Stack| stack.rings().fold(Stack::EMPTY, |built, ring| built.push(seat(ring)));
    let draft = position.draft();
    let mut image = draft.clone();
    image.cells = (draft.cells.iter())
        .map(|&(cell, content)| {
            let content = match content {
                Content::Empty => Content::Empty,
                Content::Stack(rings) => Content::Stack(stack(rings)),
                Content::Marker(owner) => Content::Marker(seat(owner)),
                Content::Collapsed(owner) => Content::Collapsed(seat(owner)),
            };
            (cell, content)
        })
        .collect();
    for (old, &new) in to.iter().enumerate() {
        image.hands[new] = draft.hands[old];
        image.credits[new] = draft.credits[old];
        image.eliminated_at[new] = draft.eliminated_at[old];
    }
    image.seat = seat(draft.seat);
    let standing = draft.standing;
    let able =
        (0..to.len()).filter(|old| standing.able >> old & 1 != 0).fold(0, |all, old| all | 1 << to[old]);
    let (first, alone) = (standing.first.map(seat), standing.alone.map(seat));
    image.standing = Standing { first, able, alone, ..standing };
    image.build().expect("a position with permuted seats is valid")
}

/// Calls `check` on positions of random games.
fn on_random_games<B: Geometry>(seats: u8, mut check: impl FnMut(&Position<B>)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut moves = Vec::new();
    for game in 0..8 {
        let rings = (game % 2 == 0).then_some(6);
        let mut position = Position::<B>::new(&Rules { rings, ..Rules::new(seats) });
        for ply in 0.. {
            position.legal_moves(&mut moves);
            if ply % 9 == 0 || moves.is_empty() {
                check(&position);
            }
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
    }
}

fn close(one: [f32; MAX_SEATS], other: [f32; MAX_SEATS]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-4)
}

#[test]
fn permuting_seats_permutes_the_scores() {
    for (seats, to) in [(2, &[1, 0][..]), (3, &[2, 0, 1]), (4, &[3, 1, 0, 2])] {
        let heuristic = Heuristic::<Square8>::new(Persona::Balanced);
        on_random_games::<Square8>(seats, |position| {
            if position.is_over() {
                return;
            }
            let (scores, image) = (heuristic.scores(position), heuristic.scores(&renamed(position, to)));
            let mut expected = [0.0; MAX_SEATS];
            for (old, &new) in to.iter().enumerate() {
                expected[new] = scores[old];
            }
            assert!(close(image, expected), "{position:?}: {scores:?} became {image:?}");
        });
    }
}

#[test]
fn scores_are_invariant_under_symmetries_of_the_board() {
    for board in Board::ALL {
        on_board!(board, B => {
            let heuristic = Heuristic::<B>::new(Persona::Aggressive);
            let mut seen = 0;
            on_random_games::<B>(3, |position| {
                seen += 1;
                if position.is_over() || (position.goals().territory > 100 && seen % 20 != 0) {
                    return;
                }
                for index in 0..position.symmetries() {
                    let (one, other) = (heuristic.scores(position), heuristic.scores(&position.transformed(index)));
                    assert!(close(one, other), "{position:?}: {one:?} became {other:?} under {index}");
                }
            });
        });
    }
}

#[test]
fn values_are_bounded_and_those_of_finished_games_exact() {
    let mut heuristic = Heuristic::<Hex8>::new(Persona::Defensive);
    for seats in 2..=4 {
        on_random_games::<Hex8>(seats, |position| {
            let values = StaticEvaluator::values(&mut heuristic, position);
            if let Some(outcome) = position.outcome() {
                assert_eq!(values, outcome.values(), "{position:?}");
                return;
            }
            let most = Heuristic::<Hex8>::MOST;
            assert!(values.0.iter().all(|value| value.abs() <= most), "{position:?}: {values:?}");
            if seats == 2 {
                assert!((values.0[0] + values.0[1]).abs() < 1e-6, "{position:?}: {values:?}");
            }
            // At most one seat leads.
            assert!(values.0.iter().filter(|&&value| value > 0.0).count() <= 1, "{position:?}: {values:?}");
        });
    }
}

#[test]
fn an_empty_board_is_even_but_for_the_move() {
    for board in Board::ALL {
        on_board!(board, B => {
            for seats in 2..=4 {
                let position = Position::<B>::new(&Rules::new(seats));
                let mut scores = Heuristic::<B>::new(Persona::Balanced).scores(&position);
                scores[0] -= Profile::shipped(board, seats.into()).weights.tempo;
                let even = scores[..seats.into()].iter().all(|score| (score - scores[0]).abs() < 1e-4);
                assert!(even, "{board} for {seats}: {scores:?}");
            }
        });
    }
    // Any valid draft can be evaluated.
    let bare = Draft::new::<Square8>(Rules::new(2)).build::<Square8>().unwrap();
    let values = StaticEvaluator::values(&mut Heuristic::<Square8>::new(Persona::Balanced), &bare);
    assert!(values.0[0].abs() < 0.5, "{values:?}");
}

#[test]
fn incremental_values_equal_those_from_scratch() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut moves = Vec::new();
    for (board, seats) in Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats))) {
        on_board!(board, B => {
            let mut heuristic = Heuristic::<B>::new(Persona::Balanced);
            let mut lines: [Box<dyn LineEvaluator<Position<B>>>; 2] =
                [Box::new(EagerLine::new(heuristic.clone())), Box::new(LazyLine::new(heuristic.clone()))];
            for rings in [Some(7), None] {
                let mut position = Position::<B>::new(&Rules { rings, ..Rules::new(seats) });
                let mut state = heuristic.refresh(&position);
                for line in &mut lines {
                    line.reset(&position);
                }
                position.legal_moves(&mut moves);
                let mut ply = 0;
                while !moves.is_empty() {
                    let m = moves[pick(&mut rng, moves.len())];
                    // Sometimes one ply below, sometimes further in the same slot.
                    if ply < 40 {
                        ply += 1;
                        for line in &mut lines {
                            line.descend(ply);
                        }
                    }
                    let mut changes = Vec::new();
                    let before = position;
                    position.play_unchecked(m, &mut changes);
                    for change in &changes {
                        heuristic.update(&mut state, change);
                    }
                    for line in &mut lines {
                        let mut twin = before;
                        line.play(ply, &mut twin, m);
                        assert_eq!(position, twin);
                    }
                    assert_eq!(state, heuristic.refresh(&position), "{position:?}");
                    // Evaluations are costly on large boards, and only the state could differ.
                    if position.key().is_multiple_of(8) {
                        let fresh = StaticEvaluator::values(&mut heuristic, &position);
                        for line in &mut lines {
                            let followed = line.values(ply, &position);
                            assert_eq!(followed.0.map(f32::to_bits), fresh.0.map(f32::to_bits), "{position:?}");
                        }
                    }
                    position.legal_moves(&mut moves);
                }
            }
        });
    }
}

#[test]
fn heuristics_that_differ_have_different_identities() {
    let identity = |persona| StaticEvaluator::identity(&Heuristic::<Square8>::new(persona));
    assert_eq!(identity(Persona::Balanced), identity(Persona::Balanced));
    assert_ne!(identity(Persona::Balanced), identity(Persona::Aggressive));
    let other_board = StaticEvaluator::identity(&Heuristic::<Hex8>::new(Persona::Balanced));
    assert_ne!(identity(Persona::Balanced), other_board);
}
