//! Ratings on simulated games: closed forms, anchors, coverage of intervals.

use game::pick;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;

fn duel(a: usize, b: usize, ranks: [u8; 2]) -> Placing {
    Placing { players: vec![a, b], ranks: ranks.to_vec() }
}

/// A game between these players, drawn from the model with strengths in Elo.
fn drawn_by_lot(players: &[usize], truth: &[f64], rng: &mut Xoshiro256PlusPlus) -> Placing {
    let mut ranks = vec![0; players.len()];
    for rank in 1..=players.len() as u8 {
        let strength = |seat: usize| 10_f64.powf(truth[players[seat]] / 400.0);
        let left: Vec<usize> = (0..players.len()).filter(|&seat| ranks[seat] == 0).collect();
        let all: f64 = left.iter().map(|&seat| strength(seat)).sum();
        let mut lot = pick(rng, 1 << 40) as f64 / (1_u64 << 40) as f64 * all;
        let chosen = left.iter().find(|&&seat| {
            lot -= strength(seat);
            lot < 0.0
        });
        ranks[*chosen.or(left.last()).unwrap()] = rank;
    }
    Placing { players: players.to_vec(), ranks }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-8
}

#[test]
fn two_players_have_the_closed_form() {
    for (won, lost, drawn) in [(3_u32, 1_u32, 0_u32), (30, 12, 9), (40, 0, 0), (10, 0, 0), (0, 5, 1)] {
        let games: Vec<Placing> = (0..won)
            .map(|_| duel(0, 1, [1, 2]))
            .chain((0..lost).map(|_| duel(1, 0, [1, 2])))
            .chain((0..drawn).map(|_| duel(0, 1, [1, 1])))
            .collect();
        let ratings = Ratings::fit(2, &games, &RatingConfig::anchored(1)).unwrap();
        // Each adds a quarter of a draw, which makes a quarter of a point for either side in total.
        let (up, down) =
            (f64::from(won) + f64::from(drawn) / 2.0 + 0.25, f64::from(lost) + f64::from(drawn) / 2.0 + 0.25);
        let found = ratings.of(0).unwrap();
        assert!(close(found.elo, 400.0 * (up / down).log10()), "{won} {lost} {drawn}: {found:?}");
        let half = Z95 * ELO_PER_NAT * ((up + down) / (up * down)).sqrt();
        assert!(close(found.interval.high - found.elo, half) && close(found.elo - found.interval.low, half));
        assert_eq!(ratings.games(0), u64::from(won + lost + drawn));
    }
}

#[test]
fn anchors_stay_where_they_are_and_only_differences_count() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let truth = [0.0, 150.0, 300.0, -80.0];
    let pairs = [[0, 1], [0, 2], [1, 2], [2, 3], [3, 0]];
    let games: Vec<Placing> =
        (0..500).map(|game| drawn_by_lot(&pairs[game % pairs.len()], &truth, &mut rng)).collect();
    let at_zero = Ratings::fit(4, &games, &RatingConfig::anchored(0)).unwrap();
    let shifted = RatingConfig { anchors: vec![(0, 400.0)], ..RatingConfig::anchored(0) };
    let shifted = Ratings::fit(4, &games, &shifted).unwrap();
    let other = Ratings::fit(4, &games, &RatingConfig::anchored(2)).unwrap();
    assert_eq!(at_zero.of(0).unwrap(), Estimate { elo: 0.0, interval: Interval { low: 0.0, high: 0.0 } });
    for player in 0..4 {
        let [zero, high] = [&at_zero, &shifted].map(|ratings| ratings.of(player).unwrap());
        assert!(close(zero.elo + 400.0, high.elo) && close(zero.interval.low + 400.0, high.interval.low));
        for rival in 0..4 {
            let [one, two] = [&at_zero, &other].map(|ratings| ratings.difference(player, rival).unwrap());
            assert!(close(one.elo, two.elo) && close(one.interval.low, two.interval.low), "{one:?} {two:?}");
        }
    }
    let two = RatingConfig { anchors: vec![(0, 0.0), (2, 100.0)], prior: 0.25 };
    let two = Ratings::fit(4, &games, &two).unwrap();
    assert!(close(two.of(2).unwrap().elo, 100.0) && close(two.of(0).unwrap().elo, 0.0));
    let (held, free) = (two.of(1).unwrap().elo, at_zero.of(1).unwrap().elo);
    assert!(held < free, "wins over an underrated anchor count for less: {held} {free}");
}

