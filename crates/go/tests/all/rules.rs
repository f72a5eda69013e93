//! Captures, suicide, the end of the game, options.

use game::{Game, Notation, Outcome};
use go::{Board, Change, Colour, Illegal, Ko, Move, Point, Position, Rules, Small, Start};

pub(crate) fn point(name: &str) -> Point {
    Point::parse(name).unwrap()
}

/// A position from a drawing.
pub(crate) fn drawn(rules: Rules, to_move: Colour, drawing: &str) -> Position<Small> {
    let board = Board::from_drawing(drawing).unwrap();
    Position::set_up(&rules, &Start { board, to_move, prisoners: [0; 2] }).unwrap()
}

/// Plays moves given by name, all legal.
pub(crate) fn play(position: &mut Position<Small>, moves: &str) {
    for text in moves.split_whitespace() {
        let m = position.parse_move(text).unwrap();
        position.play(m).unwrap_or_else(|error| panic!("{text}: {error}\n{}", position.draw()));
    }
}

/// The drawing of the board without the row and column labels.
fn board_of(position: &Position<Small>) -> Vec<String> {
    let drawing = position.draw();
    let rows = drawing.lines().count() - 1;
    drawing.lines().take(rows).map(|line| line[2..].replace(' ', "")).collect()
}

fn check_capture(to_move: Colour, before: &str, m: &str, after: [&str; 4]) {
    let mut position = drawn(Rules::tromp_taylor(4), to_move, before);
    play(&mut position, m);
    assert_eq!(board_of(&position), after, "{m} in {before}");
}

#[test]
fn chains_without_liberties_are_removed() {
    use Colour::{Black, White};
    let corner = ". . . .   . . . .   . . . .   O X . .".replace("   ", "\n");
    check_capture(Black, &corner, "A2", ["....", "....", "X...", ".X.."]);
    let chain = ". X X .   X O O .   . X X .   . . . .".replace("   ", "\n");
    check_capture(Black, &chain, "D3", [".XX.", "X..X", ".XX.", "...."]);
    let both = "O . . .   X O . .   . X O .   X O . .".replace("   ", "\n");
    check_capture(White, &both, "A2", ["O...", ".O..", "O.O.", ".O.."]);
}

#[test]
fn a_capture_comes_before_suicide() {
    // White's stone on A1 has no liberty until it captures the black stones next to it.
    let position = ". O . .   O . . .   X O . .   . X O .".replace("   ", "\n");
    check_capture(Colour::White, &position, "A1", [".O..", "O...", ".O..", "O.O."]);
}

#[test]
fn suicide_is_refused_unless_the_rules_allow_it() {
    // Two black stones in a corner of two points.
    let drawing = ". . . .\nO . . .\nX O . .\n. O . .";
    let strict = drawn(Rules::new(4), Colour::Black, drawing);
    assert_eq!(strict.check(Move::at(point("A1"))), Err(Illegal::Suicide(point("A1"))));
    let mut open = drawn(Rules::tromp_taylor(4), Colour::Black, drawing);
    let mut changes: Vec<Change> = Vec::new();
    assert_eq!(open.check(Move::at(point("A1"))), Ok(()));
    open.play_unchecked(Move::at(point("A1")), &mut changes);
    assert_eq!(board_of(&open), ["....", "O...", ".O..", ".O.."]);
    assert_eq!(open.prisoners(), [2, 0]);
    let (a1, a2, black) = (point("A1"), point("A2"), Colour::Black);
    assert_eq!(changes, [Change::Placed(a1, black), Change::Removed(a1, black), Change::Removed(a2, black)]);
}

#[test]
fn suicide_of_a_single_stone_is_illegal_under_positional_superko() {
    let drawing = ". . . .\n. . . .\nO . . .\n. O . .";
    let a1 = Move::at(point("A1"));
    let positional = drawn(Rules::tromp_taylor(4), Colour::Black, drawing);
    assert_eq!(positional.check(a1), Err(Illegal::Superko { point: point("A1"), earlier: 0 }));
    // With a different colour to move it is a different situation, so the move amounts to a pass.
    let situational = Rules { ko: Ko::Situational, ..Rules::tromp_taylor(4) };
    let mut situational = drawn(situational, Colour::Black, drawing);
    assert_eq!(situational.play(a1), Ok(()));
    assert_eq!(situational.turn(), Colour::White);
}

#[test]
fn other_illegal_moves_are_explained() {
    let mut position = drawn(Rules::new(4), Colour::Black, ". . . .\n. . . .\n. . . .\nX . . .");
    assert_eq!(position.check(Move::at(point("A1"))), Err(Illegal::Occupied(point("A1"))));
    assert_eq!(position.check(Move::at(point("E1"))), Err(Illegal::OffBoard(point("E1"), 4)));
    play(&mut position, "pass pass");
    assert_eq!(position.check(Move::at(point("B2"))), Err(Illegal::Over));
    assert_eq!(position.check(Move::PASS), Err(Illegal::Over));
}

#[test]
fn two_passes_in_a_row_end_the_game() {
    let mut position = Position::<Small>::new(&Rules { komi: "0.5".parse().unwrap(), ..Rules::new(3) });
    play(&mut position, "pass B2 pass");
    assert_eq!(position.outcome(), None);
    play(&mut position, "A1 pass pass");
    assert_eq!(position.outcome(), Some(Outcome::win(2, Colour::White.seat())));
    let whole = Rules { komi: "0".parse().unwrap(), ..Rules::new(3) };
    let mut position = Position::<Small>::new(&whole);
    play(&mut position, "pass pass");
    assert_eq!(position.outcome(), Some(Outcome::draw(2)), "an empty board and no komi");
}

#[test]
fn handicap_stones_are_on_the_board_and_white_moves_first() {
    let position = Position::<go::Large>::new(&Rules { handicap: 2, ..Rules::new(19) });
    assert_eq!(position.turn(), Colour::White);
    assert_eq!(position.board().colour(point("D4")), Some(Colour::Black));
    assert_eq!(position.board().colour(point("Q16")), Some(Colour::Black));
    // Free placement is a set-up.
    let rules = Rules { handicap: 3, ..Rules::new(7) };
    let rows = [". . . . . . ."; 6].join("\n");
    let free = drawn(rules, Colour::White, &format!("{rows}\nX X X . . . ."));
    assert_eq!(free.turn(), Colour::White);
    assert_eq!(free.rules().handicap, 3);
}

#[test]
fn a_chain_without_liberties_cannot_be_set_up() {
    let board = Board::<Small>::from_drawing("X O\nO .").unwrap();
    let start = Start { board, to_move: Colour::Black, prisoners: [0; 2] };
    let error = Position::set_up(&Rules::new(2), &start).unwrap_err();
    assert_eq!(error.to_string(), "the stone on A2 has no liberty");
}
