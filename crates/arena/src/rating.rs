//! Confidence intervals of scores, and conversion between scores and Elo differences.

/// The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The largest Elo difference that is ever reported. A perfect score implies no finite difference; a limit keeps such
/// results comparable and representable in formats without infinity.
pub const ELO_LIMIT: f64 = 1200.0;

/// A confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The Wilson score interval for a mean `score` from 0 to 1 over `games` games, at `z` standard deviations.
///
/// A draw counts as half a point, which makes the interval somewhat too wide. Games are treated as independent: the
/// interval does not account for correlations within a round or for early stopping.
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

/// The expected score of a side that is `elo` stronger, over complete rotations of games for `seats`.
///
/// With two seats this is the logistic curve. With more, a rotation seats one agent of a side among copies of the
/// other, and the reverse; the chance of each seat is proportional to its strength (the Plackett–Luce model). Equal
/// sides then have an expected score of one half for any number of seats, although one seat of four wins a quarter of
/// its games.
pub fn expected_score(elo: f64, seats: usize) -> f64 {
    let ratio = 10_f64.powf(elo / 400.0);
    let others = seats as f64 - 1.0;
    let alone = ratio / (ratio + others);
    let among = others * ratio / (others * ratio + 1.0);
    f64::midpoint(alone, among)
}

/// The Elo difference whose expected score is `score`, limited to ±[`ELO_LIMIT`].
pub fn elo(score: f64, seats: usize) -> f64 {
    let (mut low, mut high) = (-ELO_LIMIT, ELO_LIMIT);
    if score <= expected_score(low, seats) {
        return low;
    }
    if score >= expected_score(high, seats) {
        return high;
    }
    // The curve has no closed inverse for three and four seats; sixty bisections exhaust the precision of a double.
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
                // At both ends the observed score is exactly z standard deviations away.
                let deviations = (score - end).powi(2) * games as f64;
                assert!(close(deviations, 1.5 * 1.5 * end * (1.0 - end)), "{score} {games} {end}");
            }
        }
    }

    #[test]
    fn a_perfect_score_has_the_closed_form_and_no_games_give_the_full_interval() {
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
            // The binomial is discrete, so the true coverage varies around 95 % by a point or two.
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
        // Twice as strong as each of three equals: wins 2/5 of the games alone, and 6/7 with three seats.
        let double = 400.0 * 2_f64.log10();
        assert!(close(expected_score(double, 4), f64::midpoint(2.0 / 5.0, 6.0 / 7.0)));
    }

    #[test]
    fn elo_differences_are_limited() {
        assert!(close(elo(1.0, 2), ELO_LIMIT));
        assert!(close(elo(0.0, 3), -ELO_LIMIT));
    }
}
