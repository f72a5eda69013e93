//! Text forms of rankings and values that all games share.

use game::Seat;

/// The seats by rank, as in `1. seat 2   2. seat 1`.
pub(crate) fn ranking(ranks: &[u8]) -> String {
    let mut seats: Vec<(u8, Seat)> = ranks.iter().copied().zip(Seat::all(ranks.len())).collect();
    seats.sort();
    seats.iter().map(|(rank, seat)| format!("{rank}. seat {seat}")).collect::<Vec<_>>().join("   ")
}

/// Formats a value in [−1, 1] as the probability of winning that it corresponds to.
pub(crate) fn chance(value: f64) -> String {
    format!("{:.0} %", f64::midpoint(value, 1.0) * 100.0)
}
