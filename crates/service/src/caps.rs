//! Upper bounds on the time, nodes, memory, threads and moves that one request may use.

use std::time::Duration;

use ladder::Player;
use search::Limits;

use crate::ApiError;

/// The maximum time of one search.
pub const MAX_TIME: Duration = Duration::from_mins(1);

/// The maximum number of nodes of one search.
pub const MAX_NODES: u64 = 20_000_000;

/// The maximum number of moves of a game in a request. The longest recorded games have about half as many.
pub const MAX_MOVES: usize = 5_000;

/// Checks that a game in a request has no more than [`MAX_MOVES`].
///
/// # Errors
/// Returns an error that names the number and its bound.
pub fn check_moves(given: usize) -> Result<(), ApiError> {
    if given <= MAX_MOVES {
        return Ok(());
    }
    Err(ApiError::input(format!("the game has {given} moves: expected at most {MAX_MOVES}")))
}

/// Clamps `limits` to what is allowed.
pub fn limits(limits: Limits) -> Limits {
    let time = limits.time.map_or(MAX_TIME, |time| time.min(MAX_TIME));
    Limits { nodes: limits.nodes.min(MAX_NODES), time: Some(time) }
}

/// The maximum size of a search tree or transposition table, in megabytes.
const MAX_MEGABYTES: usize = 256;

/// The maximum number of threads of one search.
const MAX_THREADS: usize = 16;

/// Checks that an agent stays within the memory and threads that one request may use.
///
/// # Errors
/// Returns an error that names the setting and its bound.
pub fn check(player: &Player) -> Result<(), ApiError> {
    let (megabytes, threads) = (player.config.megabytes(), player.config.mcts.threads);
    if megabytes > MAX_MEGABYTES {
        let words = format!("megabytes={megabytes}: expected at most {MAX_MEGABYTES} here");
        return Err(ApiError::input(words));
    }
    if threads > MAX_THREADS {
        return Err(ApiError::input(format!("threads={threads}: expected at most {MAX_THREADS} here")));
    }
    Ok(())
}

/// The maximum depth, in turns, of a search that is limited by its depth alone.
const MAX_DEPTH: u32 = 3;

/// Checks that the searches of an agent end. In rated games, cutting a search short would rate a different agent.
///
/// # Errors
/// Returns an error if the agent has neither a node limit nor a time limit nor a depth within bounds.
pub fn check_measured(player: &Player) -> Result<(), ApiError> {
    let limits = player.limits();
    let shallow = player.config.alphabeta.depth.is_some_and(|depth| depth <= MAX_DEPTH);
    if limits.nodes <= MAX_NODES || limits.time.is_some_and(|time| time <= MAX_TIME) || shallow {
        return Ok(());
    }
    Err(ApiError::input(format!(
        "{} may search more than {MAX_NODES} nodes per decision: set nodes, sims, seconds (at most {}) or depth (at most \
         {MAX_DEPTH}), or use the command line",
        player.spec,
        MAX_TIME.as_secs()
    )))
}

#[cfg(test)]
mod tests {
    use ladder::{Models, Venue};

    use super::*;
    use crate::games::player;

    const VENUE: Venue = Venue::RingRift { board: ringrift::Board::Square8, seats: 2 };

    #[test]
    fn agents_beyond_a_bound_are_refused_with_the_bound() {
        for (agent, bound) in [
            ("minimax(megabytes=300)", "256"),
            ("mcts(megabytes=257)", "256"),
            ("descent(megabytes=1000)", "256"),
            ("gumbel(megabytes=16384)", "256"),
            ("mcts(threads=17)", "16"),
        ] {
            let refused = player(agent, VENUE, &Models::default()).map(|_| ()).unwrap_err();
            assert!(refused.message.contains(bound), "{agent}: {}", refused.message);
        }
        for agent in ["minimax(megabytes=256)", "mcts", "descent", "gumbel"] {
            assert!(player(agent, VENUE, &Models::default()).is_ok(), "{agent}");
        }
    }

    #[test]
    fn rated_agents_are_never_cut_short() {
        let check = |agent| check_measured(&player(agent, VENUE, &Models::default()).unwrap());
        let accepted =
            ["random", "d3", "mcts(sims=400)", "descent(nodes=99999999999,seconds=60)", "minimax(depth=2)"];
        for agent in accepted {
            assert_eq!(check(agent), Ok(()), "{agent}");
        }
        for agent in ["descent(nodes=99999999999)", "mcts(sims=100000000,seconds=61)", "minimax(depth=30)"] {
            assert!(check(agent).is_err(), "{agent}");
        }
    }
}
