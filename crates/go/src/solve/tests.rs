use std::collections::HashSet;

use game::{Game, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{Board, Colour, Ko, Move, Point, Points, Position, Rules, Small, Start};

fn rules(size: u8, ko: Ko) -> Rules {
    Rules { ko, ..Rules::new(size) }
}

#[test]
fn the_2x2_board_is_worth_one_point_under_every_superko() {
    for ko in [Ko::Positional, Ko::Situational] {
        assert_eq!(Solver::new(1_000_000).value(&Position::new(&rules(2, ko))), Ok(1), "{ko:?}");
    }
}

/// Plain alpha-beta without bounds, move ordering or a table.
fn minimax(position: &Position<Small>, mut alpha: i32, mut beta: i32) -> i32 {
    if position.is_over() {
        return position.board().area();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for m in moves.into_iter().rev() {
        let mut after = position.clone();
        after.play_unchecked(m, &mut ());
        let value = minimax(&after, alpha, beta);
        if position.turn() == Colour::Black {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    if position.turn() == Colour::Black { alpha } else { beta }
}

#[test]
fn the_solver_agrees_with_plain_minimax_after_all_short_openings_on_2x2() {
    let mut moves = Vec::new();
    for ko in [Ko::Positional, Ko::Situational] {
        let start = Position::<Small>::new(&rules(2, ko));
        let mut positions = vec![start];
        for _ in 0..2 {
            positions = positions
                .iter()
                .flat_map(|position| {
                    position.legal_moves(&mut moves);
                    moves
                        .iter()
                        .map(|&m| {
                            let mut after = position.clone();
                            after.play_unchecked(m, &mut ());
                            after
                        })
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        for position in positions {
            let expected = minimax(&position, -5, 5);
            assert_eq!(Solver::new(1_000_000).value(&position), Ok(expected), "{ko:?} {position:?}");
        }
    }
}

#[test]
fn black_wins_the_whole_3x3_board_from_the_centre() {
    let table = Table::new(3);
    assert_eq!(table.bounds(&Board::new(3), Colour::Black, false).exact(), Some(9));
    for ko in [Ko::Positional, Ko::Situational] {
        let start = Position::new(&rules(3, ko));
        let mut solver = Solver::new(1_000_000).with_table(&table);
        assert_eq!(solver.value(&start), Ok(9), "{ko:?}");
    }
    // The published values of the first moves: centre, side, corner.
    for (name, value) in [("B2", 9), ("B1", 3), ("A1", -9)] {
        let mut position = Position::new(&rules(3, Ko::Situational));
        position.play(Move::at(Point::parse(name).unwrap())).unwrap();
        let mut solver = Solver::new(1_000_000).with_table(&table);
        assert_eq!(solver.value(&position), Ok(value), "{name}");
    }
}

#[test]
#[ignore = "takes half a minute: three million boards"]
fn the_4x4_board_is_worth_two_points() {
    let table = Table::new(4);
    let start = Position::new(&rules(4, Ko::Situational));
    assert_eq!(Solver::new(1_000_000).with_table(&table).value(&start), Ok(2));
}

/// The bounds in the table are consistent: each follows from those after the best move.
#[test]
fn table_bounds_follow_from_those_of_the_moves() {
    let table = Table::new(3);
    let mut seen = HashSet::new();
    let mut waiting = vec![Board::<Small>::new(3)];
    while let Some(board) = waiting.pop() {
        if !seen.insert(board) {
            continue;
        }
        for colour in Colour::BOTH {
            let bounds = table.bounds(&board, colour, true);
            let area = board.area() as i8 * if colour == Colour::Black { 1 } else { -1 };
            assert!(
                bounds.least <= bounds.most && bounds.least >= area,
                "a pass ends the game:\n{}",
                board.draw()
            );
            for point in board.empty().iter() {
                let mut after = board;
                let captured = after.place(point, colour);
                if after.liberties(after.chain(point)).is_empty() {
                    continue;
                }
                waiting.push(after);
                if captured.is_empty() {
                    let reply = table.bounds(&after, colour.other(), false);
                    assert!(bounds.least >= -reply.most, "{point} in\n{}", board.draw());
                    assert!(bounds.most >= -reply.least, "{point} in\n{}", board.draw());
                }
            }
        }
    }
    assert_eq!(seen.len(), 12_675, "every board is reachable");
}

/// Where the search without a table finishes, the search with a table finds the same value.
#[test]
fn a_table_changes_no_value() {
    let table = Table::new(3);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut compared, mut moves) = (0, Vec::new());
    for _ in 0..150 {
        let mut position = Position::<Small>::new(&rules(3, Ko::Situational));
        for _ in 0..7 {
            position.legal_moves(&mut moves);
            position.play_unchecked(moves[pick(&mut rng, moves.len() - 1)], &mut ());
        }
        if let Ok(value) = Solver::new(50_000).value(&position) {
            let helped = Solver::new(50_000).with_table(&table).value(&position);
            assert_eq!(helped, Ok(value), "{position:?}");
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} positions were compared");
}

fn drawn(drawing: &str, to_move: Colour) -> Position<Small> {
    let board = Board::from_drawing(drawing).unwrap();
    let start = Start { board, to_move, prisoners: [0; 2] };
    Position::set_up(&Rules::new(board.size() as u8), &start).unwrap()
}

#[test]
fn endgame_positions_on_5x5_are_solved() {
    // The colour that plays C3 first wins the middle.
    let drawing = "
        . X . O .
        X X . O O
        . X . O .
        X X . O O
        . X . O .";
    for (to_move, value) in [(Colour::Black, 1), (Colour::White, -1)] {
        let mut solver = Solver::new(2_000_000);
        assert_eq!(solver.value(&drawn(drawing, to_move)), Ok(value), "{to_move}");
    }
    // A chain in atari: Black captures and owns the board, or White connects.
    let drawing = "
        . X . X .
        X X X X X
        O O O O .
        X X X X X
        . X . X .";
    assert_eq!(Solver::new(2_000_000).value(&drawn(drawing, Colour::Black)), Ok(25));
}

#[test]
fn too_few_nodes_are_an_error() {
    let start = Position::new(&Rules::new(5));
    assert_eq!(Solver::new(100).value(&start), Err(OutOfNodes(100)));
}

#[test]
fn a_ko_that_superko_forbids_changes_the_value() {
    // The board after White captured the ko, and the same board without history.
    let before = drawn(". X O .\nX . X O\n. X O .\nX X O O", Colour::White);
    let mut with_ban = before.clone();
    with_ban.play(Move::at(Point::parse("B3").unwrap())).unwrap();
    let start = Start { board: *with_ban.board(), to_move: Colour::Black, prisoners: [0; 2] };
    let without = Position::set_up(with_ban.rules(), &start).unwrap();
    let value = |position| Solver::new(3_000_000).value(position).unwrap();
    assert!(value(&with_ban) < value(&without));
}

#[test]
fn a_solution_has_the_value_of_every_move_best_first() {
    let solution = Solution::of(&Position::new(&rules(3, Ko::Situational)), 1_000_000).unwrap();
    assert_eq!((solution.value, solution.moves.len()), (9, 10));
    let values: Vec<i32> = solution.moves.iter().map(|&(_, value)| value.unwrap()).collect();
    // The centre, four side points, four corners and a pass.
    assert_eq!(values[..5], [9, 3, 3, 3, 3]);
    assert!(values[5..].iter().all(|&value| value == -9), "{values:?}");
    assert!(solution.is_complete());
    // White to move sees the same position from the other side.
    let mut start = Position::new(&rules(3, Ko::Situational));
    start.play(Move::at(Point::parse("B2").unwrap())).unwrap();
    let reply = Solution::of(&start, 1_000_000).unwrap();
    assert_eq!(reply.value, 9);
    assert!(reply.moves.iter().all(|&(_, value)| value == Some(9)), "{:?}", reply.moves);
}

#[test]
fn a_solution_that_takes_too_many_nodes_says_so() {
    let start = Position::new(&rules(3, Ko::Positional));
    assert_eq!(Solution::of(&start, 100), Err(OutOfNodes(100)));
}
