//! Properties of every position and every move: the invariants I1–I14 of the rules and the progress measure.

use game::{Game, MAX_SEATS, Seat};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{
    Bits, Content, Geometry, Hex8, Hexagonal, Kind, Move, Owes, Phase, Position, RecoveryRule, Rules,
    Square8, Square19, Variant,
};

use crate::scatter;

/// Counts derived from the contents of the cells alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Census {
    markers: [u32; MAX_SEATS],
    collapsed: [u32; MAX_SEATS],
    rings: [u32; MAX_SEATS],
    stacks: [u32; MAX_SEATS],
}

impl Census {
    fn of<B: Geometry>(position: &Position<B>) -> Self {
        let mut census = Self::default();
        for (_, content) in position.contents() {
            match content {
                Content::Empty => {}
                Content::Marker(seat) => census.markers[seat.index()] += 1,
                Content::Collapsed(seat) => census.collapsed[seat.index()] += 1,
                Content::Stack(stack) => {
                    let top = stack.top().expect("a stack has a top ring");
                    census.stacks[top.index()] += 1;
                    stack.rings().for_each(|ring| census.rings[ring.index()] += 1);
                }
            }
        }
        census
    }
}

fn credits<B: Geometry>(position: &Position<B>) -> u32 {
    Seat::all(position.seats()).map(|seat| position.credits(seat)).sum()
}

/// The progress measure S = markers + collapsed cells + credited rings (R191), and the same without markers.
fn progress<B: Geometry>(position: &Position<B>) -> (u32, u32) {
    let census = Census::of(position);
    let settled = census.collapsed.iter().sum::<u32>() + credits(position);
    (settled + census.markers.iter().sum::<u32>(), settled)
}

/// Checks I1, I3 and I5–I10, which concern a single position.
fn check_state<B: Geometry>(position: &Position<B>, tallest_at_start: u32) {
    let census = Census::of(position);
    let mover = position.to_move();
    // I1: the sets agree with the contents of the cells, and no cell is in two of them.
    let (stacks, markers, collapsed) =
        (position.all_stacks(), position.all_markers(), position.all_collapsed());
    assert!(!stacks.meets(markers) && !stacks.meets(collapsed) && !markers.meets(collapsed), "{position:?}");
    for seat in Seat::all(position.seats()) {
        assert_eq!(position.controlled_by(seat).count(), census.stacks[seat.index()], "{position:?}");
        assert_eq!(position.markers_of(seat).count(), census.markers[seat.index()], "{position:?}");
        assert_eq!(position.rings_on_board(seat), census.rings[seat.index()], "{position:?}");
        // I3
        assert_eq!(position.territory(seat), census.collapsed[seat.index()], "{position:?}");
        for cell in position.controlled_by(seat).cells() {
            let stack = position.stack(cell);
            assert_eq!(stack.top(), Some(seat), "{position:?}");
            let run = stack.rings().rev().take_while(|&ring| ring == seat).count();
            assert_eq!(stack.cap() as usize, run, "{position:?}");
            // I5
            let limit = B::BOARD.max_stack_height().max(tallest_at_start);
            assert!(stack.height() <= limit, "{position:?}");
        }
    }
    // I6
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), position.is_over(), "{position:?}");
    let bookkeeping = moves.iter().any(|m| m.kind().is_bookkeeping());
    assert!(!bookkeeping || moves.len() == 1, "bookkeeping is never a choice: {position:?}");
    // I7, I8
    let capturing = matches!(position.phase(), Phase::Capture | Phase::ChainCapture);
    assert!(position.focus().is_some() || !capturing, "{position:?}");
    if let Some(cell) = position.focus() {
        assert!(capturing || position.phase() == Phase::Movement, "{position:?}");
        assert!(position.controlled_by(mover).contains(cell), "{position:?}");
        assert!(moves.iter().any(|m| m.cell() == cell && !m.kind().is_idle()), "{position:?}");
    }
    // I9
    match position.owes() {
        Owes::Nothing => {}
        Owes::Line => {
            assert_eq!(position.phase(), Phase::LineProcessing, "{position:?}");
            assert!(!position.controlled_by(mover).is_empty(), "{position:?}");
        }
        Owes::Region => assert_eq!(position.phase(), Phase::TerritoryProcessing, "{position:?}"),
    }
    // I10
    if position.phase() == Phase::ForcedElimination {
        assert!(!position.has_acted() && !position.controlled_by(mover).is_empty(), "{position:?}");
        for phase in [Phase::RingPlacement, Phase::Movement] {
            let earlier =
                ringrift::Draft { phase, ..position.draft() }.build::<B>().expect("an earlier phase");
            earlier.legal_moves(&mut moves);
            assert!(moves.iter().all(|m| m.kind().is_idle()), "an action was possible: {position:?}");
        }
    }
}

/// Checks I12, which holds at the start of every turn after the first.
fn check_turn_start<B: Geometry>(position: &Position<B>) {
    if position.phase() != Phase::RingPlacement || position.turns() == 0 {
        return;
    }
    let mover = position.to_move();
    let owns = position.hand(mover) + position.rings_on_board(mover) > 0;
    assert!(owns, "I12: {position:?}");
}

