//! What hangs on a position: its key, and what observers hear of its changes.

use std::collections::BTreeMap;

use game::{ForfeitKind, Game, Seat, Setup};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{
    Change, Content, Draft, Geometry, Hex8, Kind, Owes, Phase, Position, Reason, Rules, Square8, Square19,
    Standing, Swap,
};

use crate::scatter;

/// Everything the rules read, as text: the position without the number of the turn, which only dates eliminations.
fn essence<B: Geometry>(position: &Position<B>) -> String {
    let text = position.to_text();
    let words = text.split(' ').filter(|word| !word.starts_with("turn=") && !word.starts_with("out="));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn different_positions_have_different_keys() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(51);
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    for seats in 2..=4 {
        for _ in 0..400 {
            let start = scatter::scattered::<Square8>(Rules::new(seats), &mut rng);
            scatter::play_varied(start, 200, &mut rng, |position, _| {
                let text = essence(position);
                let known = seen.entry(position.key()).or_insert_with(|| text.clone());
                assert_eq!(*known, text, "two positions share a key");
            });
        }
    }
    assert!(seen.len() > 20_000, "only {} positions", seen.len());
}

#[test]
fn every_field_that_matters_is_in_the_key() {
    let text = "square8 3 2:ring_placement hands=3,2,0 credits=1,0,2 cells=a1:12,c3:2,d4*1,e5#3 lps=2/12/1/1 out=-,-,4";
    let position = Position::<Square8>::from_text(text).unwrap();
    let draft = position.draft();
    let standing = draft.standing;
    let of = |draft: Draft| draft.build::<Square8>().unwrap_or_else(|faults| panic!("{faults:?}")).key();
    let capture = Draft { phase: Phase::Movement, ..draft.clone() };
    let swap = Position::<Square8>::from_text("square8 2 2:ring_placement swap=open").unwrap();
    let regions = "square8 2 1:territory_processing cells=a1:1,h8:2 acted";
    let regions = Position::<Square8>::from_text(regions).unwrap().draft();
    let finished = Position::<Square8>::from_text("square8 2 1:game_over end=1:timeout").unwrap().draft();
    let mut keys = vec![
        position.key(),
        of(Draft { hands: [3, 1, 0, 0], ..draft.clone() }),
        of(Draft { credits: [1, 0, 3, 0], ..draft.clone() }),
        of(Draft { seat: Seat::FIRST, ..draft.clone() }),
        of(capture.clone()),
        of(Draft { acted: true, ..draft.clone() }),
        of(Draft { acted: true, recovered: true, ..draft.clone() }),
        of(Draft { standing: Standing { first: None, ..standing }, ..draft.clone() }),
        of(Draft { standing: Standing { able: 1, ..standing }, ..draft.clone() }),
        of(Draft { standing: Standing { alone: None, ..standing }, ..draft.clone() }),
        of(Draft { standing: Standing { rounds: 2, ..standing }, ..draft.clone() }),
        of(Draft { eliminated_at: [Some(5), None, Some(4), None], ..draft.clone() }),
        of(Draft { eliminated_at: [Some(3), None, Some(4), None], ..draft.clone() }),
        of(Draft { cells: draft.cells[1..].to_vec(), ..draft.clone() }),
        of(Draft { rules: Rules { lps_rounds: 2, ..draft.rules }, ..draft.clone() }),
        of(Draft { rules: Rules { rings: Some(18), ..draft.rules }, ..draft.clone() }),
        swap.key(),
        of(Draft { swap: Swap::Used, ..swap.draft() }),
        of(Draft { swap: Swap::Closed, ..swap.draft() }),
        of(regions.clone()),
        of(Draft { owes: Owes::Region, ..regions }),
        of(finished.clone()),
    ];
    for cell in ["a1", "c3"] {
        let focus = ringrift::parse_cell_name::<Square8>(cell);
        keys.push(of(Draft { focus, ..capture.clone() }));
    }
    for (winner, reason, stalemate) in [
        (Some(Seat::new(1)), Reason::Timeout, false),
        (None, Reason::Timeout, false),
        (Some(Seat::FIRST), Reason::Resignation, false),
        (Some(Seat::FIRST), Reason::Timeout, true),
    ] {
        let ended = Some(ringrift::End { winner, reason, stalemate });
        keys.push(of(Draft { ended, ..finished.clone() }));
    }
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count, "two of these share a key");
    // Which turn it was does not matter, only who lasted longer.
    let later = Draft { turn: 30, eliminated_at: [None, None, Some(20), None], ..draft };
    assert_eq!(of(later), position.key());
}

/// An observer that was told the contents once and then only hears of changes knows the board at any time.
fn check_changes<B: Geometry>(starts: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(52);
    for seats in 2..=4 {
        for _ in 0..starts {
            let mut known: Option<BTreeMap<_, Content>> = None;
            let start = scatter::scattered::<B>(Rules::new(seats), &mut rng);
            scatter::play_varied(start, 150, &mut rng, |position, played| {
                let contents: BTreeMap<_, _> = position.contents().collect();
                let known = known.get_or_insert_with(|| contents.clone());
                assert_eq!(*known, contents, "{position:?}");
                let Some(m) = played else { return };
                let mut changes: Vec<Change> = Vec::new();
                position.clone().play_unchecked(m, &mut changes);
                for change in changes {
                    let before = known.insert(change.cell, change.after);
                    assert_eq!(before, Some(change.before), "{m:?} in {position:?}");
                    assert_ne!(change.before, change.after, "{m:?} in {position:?}");
                }
            });
        }
    }
}

#[test]
fn changes_tell_the_whole_story() {
    check_changes::<Square8>(40);
    check_changes::<Hex8>(40);
    check_changes::<Square19>(2);
}

#[test]
fn giving_up_ends_the_game() {
    for (forfeit, reason) in
        [(ForfeitKind::Resignation, Reason::Resignation), (ForfeitKind::Timeout, Reason::Timeout)]
    {
        let mut two = Position::<Square8>::new(&Rules::new(2));
        two.forfeit(forfeit);
        let end = two.end().expect("the game is over");
        assert_eq!((end.winner, end.reason), (Some(Seat::new(1)), reason));
        assert_eq!(two.turns(), 0, "no turn had ended");
        assert_eq!(two.outcome().expect("an outcome").ranks(), [2, 1]);
        let after = two;
        two.forfeit(ForfeitKind::Resignation);
        assert_eq!(two, after, "a game ends once");
        let mut moves = vec![ringrift::Move::plain(Kind::NoLine)];
        two.legal_moves(&mut moves);
        assert!(moves.is_empty());
        let mut three = Position::<Hex8>::new(&Rules::new(3));
        three.forfeit(forfeit);
        assert_eq!(three.end().expect("the game is over").winner, None);
        assert_eq!(three.outcome().expect("an outcome").ranks(), [1, 1, 1]);
    }
}
