//! Scores of drawn boards.

use game::{Game, Outcome};
use go::{Board, Colour, Komi, Points, Position, Rules, Small, Verdict};

use crate::rules::{drawn, play, point};

fn board(drawing: &str) -> Board<Small> {
    Board::from_drawing(drawing).unwrap()
}

fn stones(names: &str) -> Small {
    Small::of(names.split_whitespace().map(point))
}

fn check(drawing: &str, verdict: &Verdict<Small>, area: &str, territory: &str) {
    let board = board(drawing);
    assert_eq!(board.area_score(verdict, Komi::ZERO).to_string(), area, "area of {drawing}");
    let score = board.territory_score(verdict, [0; 2], Komi::ZERO);
    assert_eq!(score.to_string(), territory, "territory of {drawing}");
}

#[test]
fn an_empty_board_belongs_to_neither_colour() {
    check(". . .\n. . .\n. . .", &Verdict::AS_IT_STANDS, "0", "0");
}

#[test]
fn a_lone_stone_owns_the_board() {
    check(". . .\n. X .\n. . .", &Verdict::AS_IT_STANDS, "B+9", "B+8");
}

const DIVIDED: &str = "
    . X . O .
    . X . O .
    . X . O O
    X X . O .
    . X . O O";

#[test]
fn dame_count_for_neither_colour() {
    check(DIVIDED, &Verdict::AS_IT_STANDS, "0", "B+1");
}

#[test]
fn dead_stones_are_removed_and_count_as_prisoners() {
    let drawing = "
        . X O . .
        . X O . .
        O X O . .
        . X O O O
        . X O . X";
    // Without a verdict, the left side touches the white stone, and D1 the black one.
    check(drawing, &Verdict::AS_IT_STANDS, "W+8", "W+6");
    check(drawing, &Verdict::dead(stones("A3 E1")), "W+5", "W+3");
}

#[test]
fn points_surrounded_by_stones_in_seki_count_under_area_scoring_only() {
    // A colour that plays B3 or C3 is captured; each colour has two groups with an eye.
    let drawing = "
        . X O . O
        X X O O O
        X . . X X
        O O O X .
        . O O X X";
    let board = board(drawing);
    let score =
        |seki| board.territory_score(&Verdict { dead: Small::EMPTY, seki }, [0; 2], Komi::ZERO).to_string();
    let [black, white] = Colour::BOTH.map(|colour| board.stones(colour));
    assert_eq!(score(Small::EMPTY), "0");
    assert_eq!(score(black | white), "0");
    assert_eq!(score(black), "W+2");
    assert_eq!(score(white), "B+2");
    let verdict = Verdict { dead: Small::EMPTY, seki: black };
    assert_eq!(board.area_score(&verdict, Komi::ZERO).to_string(), "W+1");
}

#[test]
fn prisoners_count_under_territory_scoring() {
    let rules = Rules { komi: Komi::ZERO, ..Rules::japanese(3) };
    let mut position = Position::<Small>::new(&rules);
    play(&mut position, "B1 A1 A2");
    assert_eq!(position.prisoners(), [0, 1]);
    play(&mut position, "pass pass");
    assert_eq!(position.score(&Verdict::AS_IT_STANDS).to_string(), "B+8");
    assert_eq!(position.outcome(), Some(Outcome::win(2, Colour::Black.seat())));
}

#[test]
fn komi_decides_and_an_integer_komi_allows_a_tie() {
    for (komi, winner) in [("8.5", Some(Colour::Black)), ("9", None), ("9.5", Some(Colour::White))] {
        let rules = Rules { komi: komi.parse().unwrap(), ..Rules::new(3) };
        let mut position = drawn(rules, Colour::White, ". . .\n. X .\n. . .");
        play(&mut position, "pass pass");
        let expected = winner.map_or(Outcome::draw(2), |winner| Outcome::win(2, winner.seat()));
        assert_eq!(position.outcome(), Some(expected), "komi {komi}");
    }
}
