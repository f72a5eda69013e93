//! Arbitrary text is either read or refused, without panics.

use game::{Game, Notation, Setup, pick, testkit};
use go::{Board, Large, Medium, Position, Rules, Small};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

proptest! {
    #[test]
    fn any_text_is_a_position_or_has_faults_within_it(text in "(go [0-9b w=/xo,.-]{0,30}|\\PC{0,40})") {
        if let Err(faults) = Position::<Large>::from_text(&text) {
            prop_assert!(!faults.0.is_empty());
            for fault in faults.0 {
                prop_assert!(text.get(fault.span.clone()).is_some(), "{:?} of {text:?}", fault.span);
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_is_refused(text in "\\PC{0,8}") {
        let position = Position::<Small>::new(&Rules::new(5));
        match position.parse_move(&text) {
            Ok(m) => prop_assert_eq!(position.parse_move(&position.move_text(m)), Ok(m)),
            Err(fault) => prop_assert!(text.get(fault.span).is_some()),
        }
    }

    #[test]
    fn any_text_is_a_board_or_is_refused(text in "([XO. ]{1,9}\n){0,9}|\\PC{0,30}") {
        if let Ok(board) = Board::<Small>::from_drawing(&text) {
            prop_assert_eq!(Board::from_drawing(&board.draw()), Ok(board));
        }
    }

    #[test]
    fn played_positions_read_back(size in 2u8..=9, choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let position = testkit::play_numbers::<Position<Medium>>(&Rules::tromp_taylor(size), &choices);
        prop_assert_eq!(Position::from_text(&position.to_text()), Ok(position));
    }

    #[test]
    fn damaged_position_texts_do_no_harm(seed in any::<u64>(), choices in prop::collection::vec(any::<u16>(), 0..30)) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut text = testkit::play_numbers::<Position<Medium>>(&Rules::japanese(5), &choices).to_text().into_bytes();
        for _ in 0..=pick(&mut rng, 3) {
            let at = pick(&mut rng, text.len());
            text[at] = b" =/,xo0129AT-"[pick(&mut rng, 13)];
        }
        let text = String::from_utf8(text).unwrap();
        if let Ok(position) = Position::<Small>::from_text(&text) {
            game::testkit::check_setup(&position);
        }
    }
}
