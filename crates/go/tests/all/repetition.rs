//! Ko and superko.

use game::{Game, Outcome};
use go::{Colour, Illegal, Ko, Move, Position, Rules, Small};

use crate::rules::{drawn, play, point};

const KO: &str = "
    . X O . .
    X . X O .
    . X O . .
    . . . . .
    . . . . .";

#[test]
fn a_ko_is_retaken_only_after_another_move() {
    for ko in [Ko::Positional, Ko::Situational, Ko::Simple] {
        let mut position = drawn(Rules { ko, ..Rules::new(5) }, Colour::White, KO);
        play(&mut position, "B4");
        let expected = match ko {
            Ko::Simple => Illegal::Ko(point("C4")),
            _ => Illegal::Superko { point: point("C4"), earlier: 0 },
        };
        assert_eq!(position.check(Move::at(point("C4"))), Err(expected));
        play(&mut position, "E1 E2 C4");
        assert!(!position.is_over(), "with other stones it is another board");
    }
}

#[test]
fn an_error_names_the_move_that_led_to_the_earlier_board() {
    let mut position = drawn(Rules::new(5), Colour::Black, KO);
    play(&mut position, "E1 B4");
    let refusal = position.check(Move::at(point("C4"))).unwrap_err();
    assert_eq!(refusal.to_string(), "a stone on C4 would recreate the board after move 1");
}

/// Black sacrifices two stones with A1, White captures them with C1, and Black captures one back with B1.
const SEND_TWO: &str = "
    . O . X .
    O O . X X
    O . O X .
    O O X X .
    . X . X .";

fn refusal(position: &Position<Small>, name: &str) -> Option<Illegal> {
    position.check(Move::at(point(name))).err()
}

#[test]
fn sending_two_to_return_one_repeats_the_board_but_not_the_situation() {
    let mut positional = drawn(Rules::new(5), Colour::Black, SEND_TWO);
    play(&mut positional, "A1 C1");
    assert_eq!(refusal(&positional, "B1"), Some(Illegal::Superko { point: point("B1"), earlier: 0 }));

    let rules = Rules { ko: Ko::Situational, ..Rules::new(5) };
    let mut situational = drawn(rules, Colour::Black, SEND_TWO);
    play(&mut situational, "A1 C1 B1 pass");
    assert_eq!(refusal(&situational, "A1"), Some(Illegal::Superko { point: point("A1"), earlier: 1 }));
}

#[test]
fn under_the_simple_rule_a_cycle_with_a_pass_is_forbidden() {
    let mut position = drawn(Rules { ko: Ko::Simple, ..Rules::new(5) }, Colour::Black, SEND_TWO);
    play(&mut position, "A1 C1 B1 pass");
    assert_eq!(refusal(&position, "A1"), Some(Illegal::Superko { point: point("A1"), earlier: 1 }));
}

const TRIPLE_KO: &str = "
    . . X O . . .
    . X . X O . .
    . . X O . . .
    . X O . O . .
    . . X O . . .
    . X . X O . .
    . . X O . . .";

#[test]
fn a_triple_ko_is_prevented_by_superko_and_void_without_it() {
    for ko in [Ko::Positional, Ko::Situational] {
        let mut position = drawn(Rules { ko, ..Rules::new(7) }, Colour::White, TRIPLE_KO);
        play(&mut position, "C6 D4 C2 D6 C4");
        assert_eq!(refusal(&position, "D2"), Some(Illegal::Superko { point: point("D2"), earlier: 0 }));
    }
    let mut position = drawn(Rules::japanese(7), Colour::White, TRIPLE_KO);
    play(&mut position, "C6 D4 C2 D6 C4 D2");
    assert!(position.ended_by_cycle());
    assert_eq!(position.outcome(), Some(Outcome::draw(2)));
}

#[test]
fn a_pass_may_repeat_the_board() {
    let mut position = Position::<Small>::new(&Rules::new(2));
    play(&mut position, "A1 pass");
    assert_eq!(position.outcome(), None);
    play(&mut position, "B2 pass pass");
    assert!(position.is_over());
}

#[test]
fn equal_boards_with_different_histories_are_different_positions() {
    let (mut one, mut other) =
        (Position::<Small>::new(&Rules::new(3)), Position::<Small>::new(&Rules::new(3)));
    play(&mut one, "A1 B2 C3 A3");
    play(&mut other, "C3 B2 A1 A3");
    assert_eq!(one.board(), other.board());
    assert_eq!(one.situation_key(), other.situation_key());
    assert_ne!(one, other);
    assert_ne!(one.key(), other.key());
}
