//! SGF records: real ones are read, replayed, written and read back; damaged ones and arbitrary bytes are read or
//! refused without panics.

use game::pick;
use go::{
    Large,
    sgf::{GameTree, SgfError},
};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// Two games written by GNU Go, one with handicap, and a collection with variations and many properties that are
/// skipped.
const RECORDS: [&str; 3] = [
    include_str!("../records/gnugo9.sgf"),
    include_str!("../records/gnugo13.sgf"),
    include_str!("../records/branches.sgf"),
];

#[test]
fn real_records_replay_and_read_back() {
    for (text, games) in RECORDS.into_iter().zip([1, 1, 2]) {
        let trees = GameTree::read(text).unwrap();
        assert_eq!(trees.len(), games);
        for tree in trees {
            assert_eq!(tree.repairs, [""; 0]);
            let mut played = 0;
            for id in tree.all() {
                played = tree.position::<Large>(id).unwrap().moves_played().max(played);
            }
            assert!(played >= 2);
            assert_eq!(GameTree::read(&tree.write()), Ok(vec![tree]));
        }
    }
}

/// Checks that a text is either read and written again, or refused with a reason.
fn check_harmless(text: &str) {
    match GameTree::read(text) {
        Ok(trees) => {
            for tree in trees {
                // Illegal moves are reported here. Replaying to the last node covers most of the others.
                let last = tree.main_line().last().unwrap();
                let replayed = tree.position::<Large>(last);
                let again =
                    GameTree::read(&tree.write()).unwrap_or_else(|error| panic!("{error} in {text:?}"));
                assert_eq!(again.len(), 1);
                assert_eq!(
                    again[0].position::<Large>(again[0].main_line().last().unwrap()).ok(),
                    replayed.ok()
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Changes a few bytes, removes or repeats a part, or truncates the text.
fn damaged(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=pick(rng, 4) {
        if bytes.is_empty() {
            break;
        }
        let at = pick(rng, bytes.len());
        let end = (at + pick(rng, 40)).min(bytes.len());
        match pick(rng, 6) {
            0 => bytes[at] = pick(rng, 256) as u8,
            1 => bytes[at] = b"()[];:\\BWabt19\n"[pick(rng, 15)],
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let part = bytes[at..end].to_vec();
                let place = pick(rng, bytes.len());
                drop(bytes.splice(place..place, part));
            }
            _ => bytes.insert(at, b"()[];\\"[pick(rng, 6)]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #[test]
    fn damaged_records_are_read_or_refused(seed in any::<u64>(), which in 0..RECORDS.len()) {
        check_harmless(&damaged(RECORDS[which], &mut Xoshiro256PlusPlus::seed_from_u64(seed)));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_harmless(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_marks_of_the_format_are_read_or_refused(
        text in "\\(;((SZ|KM|HA|AB|AW|AE|PL|RU|RE|C|B|W)(\\[[a-t0-9:.\\\\]{0,5}\\]){0,3}|;|\\(|\\)|\\]|\\[){0,20}\\)"
    ) {
        check_harmless(&text);
    }
}

#[test]
fn oversized_records_are_refused_before_they_exhaust_memory() {
    let refused = |text: &str| GameTree::read(text).unwrap_err();
    assert!(matches!(refused(&format!("({})", ";".repeat(10_000))), SgfError::TooDeep(_)));
    let nested = format!("({}", "(;".repeat(100_000));
    assert!(
        matches!(refused(&nested), SgfError::TooDeep(_) | SgfError::Grammar { .. }),
        "{}",
        refused(&nested)
    );
    let open = "(".repeat(1_000_000);
    assert!(matches!(refused(&open), SgfError::Grammar { .. }));
    // A few characters denote 361 points.
    let filled = format!("(;SZ[19]{})", "(;AB[aa:ss])".repeat(100_000));
    assert!(matches!(refused(&filled), SgfError::TooLarge(_)), "{}", refused(&filled));
    let wide = format!("(;SZ[19]{})", "(;)".repeat(1_000_000));
    assert!(matches!(refused(&wide), SgfError::TooLarge(_)), "{}", refused(&wide));
    let games = "(;)".repeat(1_000_000);
    assert!(matches!(refused(&games), SgfError::TooLarge(_)), "{}", refused(&games));
}
