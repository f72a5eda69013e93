//! The Go evaluator on prepared positions, and its invariants.

use game::{Game, Seat, StaticEvaluator, testkit::check_game};
use go::{
    Board, Colour, Ko, Komi, Large, Medium, Move, Point, Points, Position, Rules, Scoring, Small, Start,
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::GoHeuristic;

fn rules(size: u8, komi: &str) -> Rules {
    Rules { komi: komi.parse().unwrap(), ..Rules::new(size) }
}

fn drawn(drawing: &str, to_move: Colour, komi: &str) -> Position<Small> {
    let board = Board::from_drawing(drawing).unwrap();
    let start = Start { board, to_move, prisoners: [0; 2] };
    Position::set_up(&rules(board.size() as u8, komi), &start).unwrap()
}

/// The best moves for the mover by a one-ply search.
fn best(position: &Position<Small>) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let value = |m: &Move| {
        let mut after = position.clone();
        after.play(*m).unwrap();
        GoHeuristic.values(&after).of(position.to_move())
    };
    let most = moves.iter().map(value).fold(f32::NEG_INFINITY, f32::max);
    let best = moves.iter().filter(|m| value(m) >= most);
    best.map(|m| m.point().map_or_else(|| "pass".to_owned(), |point| point.to_string())).collect()
}

fn check_values<P: Points>(rules: Rules, games: u64) {
    let longest = 40 * usize::from(rules.size).pow(2);
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        check_game(Position::<P>::new(&rules), longest, &mut rng, |position| {
            let values = GoHeuristic.values(position);
            let (black, white) = (values.of(Seat::new(0)), values.of(Seat::new(1)));
            assert!(
                black.to_bits() == (-white).to_bits() || black + white == 0.0,
                "{values:?}: {position:?}"
            );
            match position.outcome() {
                Some(outcome) => assert_eq!(values, outcome.values(), "{position:?}"),
                None => assert!(black.abs() <= GoHeuristic::MOST, "{black}: {position:?}"),
            }
        });
    }
}

#[test]
fn values_are_zero_sum_inside_the_interval_and_exact_at_the_end() {
    check_values::<Small>(rules(2, "0"), 200);
    check_values::<Small>(rules(5, "0.5"), 20);
    check_values::<Small>(Rules { scoring: Scoring::Territory, ko: Ko::Simple, ..rules(5, "0") }, 20);
    check_values::<Medium>(Rules { suicide: true, ..rules(9, "7.5") }, 3);
    check_values::<Large>(rules(13, "7.5"), 1);
}

#[test]
fn all_point_set_sizes_give_the_same_value() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    check_game(Position::<Small>::new(&rules(7, "0.5")), 4000, &mut rng, |position| {
        let mut large = Position::<Large>::new(position.rules());
        position.moves().into_iter().for_each(|m| large.play(m).unwrap());
        assert_eq!(GoHeuristic.values(position), GoHeuristic.values(&large), "{position:?}");
    });
}

#[test]
fn colours_are_treated_alike() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    check_game(Position::<Small>::new(&rules(5, "0")), 4000, &mut rng, |position| {
        let mut board = Board::new(5);
        for colour in Colour::BOTH {
            board.add(position.board().stones(colour), colour.other());
        }
        let start = |board, to_move| Start { board, to_move, prisoners: [0; 2] };
        let lead = |start| GoHeuristic::lead(&Position::set_up(&rules(5, "0"), &start).unwrap());
        let (own, turned) =
            (lead(start(*position.board(), position.turn())), lead(start(board, position.turn().other())));
        assert!((own + turned).abs() < 1e-3, "{own} {turned}: {position:?}");
    });
}

#[test]
fn komi_is_part_of_the_lead() {
    let lead = |komi: i16| {
        let rules = Rules { komi: Komi::from_half_points(komi), ..Rules::new(5) };
        GoHeuristic::lead(&Position::<Small>::new(&rules))
    };
    assert!((lead(0) - lead(15) - 7.5).abs() < 1e-3);
}

#[test]
fn taking_a_chain_in_atari_is_worth_more_the_larger_it_is() {
    // Both white chains could escape.
    let drawing = "
        . . . . . . .
        . X X . . . .
        X O O . . . .
        . X X . . X .
        . . . . . O X
        . . . . . X .
        . . . . . . .";
    let position = drawn(drawing, Colour::Black, "0.5");
    let [two, one, none] = [Some("D5"), Some("E3"), None].map(|name| {
        let mut after = position.clone();
        after.play(name.map_or(Move::PASS, |name| Move::at(Point::parse(name).unwrap()))).unwrap();
        GoHeuristic::lead(&after)
    });
    assert!(two > one && one > none, "{two} {one} {none}");
}

#[test]
fn a_chain_in_atari_that_can_be_saved_is_saved() {
    let drawing = "
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .";
    assert_eq!(best(&drawn(drawing, Colour::Black, "0.5")), ["D3"]);
}

#[test]
fn extending_in_a_losing_ladder_gains_nothing() {
    let position = drawn(
        "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . X O . . . .
        . . X X . . .
        . . . . . . .",
        Colour::White,
        "0.5",
    );
    let lead_after = |m| {
        let mut after = position.clone();
        after.play(m).unwrap();
        GoHeuristic::lead(&after)
    };
    let running = lead_after(Move::at(Point::parse("D3").unwrap()));
    let elsewhere = lead_after(Move::at(Point::parse("F4").unwrap()));
    assert!(elsewhere < running, "{elsewhere} {running}");
}

/// Black's stones have two eyes and own the whole board.
const DECIDED: &str = "
        . X . X .
        X X X X X
        . . . . .
        X X X X X
        . . . . .";

#[test]
fn eyes_are_not_filled_and_the_loser_passes() {
    assert_eq!(best(&drawn(DECIDED, Colour::White, "0.5")), ["pass"]);
    let chosen = best(&drawn(DECIDED, Colour::Black, "0.5"));
    assert!(chosen.iter().all(|name| !["A5", "C5", "E5"].contains(&name.as_str())), "{chosen:?}");
}

#[test]
fn after_a_pass_only_the_leader_passes() {
    // Area is 13 to 12; komi reverses the result.
    let drawing = "
        . X X O .
        X . X O O
        X X X O .
        . X O O O
        X X X O .";
    for (komi, black_wins) in [("0.5", true), ("7.5", false)] {
        for mover in Colour::BOTH {
            let mut position = drawn(drawing, mover.other(), komi);
            position.play(Move::PASS).unwrap();
            let passes = best(&position) == ["pass"];
            assert_eq!(passes, (mover == Colour::Black) == black_wins, "{mover}, komi {komi}");
        }
    }
}

#[test]
fn a_position_in_which_a_pass_ties_is_worth_at_least_a_tie() {
    // Eight points to eight, with A2 in atari: Black is to move and would lose by playing on.
    let mut position = drawn("X X O O\nX X O O\nX . O .\nX X . O", Colour::White, "0");
    position.play(Move::PASS).unwrap();
    assert_eq!(position.board().area(), 0);
    assert!(
        GoHeuristic::lead(&position) < 0.0 && GoHeuristic.values(&position).of(Colour::Black.seat()) >= 0.0,
        "{position:?}"
    );
}
