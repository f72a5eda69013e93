//! The checks of `game::testkit` for every board, number of seats and set of options.

use game::{Game, testkit};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Position, RecoveryRule, Rules, Variant, on_board};

fn games(board: Board) -> usize {
    match board {
        Board::Square8 | Board::Hex8 => 12,
        Board::Square19 | Board::Hexagonal => 1,
    }
}

/// Plays random games under several rules and calls `check` on every position.
fn on_random_games<B: Geometry>(mut check: impl FnMut(&Position<B>, &mut Xoshiro256PlusPlus)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut checks = Xoshiro256PlusPlus::seed_from_u64(8);
    for seats in 2..=4 {
        let rules = Rules::new(seats);
        let few = Rules { rings: Some(5), ..rules };
        let base = Rules { variant: Variant::Base, swap: seats == 2, lps_rounds: 1, ..rules };
        let text = Rules { recovery: RecoveryRule::Text, rings: Some(9), ..rules };
        for rules in [rules, few, base, text] {
            for _ in 0..games(B::BOARD) {
                testkit::check_game(Position::<B>::new(&rules), 20_000, &mut rng, |position| {
                    check(position, &mut checks);
                });
            }
        }
    }
}

macro_rules! kit {
    ($($name:ident => $board:ident,)*) => {
        $(
            mod $name {
                use super::*;
                use ringrift::$board;

                #[test]
                fn keeps_the_contract_of_a_game() {
                    on_random_games::<$board>(|position, _| testkit::check_position(position));
                }

                #[test]
                fn reads_back_what_it_writes() {
                    let mut count = 0;
                    on_random_games::<$board>(|position, _| {
                        count += 1;
                        if count % 5 == 0 {
                            testkit::check_setup(position);
                            testkit::check_notation(position);
                        }
                    });
                }

                #[test]
                fn respects_its_symmetries() {
                    let mut count = 0;
                    on_random_games::<$board>(|position, rng| {
                        count += 1;
                        if count % 11 == 0 {
                            testkit::check_symmetry(position, rng);
                        }
                    });
                }
            }
        )*
    };
}

kit! {
    square8 => Square8,
    square19 => Square19,
    hex8 => Hex8,
    hexagonal => Hexagonal,
}

#[test]
fn every_combination_starts_with_all_placements() {
    for board in Board::ALL {
        for seats in 2..=4 {
            let moves = on_board!(board, B => {
                let mut moves = Vec::new();
                Position::<B>::new(&Rules::new(seats)).legal_moves(&mut moves);
                moves.len()
            });
            assert_eq!(moves as u32, 3 * board.cells(), "{board} for {seats}");
        }
    }
}
