//! The likelihood of rankings, its derivatives, and its maximum.

use std::collections::BTreeMap;

use super::{Placing, matrix::Symmetric};

/// Strict rankings, best first, each with the total weight of its games.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders(BTreeMap<Vec<usize>, f64>);

impl Orders {
    /// Adds a game as all strict orders compatible with its ranks, in equal parts.
    pub(super) fn add(&mut self, game: &Placing, weight: f64) {
        let mut orders = Vec::new();
        strict_orders(game, 0, &mut (0..game.players.len()).collect::<Vec<_>>(), &mut orders);
        let part = weight / orders.len() as f64;
        for order in orders {
            *self.0.entry(order).or_default() += part;
        }
    }

    /// The logarithm of the likelihood at these strengths (natural logarithms, by participant).
    pub(super) fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let one = |order: &[usize]| -> f64 {
            stages(order).map(|left| strengths[left[0]] - log_sum(left, strengths)).sum()
        };
        self.0.iter().map(|(order, weight)| weight * one(order)).sum()
    }

    /// The gradient and the negated Hessian with respect to the free participants, those with a row.
    pub(super) fn derivatives(
        &self,
        strengths: &[f64],
        row: &[Option<usize>],
        free: usize,
    ) -> (Vec<f64>, Symmetric) {
        let (mut slope, mut information) = (vec![0.0; free], Symmetric::zero(free));
        for (order, &weight) in &self.0 {
            for left in stages(order) {
                let all = log_sum(left, strengths);
                if let Some(row) = row[left[0]] {
                    slope[row] += weight;
                }
                for &a in left {
                    let Some(i) = row[a] else { continue };
                    let p = (strengths[a] - all).exp();
                    slope[i] -= weight * p;
                    information.add(i, i, weight * p);
                    for &b in left {
                        // Only the lower half is stored; copies of a participant fall on the diagonal.
                        if let Some(j) = row[b].filter(|&j| j <= i) {
                            information.add(i, j, -weight * p * (strengths[b] - all).exp());
                        }
                    }
                }
            }
        }
        (slope, information)
    }
}

/// The seats still to be ranked, for every rank but the last.
fn stages(order: &[usize]) -> impl Iterator<Item = &[usize]> {
    (0..order.len() - 1).map(move |place| &order[place..])
}

/// ln Σ eˢ over the remaining seats, without overflow.
fn log_sum(left: &[usize], strengths: &[f64]) -> f64 {
    let most = left.iter().map(|&player| strengths[player]).fold(f64::NEG_INFINITY, f64::max);
    most + left.iter().map(|&player| (strengths[player] - most).exp()).sum::<f64>().ln()
}

/// All strict orders of the seats compatible with the ranks; `seats[..place]` is already fixed.
fn strict_orders(game: &Placing, place: usize, seats: &mut [usize], found: &mut Vec<Vec<usize>>) {
    if place == seats.len() {
        found.push(seats.iter().map(|&seat| game.players[seat]).collect());
        return;
    }
    let best = seats[place..].iter().map(|&seat| game.ranks[seat]).min();
    for next in place..seats.len() {
        if Some(game.ranks[seats[next]]) == best {
            seats.swap(place, next);
            strict_orders(game, place + 1, seats, found);
            seats.swap(place, next);
        }
    }
}

/// The strengths of the highest likelihood, and the covariance of the free ones.
///
/// Uses Newton's method with step halving. The log-likelihood is concave, and strictly so with a prior on connected
/// participants, so there is one maximum and every sufficiently short step increases it.
pub(super) fn maximise(
    orders: &Orders,
    mut strengths: Vec<f64>,
    row: &[Option<usize>],
    free: usize,
) -> (Vec<f64>, Symmetric) {
    let mut height = orders.log_likelihood(&strengths);
    for _ in 0..200 {
        let (slope, information) = orders.derivatives(&strengths, row, free);
        let step = information.solve(&slope);
        let stepped = |size: f64| -> Vec<f64> {
            let moved =
                |(&strength, row): (&f64, &Option<usize>)| strength + row.map_or(0.0, |row| size * step[row]);
            strengths.iter().zip(row).map(moved).collect()
        };
        // This close to the maximum the likelihood is constant up to rounding, while Newton's step is still exact.
        let near = step.iter().all(|step| step.abs() < 1e-4);
        let sizes = (0..40).map(|halvings| 0.5_f64.powi(halvings));
        let climbs = |tried: &Vec<f64>| near || orders.log_likelihood(tried) > height;
        let Some(better) = sizes.map(stepped).find(climbs) else { break };
        height = orders.log_likelihood(&better);
        strengths = better;
        if step.iter().all(|step| step.abs() < 1e-12) {
            break;
        }
    }
    let (_, information) = orders.derivatives(&strengths, row, free);
    (strengths, information.inverse())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Orders, Vec<f64>, Vec<Option<usize>>) {
        let mut orders = Orders::default();
        let games: [(&[usize], &[u8], f64); 6] = [
            (&[0, 1], &[1, 2], 3.0),
            (&[1, 2], &[1, 1], 2.0),
            (&[0, 1, 2], &[2, 1, 3], 4.0),
            (&[3, 1, 2], &[2, 1, 2], 1.0),
            (&[3, 0, 2, 1], &[1, 2, 2, 2], 5.0),
            (&[0, 0, 0, 3], &[1, 3, 2, 4], 2.5),
        ];
        for (players, ranks, weight) in games {
            orders.add(&Placing { players: players.to_vec(), ranks: ranks.to_vec() }, weight);
        }
        (orders, vec![0.3, -0.8, 1.1, 0.2], vec![Some(0), Some(1), None, Some(2)])
    }

    #[test]
    fn derivatives_agree_with_finite_differences() {
        let (orders, at, row) = sample();
        let (slope, information) = orders.derivatives(&at, &row, 3);
        let nudged = |player: usize, by: f64| {
            let mut at = at.clone();
            at[player] += by;
            at
        };
        let (step, free) = (1e-5, [0, 1, 3]);
        for (i, &player) in free.iter().enumerate() {
            let [up, down] = [step, -step].map(|by| orders.log_likelihood(&nudged(player, by)));
            assert!(((up - down) / (2.0 * step) - slope[i]).abs() < 1e-6, "slope of {player}");
            let [up, down] = [step, -step].map(|by| orders.derivatives(&nudged(player, by), &row, 3).0);
            for j in 0..3 {
                let curvature = (up[j] - down[j]) / (2.0 * step);
                assert!((curvature + information.at(i, j)).abs() < 1e-6, "{i} {j}: {curvature}");
            }
        }
    }

    #[test]
    fn shared_places_are_all_orders_in_equal_parts() {
        let mut orders = Orders::default();
        orders.add(&Placing { players: vec![5, 6, 7, 8], ranks: vec![3, 1, 1, 3] }, 1.0);
        let expected = [[6, 7, 5, 8], [6, 7, 8, 5], [7, 6, 5, 8], [7, 6, 8, 5]];
        assert_eq!(orders.0, expected.into_iter().map(|order| (order.to_vec(), 0.25)).collect());
    }

    #[test]
    fn the_chances_of_all_orders_add_up_to_one() {
        let strengths = [0.4, -1.0, 2.0, 0.0];
        let all = Placing { players: vec![0, 1, 2, 3], ranks: vec![1; 4] };
        let mut orders = Orders::default();
        orders.add(&all, 24.0);
        let chance =
            |order: &Vec<usize>| Orders([(order.clone(), 1.0)].into()).log_likelihood(&strengths).exp();
        assert_eq!(orders.0.len(), 24);
        assert!((orders.0.keys().map(chance).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
