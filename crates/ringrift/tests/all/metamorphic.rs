//! Transformations that must not affect the game: writing a position and reading it back, and rotating the seats. Also
//! checks that illegal moves are refused without side effects.

use game::{Game, MAX_SEATS, Seat, Setup, testkit};
use interchange::TraceText;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{
    Content, Direction, Draft, Geometry, Hex8, Kind, Move, Pass, Position, Rules, Square8, Square19, Stack,
    Standing,
};

use crate::scatter;

/// Moves the value of every seat to the next seat.
fn turn<T: Copy>(values: [T; MAX_SEATS], seats: usize) -> [T; MAX_SEATS] {
    let mut turned = values;
    turned[..seats].rotate_right(1);
    turned
}

/// The same position with every seat replaced by the next one.
fn rotated<B: Geometry>(position: &Position<B>) -> Position<B> {
    let seats = position.seats();
    let next = |seat: Seat| Seat::new((seat.index() + 1) % seats);
    let draft = position.draft();
    let content = |content| match content {
        Content::Empty => Content::Empty,
        Content::Marker(seat) => Content::Marker(next(seat)),
        Content::Collapsed(seat) => Content::Collapsed(next(seat)),
        Content::Stack(stack) => {
            Content::Stack(stack.rings().fold(Stack::EMPTY, |built, ring| built.push(next(ring))))
        }
    };
    let standing = draft.standing;
    let able = u32::from(standing.able) << 1;
    let image = Draft {
        cells: draft.cells.iter().map(|&(cell, held)| (cell, content(held))).collect(),
        hands: turn(draft.hands, seats),
        credits: turn(draft.credits, seats),
        eliminated_at: turn(draft.eliminated_at, seats),
        seat: next(draft.seat),
        standing: Standing {
            first: standing.first.map(next),
            alone: standing.alone.map(next),
            able: ((able | able >> seats) & ((1 << seats) - 1)) as u8,
            ..standing
        },
        ended: draft.ended.map(|end| ringrift::End { winner: end.winner.map(next), ..end }),
        ..draft
    };
    image.build().unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn check_rotation<B: Geometry>(starts: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    for seats in 2..=4 {
        for _ in 0..starts {
            let start = scatter::scattered::<B>(Rules::new(seats), &mut rng);
            let mut image = rotated(&start);
            let mut decided_by_order = false;
            scatter::play_varied(start, 80, &mut rng, |position, played| {
                if decided_by_order {
                    return;
                }
                assert_eq!(rotated(position), image, "{position:?}");
                assert_eq!(position.legal_keys(), image.legal_keys(), "{position:?}");
                if let Some(m) = played {
                    let key = position.full_move_key(m);
                    let mut moves = Vec::new();
                    image.legal_moves(&mut moves);
                    let same = moves.into_iter().find(|&m| image.full_move_key(m) == key);
                    image.play(same.expect("the image has the same moves")).expect("and they are legal");
                    // If two seats pass a threshold at once, seat order decides, and the rotation changes that order.
                    let over = |seat| position.credits(seat) >= u32::from(position.goals().eliminations);
                    decided_by_order = Seat::all(seats.into()).filter(|&seat| over(seat)).count() > 1;
                }
            });
        }
    }
}

#[test]
fn rotating_the_seats_does_not_change_the_game() {
    check_rotation::<Square8>(60);
    check_rotation::<Hex8>(60);
}

/// Continues the game from a position and from its parsed text, and compares the final positions.
fn check_markov<B: Geometry>(starts: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(32);
    for seats in 2..=4 {
        for _ in 0..starts {
            let start = scatter::scattered::<B>(Rules::new(seats), &mut rng);
            let mut count = 0;
            scatter::play_varied(start, 200, &mut rng.clone(), |position, _| {
                count += 1;
                if count % 7 != 0 {
                    return;
                }
                let mut one = *position;
                let mut other = Position::<B>::from_text(&position.to_text()).expect("the text reads back");
                let mut moves = Vec::new();
                game::play_out(&mut one, &mut Xoshiro256PlusPlus::seed_from_u64(count), &mut moves);
                game::play_out(&mut other, &mut Xoshiro256PlusPlus::seed_from_u64(count), &mut moves);
                assert_eq!(one, other, "continuations of {position:?}");
                assert_eq!(one.key(), other.key());
            });
        }
    }
}

#[test]
fn a_position_determines_its_continuations() {
    check_markov::<Square8>(15);
    check_markov::<Hex8>(15);
}

/// Every representable move on a small board, legal or not.
fn all_moves<B: Geometry>() -> Vec<Move> {
    use Kind::{
        Capture, ChainCapture, CollapseLine, CollapseWindow, ForcedElimination, MoveStack, NoLine,
        NoMovement, NoPlacement, NoTerritory, PayLine, PayRegion, PayRegionBuried, ProcessLine,
        RecoverFallback, RecoverLine, RecoverStrike, SkipCapture, SkipPlacement, SkipRecovery, SkipTerritory,
        SwapSides,
    };
    let cells: Vec<_> = ringrift::Bits::cells(B::ON_BOARD).collect();
    let directions: Vec<Direction> = B::directions().collect();
    let size = B::SIZE as u32;
    let plain = [
        SkipPlacement,
        NoPlacement,
        SwapSides,
        SkipCapture,
        SkipRecovery,
        NoMovement,
        NoLine,
        SkipTerritory,
        NoTerritory,
    ];
    let mut moves: Vec<Move> = plain.into_iter().map(Move::plain).collect();
    for &cell in &cells {
        moves.extend((0..=4).map(|count| Move::place(cell, count)));
        moves.extend(
            [PayLine, PayRegion, PayRegionBuried, ForcedElimination].map(|kind| Move::on(kind, cell)),
        );
        let mut passes: Vec<Pass> = Seat::all(4).map(Pass::walled_by).collect();
        passes.push(Pass::PLAIN);
        moves.extend(passes.into_iter().map(|pass| Move::claim(cell, pass)));
        for &direction in &directions {
            for distance in 0..=size {
                moves.extend(
                    [MoveStack, Capture, ChainCapture]
                        .map(|kind| Move::slide(kind, cell, direction, distance)),
                );
            }
            for axis in 0..B::AXES {
                moves.extend((0..3).map(|offset| Move::recover_window(cell, direction, axis, offset)));
                for &payer in cells.iter().step_by(7) {
                    moves.extend(
                        [RecoverFallback, RecoverStrike, RecoverLine]
                            .map(|kind| Move::recover(kind, cell, direction, axis, payer)),
                    );
                }
            }
        }
        for axis in 0..B::AXES {
            for length in 2..=6 {
                moves.push(Move::line(ProcessLine, cell, axis, length, 0));
                moves.push(Move::line(CollapseLine, cell, axis, length, 0));
                moves.extend((0..3).map(|offset| Move::line(CollapseWindow, cell, axis, length, offset)));
            }
        }
    }
    moves
}

fn check_refusals<B: Geometry>(starts: usize, candidates: &[Move]) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(33);
    for seats in 2..=4 {
        for _ in 0..starts {
            let start = scatter::scattered::<B>(Rules::new(seats), &mut rng);
            scatter::play_varied(start, 12, &mut rng, |position, _| {
                testkit::check_refusals(position, candidates.iter().copied());
            });
        }
    }
}

#[test]
fn unlisted_moves_are_refused_and_leave_the_position_unchanged() {
    check_refusals::<Square8>(4, &all_moves::<Square8>());
    check_refusals::<Hex8>(4, &all_moves::<Hex8>());
}

#[test]
fn moves_made_for_another_board_are_refused_unless_they_fit() {
    let large: Vec<Move> = all_moves::<Square19>().into_iter().step_by(23).collect();
    check_refusals::<Hex8>(1, &all_moves::<Square8>());
    check_refusals::<Hex8>(1, &large);
    check_refusals::<Square8>(1, &all_moves::<Hex8>());
    check_refusals::<Square8>(1, &large);
}
