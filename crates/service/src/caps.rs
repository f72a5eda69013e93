//! The most that one request may cost.

use std::time::Duration;

use search::Limits;

/// The longest time of one search.
pub const LONGEST: Duration = Duration::from_mins(1);

/// The most nodes of one search.
pub const MOST_NODES: u64 = 20_000_000;

/// `limits`, as far as they are allowed.
pub fn limits(limits: Limits) -> Limits {
    let time = limits.time.map_or(LONGEST, |time| time.min(LONGEST));
    Limits { nodes: limits.nodes.min(MOST_NODES), time: Some(time) }
}
