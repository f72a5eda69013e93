use std::collections::HashSet;

use game::{Game, Notation, Setup as _};
use ringrift::{Board, Position, Square8, on_board};

use super::{proof::legal, *};

/// More than the budget of any proof of the set.
const BUDGET: u64 = 1_000_000;

fn task(text: &str, goal: Goal) -> Task<Square8> {
    Task::new(Position::from_text(text).unwrap(), goal, BUDGET)
}

#[test]
fn every_puzzle_of_the_set_has_exactly_the_stated_solution() {
    assert!(all().len() >= 60, "{} puzzles", all().len());
    for puzzle in all() {
        let board: Board = puzzle.start.split_whitespace().next().unwrap().parse().unwrap();
        on_board!(board, B => {
            let start = Position::<B>::from_text(&puzzle.start).unwrap();
            assert_eq!(start.to_text(), puzzle.start);
            let solution = Task::new(start, puzzle.goal, BUDGET).solve();
            let solution = solution.unwrap().unwrap_or_else(|| panic!("{} has no single solution", puzzle.id));
            assert_eq!(solution.line, puzzle.solution, "{}", puzzle.id);
            if let Goal::Rings(rings) = puzzle.goal {
                assert_eq!(Task::new(start, Goal::Rings(0), BUDGET).max_rings(), Ok(rings), "{}", puzzle.id);
            }
        });
    }
}

#[test]
fn the_set_is_varied_and_small_and_in_order() {
    let mut ids = HashSet::new();
    let (mut goals, mut venues, mut levels) = (HashSet::new(), HashSet::new(), HashSet::new());
    for puzzle in all() {
        assert!(ids.insert(&puzzle.id), "{} twice", puzzle.id);
        levels.insert(puzzle.difficulty);
        goals.insert(puzzle.goal.title().split(' ').next().map(str::to_owned));
        venues.insert(puzzle.start.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
    }
    assert_eq!(goals.len(), 3, "{goals:?}");
    assert!(venues.len() >= 8, "{venues:?}");
    assert_eq!(levels, (1..=5).collect::<HashSet<u8>>());
    assert!(all().is_sorted_by_key(|puzzle| puzzle.difficulty));
    assert!(include_str!("set.jsonl").len() < 150_000);
}

#[test]
fn the_solution_solves_and_a_first_move_that_misses_is_called_wrong() {
    for puzzle in all() {
        let mut moves: Vec<String> = Vec::new();
        let mut last = attempt(puzzle, &moves).unwrap();
        for text in &puzzle.solution {
            assert!(!last.solved, "{}: solved before the end", puzzle.id);
            moves.push(text.clone());
            last = attempt(puzzle, &moves).unwrap();
            assert!(last.right, "{}: {moves:?}", puzzle.id);
        }
        assert_eq!(
            last.solved,
            !matches!(puzzle.goal, Goal::Win(2)) || last.view.result.is_some(),
            "{}",
            puzzle.id
        );
    }
    let puzzle = &all()[0];
    let start = attempt(puzzle, &[]).unwrap().view;
    let other = start.moves.iter().find(|offer| offer.text != puzzle.solution[0]).unwrap();
    let wrong = attempt(puzzle, std::slice::from_ref(&other.text)).unwrap();
    assert!(!wrong.right && !wrong.solved);
    assert_eq!(wrong.view, start);
}

#[test]
fn a_puzzle_of_two_turns_can_be_won_to_its_end_against_the_replies() {
    for puzzle in all().iter().filter(|puzzle| puzzle.goal == Goal::Win(2)) {
        let mut moves = puzzle.solution.clone();
        let mut last = attempt(puzzle, &moves).unwrap();
        while !last.solved {
            let offers = last.view.moves.iter().map(|offer| offer.text.clone());
            let tries = offers.map(|text| [moves.clone(), vec![text]].concat());
            let right =
                tries.map(|moves| (attempt(puzzle, &moves).unwrap(), moves)).find(|(tried, _)| tried.right);
            (last, moves) = right.unwrap_or_else(|| panic!("{}: no way on after {moves:?}", puzzle.id));
        }
        let winner = last.view.result.as_ref().unwrap().winner;
        assert_eq!(winner, attempt(puzzle, &[]).unwrap().view.to_move, "{}", puzzle.id);
    }
}

#[test]
fn a_win_is_found_where_one_ring_is_missing() {
    let start = "square8 2 1:movement hands=0,4 credits=17,3 cells=b2:11,b6*2,e7:222,g3:222";
    let solution = task(start, Goal::Win(1)).solve().unwrap().unwrap();
    assert_eq!(solution.line, ["b2-b6"]);
    assert_eq!(solution.choices.len(), 1);
}

#[test]
fn two_ways_make_no_puzzle() {
    // A second marker to land on.
    let start = "square8 2 1:movement hands=0,4 credits=17,3 cells=b2:11,b6*2,e7:22,f2*2,g3:2";
    assert_eq!(task(start, Goal::Win(1)).solve(), Ok(None));
    assert!(task(start, Goal::Win(1)).can_force(&Position::from_text(start).unwrap()).unwrap());
}

#[test]
fn a_proof_that_is_too_long_says_so() {
    let start = Position::<Square8>::from_text("square8 2 1:ring_placement hands=18,18 credits=0,0").unwrap();
    assert_eq!(Task::new(start, Goal::Win(2), 10_000).can_force(&start), Err(TooHard));
}

/// Proofs again, plainly: no memory, no early end.
fn plainly(start: &Position<Square8>, position: &Position<Square8>, goal: Goal) -> bool {
    let solver = start.to_move();
    if let Some(settled) = Task::new(*start, goal, 0).settled(position) {
        return settled;
    }
    let results: Vec<bool> = legal(position)
        .into_iter()
        .map(|m| {
            let mut next = *position;
            next.play_unchecked(m, &mut ());
            plainly(start, &next, goal)
        })
        .collect();
    if position.to_move() == solver { results.contains(&true) } else { !results.contains(&false) }
}

#[test]
fn proofs_agree_with_a_plain_search() {
    let starts = [
        "square8 2 1:movement hands=0,0 credits=16,16 cells=a1:11,a4*2,c1*2,h1#2,h7#2,h8:22",
        "square8 2 1:movement hands=0,0 credits=17,17 cells=a1:1,a3*2,b2:2,h8:2",
        "square8 2 2:movement hands=0,0 credits=17,17 cells=a1:1,a3*2,b2:2,h8:2",
    ];
    for text in starts {
        let start = Position::<Square8>::from_text(text).unwrap();
        for goal in [Goal::Win(1), Goal::Hold, Goal::Rings(1), Goal::Rings(2)] {
            for m in legal(&start) {
                let mut next = start;
                next.play_unchecked(m, &mut ());
                let proven = Task::new(start, goal, BUDGET).can_force(&next);
                assert_eq!(
                    proven,
                    Ok(plainly(&start, &next, goal)),
                    "{text} {goal:?} {}",
                    start.move_text(m)
                );
            }
        }
    }
}
