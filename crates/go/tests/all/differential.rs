//! Differential tests: the engine and the oracle play random games and must agree after every move.

use std::env;

use game::{Game, pick};
use go::{
    Colour, Illegal, Ko, Komi, Large, Medium, Move, Point, Points, Position, Rules, Scoring, Small, Verdict,
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::oracle::{Grid, Oracle};

fn grid<P: Points>(position: &Position<P>) -> Grid {
    let size = position.board().size();
    (0..size * size)
        .map(|at| match position.board().colour(Point::new(at % size, at / size)) {
            Some(Colour::Black) => b'X',
            Some(Colour::White) => b'O',
            None => b'.',
        })
        .collect()
}

fn word(refusal: &Result<(), Illegal>) -> String {
    match refusal {
        Ok(()) => "fine".to_owned(),
        Err(Illegal::Over) => "over".to_owned(),
        Err(Illegal::Occupied(_)) => "occupied".to_owned(),
        Err(Illegal::Suicide(_)) => "suicide".to_owned(),
        Err(Illegal::Ko(_)) => "ko".to_owned(),
        Err(Illegal::Superko { earlier, .. }) => format!("superko {earlier}"),
        Err(Illegal::OffBoard(..)) => "off board".to_owned(),
    }
}

fn compare<P: Points>(oracle: &Oracle, position: &Position<P>) {
    let size = oracle.size;
    assert_eq!(grid(position), oracle.grid, "{position:?}");
    assert_eq!(position.is_over(), oracle.is_over(), "{position:?}");
    assert_eq!(position.ended_by_cycle(), oracle.no_result(), "{position:?}");
    assert_eq!(position.prisoners(), oracle.prisoners, "{position:?}");
    assert_eq!(position.score(&Verdict::AS_IT_STANDS).half_points(), oracle.half_points(), "{position:?}");
    // The oracle takes long to list the moves of a large board, so that is compared only now and then.
    if size > 9 && position.moves_played() % 40 != 7 {
        return;
    }
    let legal: Vec<usize> =
        position.legal_points().iter().map(|point| point.row() * size + point.column()).collect();
    assert_eq!(legal, oracle.legal(), "\n{}\n{position:?}", position.draw());
}

/// Plays a random game in both. Passes are rare, so that games continue until few moves are left.
fn play_both<P: Points>(rules: Rules, longest: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
    let (mut oracle, mut position) = (Oracle::new(rules), Position::<P>::new(&rules));
    for ply in 0..longest {
        compare(&oracle, &position);
        if oracle.is_over() {
            return ply;
        }
        let size = oracle.size;
        // Compare the reason for one point per ply; comparing all would take the oracle too long.
        let asked = pick(rng, size * size);
        let m = Move::at(Point::new(asked % size, asked / size));
        assert_eq!(word(&position.check(m)), oracle.reason(asked), "{m} in {position:?}");
        let legal: Vec<Point> = position.legal_points().iter().collect();
        let at = (!legal.is_empty() && pick(rng, 20) > 0).then(|| {
            let point = legal[pick(rng, legal.len())];
            point.row() * size + point.column()
        });
        oracle.play(at);
        let m = at.map_or(Move::PASS, |at| Move::at(Point::new(at % size, at / size)));
        assert_eq!(position.play(m), Ok(()), "{position:?}");
    }
    longest
}

/// `DEPTH=20` compares twenty times as many games.
fn depth() -> usize {
    env::var("DEPTH").ok().and_then(|depth| depth.parse().ok()).unwrap_or(1)
}

fn all_options(size: u8) -> impl Iterator<Item = Rules> {
    let kos = [Ko::Positional, Ko::Situational, Ko::Simple];
    kos.into_iter().flat_map(move |ko| {
        [false, true].into_iter().map(move |suicide| Rules {
            ko,
            suicide,
            komi: Komi::from_half_points(i16::from(size)),
            scoring: if suicide { Scoring::Territory } else { Scoring::Area },
            ..Rules::new(size)
        })
    })
}

fn compare_sizes<P: Points>(games: impl Fn(u8) -> usize, sizes: impl IntoIterator<Item = u8>, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut plies = 0;
    for size in sizes {
        for rules in all_options(size) {
            for _ in 0..games(size) * depth() {
                plies += play_both::<P>(rules, (40 + 3 * usize::from(size).pow(2)).min(400), &mut rng);
            }
        }
    }
    assert!(plies > 1000, "only {plies} plies were compared");
}

#[test]
fn small_boards_agree_with_the_oracle() {
    compare_sizes::<Small>(|size| if size < 5 { 150 } else { 10 }, 2..=7, 1);
}

#[test]
fn medium_boards_agree_with_the_oracle() {
    compare_sizes::<Medium>(|size| if size < 5 { 50 } else { 2 }, 2..=10, 2);
}

#[test]
fn large_boards_agree_with_the_oracle() {
    compare_sizes::<Large>(|size| if size < 5 { 50 } else { 1 }, [2, 3, 4, 5, 9, 13, 19], 3);
}
