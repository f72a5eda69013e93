//! Arbitrary input: nothing panics, and whatever is accepted is consistent. `PROPTEST_CASES` sets the number of cases.

use game::{Game, Notation, Setup, testkit};
use interchange::TraceText;
use proptest::prelude::*;
use ringrift::{Board, Geometry, Position, RecoveryRule, Rules, Square8, Variant, on_board};

fn boards() -> impl Strategy<Value = Board> {
    proptest::sample::select(Board::ALL.to_vec())
}

fn rules() -> impl Strategy<Value = Rules> {
    let rings = prop_oneof![Just(None), (1_u16..=12).prop_map(Some)];
    (2_u8..=4, any::<bool>(), any::<bool>(), any::<bool>(), 1_u8..=4, rings).prop_map(
        |(seats, base, text, swap, lps_rounds, rings)| Rules {
            variant: if base { Variant::Base } else { Variant::Hex8Line3 },
            recovery: if text { RecoveryRule::Text } else { RecoveryRule::Reference },
            swap: swap && seats == 2,
            lps_rounds,
            rings,
            ..Rules::new(seats)
        },
    )
}

/// Text composed of fragments of positions and moves, so that it passes the first checks.
fn plausible_text() -> impl Strategy<Value = String> {
    let pieces = [
        "square8",
        "hex8",
        "hexagonal",
        "square19",
        "2",
        "3",
        "4",
        " ",
        "1:ring_placement",
        "2:movement",
        "3:capture",
        "hands=1,2",
        "credits=0,0",
        "cells=",
        "a1:12",
        "b2*1",
        "c3#2",
        ",",
        "d4",
        "e5",
        "h8",
        "i9",
        "y25",
        "z99",
        "focus=",
        "owes=line",
        "owes=region",
        "acted",
        "recovered",
        "swap=open",
        "lps=1/2/0/3",
        "turn=7",
        "out=-,3",
        "end=1:timeout",
        "variant=base",
        "recovery=text",
        "rings=6",
        "lps-rounds=2",
        "+",
        "-",
        "x",
        "~",
        "!",
        "=",
        "/",
        ":",
        "#",
        "@",
        "|",
        ";",
        "h:",
        "e:",
        "t:",
        "S:",
        "M:",
        "C:",
        "0,0",
        "3,3=12",
        "65535",
        "99999",
        "é",
        "1",
    ];
    let piece = proptest::sample::select(pieces.to_vec());
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        plausible_text(),
        proptest::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// Replaces, deletes or duplicates one character of a text.
fn damaged(text: &str, at: usize, with: char, how: u8) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = at % characters.len().max(1);
    match how % 3 {
        0 if !characters.is_empty() => characters[at] = with,
        1 if !characters.is_empty() => drop(characters.remove(at)),
        _ => characters.insert(at.min(characters.len()), with),
    }
    characters.into_iter().collect()
}

fn check_position_text<B: Geometry>(text: &str) {
    match Position::<B>::from_text(text) {
        Ok(position) => {
            testkit::check_position(&position);
            testkit::check_setup(&position);
            testkit::check_notation(&position);
        }
        Err(faults) => {
            assert!(!faults.0.is_empty());
            for fault in faults.0 {
                assert!(text.get(fault.span.clone()).is_some(), "{fault:?} of {text:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_text_as_a_position(board in boards(), text in any_text()) {
        let _ = Board::of_text(&text);
        on_board!(board, B => check_position_text::<B>(&text));
        let headed = format!("{board} 2 1:movement {text}");
        on_board!(board, B => check_position_text::<B>(&headed));
    }

    #[test]
    fn any_text_as_a_state_string(board in boards(), rules in rules(), text in any_text()) {
        on_board!(board, B => {
            let _ = Position::<B>::from_state_string(&rules, &text);
        });
    }

    #[test]
    fn any_text_as_a_move(board in boards(), numbers in proptest::collection::vec(any::<u16>(), 0..60), text in any_text()) {
        on_board!(board, B => {
            let mut position = testkit::play_numbers::<Position<B>>(&Rules { rings: Some(4), ..Rules::new(3) }, &numbers);
            let before = position;
            match position.parse_move(&text) {
                Ok(m) => if position.play(m).is_err() { prop_assert_eq!(before, position) },
                Err(fault) => prop_assert!(text.get(fault.span.clone()).is_some(), "{:?} of {:?}", fault, text),
            }
        });
    }

    #[test]
    fn a_damaged_position_text(
        board in boards(), rules in rules(), numbers in proptest::collection::vec(any::<u16>(), 0..120),
        at in any::<usize>(), with in any::<char>(), how in any::<u8>(),
    ) {
        on_board!(board, B => {
            let position = testkit::play_numbers::<Position<B>>(&rules, &numbers);
            check_position_text::<B>(&damaged(&position.to_text(), at, with, how));
            let state = damaged(&position.state_string(), at, with, how);
            let _ = Position::<B>::from_state_string(&rules, &state);
        });
    }

    #[test]
    fn any_play(board in boards(), rules in rules(), numbers in proptest::collection::vec(any::<u16>(), 0..400)) {
        on_board!(board, B => {
            let position = testkit::play_numbers::<Position<B>>(&rules, &numbers);
            testkit::check_position(&position);
            testkit::check_setup(&position);
        });
    }
}

#[test]
fn all_faults_of_a_text_are_reported_with_their_spans() {
    let text = "square8 2 1:movement hands=1 cells=a1:12,z9*1,b2:15,c3#3 colour=blue";
    let faults = Position::<Square8>::from_text(text).unwrap_err();
    let found: Vec<&str> = faults.0.iter().map(|fault| &text[fault.span.clone()]).collect();
    assert_eq!(found, ["hands=1", "z9*1", "b2:15", "colour=blue"]);
    let text = "square8 2 2:capture cells=c3#3,d4:11,d4*1 swap=open";
    let faults = Position::<Square8>::from_text(text).unwrap_err();
    let found: Vec<&str> = faults.0.iter().map(|fault| &text[fault.span.clone()]).collect();
    assert_eq!(found, ["c3#3", "d4*1"]);
    let text = "square8 2 2:capture cells=d4:11 swap=open";
    let faults = Position::<Square8>::from_text(text).unwrap_err();
    assert_eq!(faults.0.len(), 2, "{faults}");
}