#[test]
fn numbering_of_participants_does_not_matter() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let truth = [0.0, 120.0, -60.0, 250.0, 30.0];
    let tables: [&[usize]; 5] = [&[0, 1, 2], &[2, 3, 4, 0], &[1, 3], &[4, 4, 1], &[0, 3, 1, 2]];
    let games: Vec<Placing> = (0..200).map(|game| drawn_by_lot(tables[game % 5], &truth, &mut rng)).collect();
    let name = |player: usize| (3 * player + 2) % 5;
    let renamed: Vec<Placing> = games
        .iter()
        .map(|game| {
            // Seats are reversed as well: only ranks count.
            let players = game.players.iter().rev().map(|&player| name(player)).collect();
            Placing { players, ranks: game.ranks.iter().rev().copied().collect() }
        })
        .collect();
    let ratings = Ratings::fit(5, &games, &RatingConfig::anchored(0)).unwrap();
    let again = Ratings::fit(5, &renamed, &RatingConfig::anchored(name(0))).unwrap();
    for player in 0..5 {
        let (one, two) = (ratings.of(player).unwrap(), again.of(name(player)).unwrap());
        assert!(close(one.elo, two.elo) && close(one.interval.high, two.interval.high), "{one:?} {two:?}");
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_claim() {
    let truth = [0.0, 100.0, 220.0, -120.0, 350.0];
    let tables: [&[&[usize]]; 4] = [
        &[&[0, 1], &[1, 2], &[2, 3], &[3, 4], &[4, 0], &[0, 2], &[1, 3], &[2, 4]],
        &[&[0, 1, 2], &[2, 3, 4], &[4, 0, 1], &[1, 2, 3], &[3, 4, 0]],
        &[&[0, 1, 2, 3], &[1, 2, 3, 4], &[4, 3, 0, 1], &[2, 4, 0, 3]],
        &[&[0, 1, 1], &[1, 2, 2], &[3, 3, 0], &[4, 2, 4], &[4, 4, 0, 0]],
    ];
    for (tables, seed) in tables.into_iter().zip(1..) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut covered, mut asked) = (0, 0);
        for _ in 0..250 {
            let games: Vec<Placing> =
                (0..200).map(|game| drawn_by_lot(tables[game % tables.len()], &truth, &mut rng)).collect();
            let ratings = Ratings::fit(5, &games, &RatingConfig::anchored(0)).unwrap();
            for player in 0..5 {
                for rival in 0..player {
                    let Interval { low, high } = ratings.difference(player, rival).unwrap().interval;
                    covered += usize::from((low..=high).contains(&(truth[player] - truth[rival])));
                    asked += 1;
                }
            }
        }
        let share = 100.0 * covered as f64 / f64::from(asked);
        assert!((93.5..=97.5).contains(&share), "{share:.1} % of the intervals of {tables:?}");
    }
}

#[test]
fn a_perfect_score_stays_finite_and_grows_with_the_games() {
    let rated = |games: usize| {
        let games = vec![duel(0, 1, [1, 2]); games];
        Ratings::fit(2, &games, &RatingConfig::anchored(1)).unwrap().of(0).unwrap()
    };
    let (few, many) = (rated(10), rated(100));
    assert!(few.elo > 300.0 && few.elo < many.elo && many.elo < 1200.0, "{few:?} {many:?}");
    assert!(few.interval.low < many.interval.low);
}

#[test]
fn participants_unconnected_to_an_anchor_have_no_rating() {
    let games = [duel(0, 1, [1, 2]), duel(2, 3, [1, 2]), duel(3, 4, [1, 1])];
    let ratings = Ratings::fit(6, &games, &RatingConfig::anchored(1)).unwrap();
    let known: Vec<bool> = (0..6).map(|player| ratings.of(player).is_some()).collect();
    assert_eq!(known, [true, true, false, false, false, false]);
    assert_eq!(ratings.difference(0, 2), None);
    assert_eq!(ratings.games(3), 2);
    let no_anchor = RatingConfig { anchors: Vec::new(), prior: 0.25 };
    let ratings = Ratings::fit(6, &games, &no_anchor).unwrap();
    assert!((0..6).all(|player| ratings.of(player).is_none()), "without an anchor there is no scale");
}

#[test]
fn superiority_is_half_for_equals_and_follows_the_difference() {
    let even = [duel(0, 1, [1, 2]), duel(0, 1, [2, 1])];
    let ratings = Ratings::fit(2, &even, &RatingConfig::anchored(0)).unwrap();
    assert!((ratings.superiority(0, 1).unwrap() - 0.5).abs() < 1e-6);
    let clear = vec![duel(0, 1, [1, 2]); 60];
    let clear = [clear, vec![duel(0, 1, [2, 1]); 20]].concat();
    let ratings = Ratings::fit(2, &clear, &RatingConfig::anchored(0)).unwrap();
    let (up, down) = (ratings.superiority(0, 1).unwrap(), ratings.superiority(1, 0).unwrap());
    assert!(up > 0.999 && (up + down - 1.0).abs() < 1e-9);
    assert!((normal(Z95) - 0.975).abs() < 1e-6 && (normal(-1.0) - 0.158_655_25).abs() < 1e-6);
}

#[test]
fn invalid_input_is_refused() {
    let config = RatingConfig::anchored(0);
    let short = Placing { players: vec![0, 1], ranks: vec![1] };
    assert_eq!(Ratings::fit(2, &[short], &config), Err(RatingError::Unranked { players: 2, ranks: 1 }));
    assert_eq!(Ratings::fit(2, &[duel(0, 2, [1, 2])], &config), Err(RatingError::UnknownPlayer(2, 2)));
    for config in [
        RatingConfig { prior: 0.0, ..config.clone() },
        RatingConfig { anchors: vec![(0, f64::NAN)], ..config.clone() },
    ] {
        assert!(matches!(Ratings::fit(2, &[], &config), Err(RatingError::BadNumber { .. })));
    }
}
