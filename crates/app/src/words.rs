//! Words that every game shares.

use game::Seat;

/// `1 ring`, `2 rings`.
pub(crate) fn count_of(count: u32, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The seats in the order they finished: `1. seat 2   2. seat 1`.
pub(crate) fn ranking(ranks: &[u8]) -> String {
    let mut seats: Vec<(u8, Seat)> = ranks.iter().copied().zip(Seat::all(ranks.len())).collect();
    seats.sort();
    seats.iter().map(|(rank, seat)| format!("{rank}. seat {seat}")).collect::<Vec<_>>().join("   ")
}

/// A value in [−1, 1] as the chance to win it stands for.
pub(crate) fn chance(value: f32) -> String {
    format!("{:.0} %", f32::midpoint(value, 1.0) * 100.0)
}
