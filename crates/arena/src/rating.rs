//! From a score to an interval, and to Elo and back.

/// The 97.5 % point of the normal distribution: two-sided intervals here hold 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The largest difference in Elo that is ever named. A perfect score proves no finite difference; a bound keeps
/// such results comparable and in formats that know no infinity.
pub const ELO_LIMIT: f64 = 1200.0;

/// The range that holds the true value with the stated confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Wilson's interval for a mean `score` from 0 to 1 over `games` games, at `z` standard deviations.
///
/// A draw counts as half a point, which makes the interval somewhat too wide. Games are taken as independent: the
/// interval knows nothing of what the games of a round share, nor of a match that stopped when it looked good.
///
/// ```
/// let interval = arena::wilson(0.5, 100, arena::Z95);
/// assert!((interval.low - 0.4038).abs() < 1e-4 && (interval.high - 0.5962).abs() < 1e-4);
/// ```
pub fn wilson(score: f64, games: u64, z: f64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let shrink = 1.0 + z * z / n;
    let centre = (score + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (score * (1.0 - score) / n + z * z / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The score that a side `elo` stronger can expect over whole rotations at a table of `seats`.
///
/// With two seats this is the logistic curve. With more, a rotation seats one agent of a side among copies of the
/// other, and the reverse; the chance of each seat is taken in proportion to its strength (Plackett and Luce).
/// Equal sides then expect one half for any number of seats, although one seat of four wins a quarter of its games.
pub fn expected_score(elo: f64, seats: usize) -> f64 {
    let ratio = 10_f64.powf(elo / 400.0);
    let others = seats as f64 - 1.0;
    let alone = ratio / (ratio + others);
    let among = others * ratio / (others * ratio + 1.0);
    f64::midpoint(alone, among)
}

/// The difference in Elo at which `score` is what is expected, at most [`ELO_LIMIT`] either way.
pub fn elo(score: f64, seats: usize) -> f64 {
    let (mut low, mut high) = (-ELO_LIMIT, ELO_LIMIT);
    if score <= expected_score(low, seats) {
        return low;
    }
    if score >= expected_score(high, seats) {
        return high;
    }
    // The curve rises without a closed inverse for three and four seats; sixty halvings exhaust a double.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if expected_score(middle, seats) < score {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pick;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn wilson_ends_solve_its_defining_equation() {
        for (score, games) in [(0.5, 10), (0.9, 40), (0.25, 1000), (0.0, 7), (1.0, 7)] {
            let interval = wilson(score, games, 1.5);
            for end in [interval.low, interval.high] {
                // At either end the observed score is exactly z standard deviations away.
                let deviations = (score - end).powi(2) * games as f64;
                assert!(close(deviations, 1.5 * 1.5 * end * (1.0 - end)), "{score} {games} {end}");
            }
        }
    }

    #[test]
    fn a_perfect_score_has_the_closed_form_and_nothing_proves_nothing() {
        let interval = wilson(1.0, 40, Z95);
        assert!(close(interval.low, 40.0 / (40.0 + Z95 * Z95)) && close(interval.high, 1.0));
        assert_eq!(wilson(0.0, 0, Z95), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_claims() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for per_mille in [500, 700, 950] {
            let truth = f64::from(per_mille) / 1000.0;
            let covered = (0..4000)
                .filter(|_| {
                    let wins = (0..60).filter(|_| pick(&mut rng, 1000) < per_mille as usize).count();
                    let interval = wilson(wins as f64 / 60.0, 60, Z95);
                    interval.low <= truth && truth <= interval.high
                })
                .count();
            // The binomial is coarse, so the true coverage swings about 95 % by a point or two.
            assert!((3720..=3900).contains(&covered), "{covered} of 4000 at {truth}");
        }
    }

    #[test]
    fn two_seats_follow_the_logistic_curve() {
        for score in [0.1, 0.5, 0.64, 0.75, 0.99] {
            let closed_form = -400.0 * (1.0_f64 / score - 1.0).log10();
            assert!((elo(score, 2) - closed_form).abs() < 1e-6, "{score}");
        }
        assert!((elo(10.0 / 11.0, 2) - 400.0).abs() < 1e-6, "ten to one is 400");
    }

    #[test]
    fn more_seats_are_symmetric_and_inverted_exactly() {
        for seats in 2..=4 {
            assert!(elo(0.5, seats).abs() < 1e-6);
            for difference in [-350.0, -10.0, 25.0, 600.0] {
                let score = expected_score(difference, seats);
                assert!((elo(score, seats) - difference).abs() < 1e-6, "{seats} seats, {difference}");
                assert!(close(expected_score(-difference, seats), 1.0 - score));
            }
        }
        // Twice as strong among three equals: 2/5 of the games alone, 6/7 with the three seats.
        let double = 400.0 * 2_f64.log10();
        assert!(close(expected_score(double, 4), f64::midpoint(2.0 / 5.0, 6.0 / 7.0)));
    }

    #[test]
    fn what_no_match_can_prove_is_not_claimed() {
        assert!(close(elo(1.0, 2), ELO_LIMIT));
        assert!(close(elo(0.0, 3), -ELO_LIMIT));
    }
}
