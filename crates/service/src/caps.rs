//! The most that one request may cost.

use std::time::Duration;

use ladder::Player;
use search::Limits;

use crate::ApiError;

/// The longest time of one search.
pub const LONGEST: Duration = Duration::from_mins(1);

/// The most nodes of one search.
pub const MOST_NODES: u64 = 20_000_000;

/// `limits`, as far as they are allowed.
pub fn limits(limits: Limits) -> Limits {
    let time = limits.time.map_or(LONGEST, |time| time.min(LONGEST));
    Limits { nodes: limits.nodes.min(MOST_NODES), time: Some(time) }
}

/// The largest table of a search, in megabytes.
const MOST_MEGABYTES: usize = 256;

/// The most threads of one search.
const MOST_THREADS: usize = 16;

/// Refuses an agent that takes more memory or threads than one request may.
///
/// # Errors
/// If it does.
pub fn check(player: &Player) -> Result<(), ApiError> {
    let (megabytes, threads) = (player.config.alphabeta.megabytes, player.config.mcts.threads);
    if megabytes > MOST_MEGABYTES {
        let words = format!("megabytes={megabytes}: expected at most {MOST_MEGABYTES} here");
        return Err(ApiError::input(words));
    }
    if threads > MOST_THREADS {
        return Err(ApiError::input(format!("threads={threads}: expected at most {MOST_THREADS} here")));
    }
    Ok(())
}

/// Refuses an agent whose decisions would have to be cut short: what is measured plays as it is.
///
/// # Errors
/// If they would.
pub fn check_measured(player: &Player) -> Result<(), ApiError> {
    let limits = player.limits();
    if limits.nodes <= MOST_NODES || limits.time.is_some_and(|time| time <= LONGEST) {
        return Ok(());
    }
    Err(ApiError::input(format!(
        "{} may take more than {MOST_NODES} nodes a decision: give it nodes, sims or at most seconds={}, or use the \
         command line",
        player.spec,
        LONGEST.as_secs()
    )))
}

#[cfg(test)]
mod tests {
    use ladder::Venue;

    use super::*;
    use crate::games::player;

    const VENUE: Venue = Venue::RingRift { board: ringrift::Board::Square8, seats: 2 };

    #[test]
    fn agents_that_take_more_than_their_part_are_refused_and_told_the_bound() {
        for (agent, bound) in [("minimax(megabytes=300)", "256"), ("mcts(threads=17)", "16")] {
            let refused = player(agent, VENUE).map(|_| ()).unwrap_err();
            assert!(refused.message.contains(bound), "{agent}: {}", refused.message);
        }
        assert!(player("minimax(megabytes=256)", VENUE).is_ok());
    }

    #[test]
    fn what_is_measured_is_not_cut_short() {
        let check = |agent| check_measured(&player(agent, VENUE).unwrap());
        for agent in ["random", "d3", "mcts(sims=400)", "descent(nodes=99999999999,seconds=60)"] {
            assert_eq!(check(agent), Ok(()), "{agent}");
        }
        for agent in ["descent(nodes=99999999999)", "mcts(sims=100000000,seconds=61)", "minimax(depth=30)"] {
            assert!(check(agent).is_err(), "{agent}");
        }
    }
}