/// The longest run of a seat's markers, computed cell by cell.
fn longest_run<B: Geometry>(position: &Position<B>, seat: Seat) -> u32 {
    let mut longest = 0;
    for cell in position.markers_of(seat).cells() {
        for direction in B::directions() {
            let mut length = 1;
            let mut last = cell;
            while let Some(next) =
                B::neighbour(last, direction).filter(|&next| position.markers_of(seat).contains(next))
            {
                length += 1;
                last = next;
            }
            longest = longest.max(length);
        }
    }
    longest
}

/// Checks I2, I4, I13 and how much each kind of move adds to S.
fn check_step<B: Geometry>(before: &Position<B>, m: Move, after: &Position<B>) {
    let (s_before, settled_before) = progress(before);
    let (s_after, settled_after) = progress(after);
    let credited = credits(after) - credits(before);
    let text = || format!("{m:?} in {before:?}");
    assert!(s_after >= s_before && settled_after >= settled_before, "I13: {}", text());
    assert!(s_after <= B::BOARD.cells() + total_rings(before), "I13: {}", text());
    // I2
    assert_eq!(total_rings(before), total_rings(after), "{}", text());
    for seat in Seat::all(before.seats()) {
        let held = |position: &Position<B>| position.hand(seat) + position.rings_on_board(seat);
        assert!(held(after) <= held(before), "{}", text());
        // I4
        assert!(after.credits(seat) >= before.credits(seat), "{}", text());
    }
    for (cell, content) in before.contents() {
        if matches!(content, Content::Collapsed(_)) {
            assert_eq!(after.content(cell), content, "I4: {}", text());
        }
    }
    let expected = match m.kind() {
        kind if kind.is_idle() => 0,
        Kind::PlaceRing
        | Kind::SwapSides
        | Kind::ProcessLine
        | Kind::CollapseLine
        | Kind::CollapseWindow
        | Kind::RecoverWindow => 0,
        Kind::MoveStack
        | Kind::Capture
        | Kind::ChainCapture
        | Kind::RecoverFallback
        | Kind::RecoverLine
        | Kind::RecoverStrike => 1,
        Kind::ClaimRegion => {
            let region = before.claimed_region(m);
            let stacked: Vec<_> = region.iter().filter(|&&cell| !before.stack(cell).is_empty()).collect();
            let empty = region.iter().filter(|&&cell| before.content(cell) == Content::Empty).count();
            let rings: u32 = stacked.iter().map(|&&cell| before.stack(cell).height()).sum();
            (empty + stacked.len()) as u32 + rings
        }
        _ => credited,
    };
    assert_eq!(s_after - s_before, expected, "{}", text());
    if m.kind() == Kind::RecoverWindow {
        assert_eq!(settled_after - settled_before, u32::from(before.goals().line_length), "{}", text());
    }
}

fn total_rings<B: Geometry>(position: &Position<B>) -> u32 {
    let held = |seat| position.hand(seat) + position.rings_on_board(seat);
    Seat::all(position.seats()).map(held).sum::<u32>() + credits(position)
}

fn check_game<B: Geometry>(start: Position<B>, normal: bool, rng: &mut Xoshiro256PlusPlus) {
    let tallest = start.all_stacks().cells().map(|cell| start.stack(cell).height()).max().unwrap_or(0);
    let mut previous: Option<(Position<B>, Move)> = None;
    let mut turn_start = start;
    let mut ended = false;
    // I14: every game ends. The limit only keeps a broken engine from running forever.
    scatter::play_varied(start, 30_000, rng, |position, played| {
        check_state(position, tallest);
        if let Some((before, m)) = &previous {
            check_step(before, *m, position);
        }
        if position.turns() > turn_start.turns() && !position.is_over() {
            check_turn_start(position);
            // I13: a turn in which the mover acted increases the progress measure.
            let ((s_then, settled_then), (s_now, settled_now)) = (progress(&turn_start), progress(position));
            let acted = previous.is_some_and(|(last, _)| last.has_acted());
            assert!(!acted || s_now > s_then || settled_now > settled_then, "{turn_start:?} → {position:?}");
            if normal {
                // I11: the seat that just moved has processed all its lines.
                let line = u32::from(position.goals().detected_line);
                assert!(longest_run(position, turn_start.to_move()) < line, "{position:?}");
            }
            turn_start = *position;
        }
        previous = played.map(|m| (*position, m));
        ended = position.is_over();
    });
    assert!(ended, "I14: no end from {start:?}");
}

fn check_board<B: Geometry>(games: usize, starts: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    for seats in 2..=4 {
        let rules = Rules::new(seats);
        let other = Rules { variant: Variant::Base, recovery: RecoveryRule::Text, ..rules };
        for rules in [rules, other] {
            for _ in 0..games {
                check_game(Position::<B>::new(&rules), true, &mut rng);
            }
            for _ in 0..starts {
                check_game(scatter::scattered::<B>(rules, &mut rng), false, &mut rng);
            }
        }
    }
}

#[test]
fn square8_keeps_all_invariants() {
    check_board::<Square8>(6, 30);
}

#[test]
fn hex8_keeps_all_invariants() {
    check_board::<Hex8>(6, 30);
}

#[test]
fn square19_keeps_all_invariants() {
    check_board::<Square19>(1, 1);
}

#[test]
fn hexagonal_keeps_all_invariants() {
    check_board::<Hexagonal>(1, 1);
}
