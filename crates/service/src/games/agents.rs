//! Bounds the memory of agents that stay alive between their decisions, over all games.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use host::AgentSlot;
use ladder::{Kind, Player};

/// The maximum estimated memory of all agents between their decisions.
const MAX_BYTES: u64 = 1 << 30;

/// The approximate size of a node of a search tree, with its edges.
const BYTES_PER_NODE: u64 = 400;

/// The live agents of all games, least recently used first.
pub(super) struct LiveAgents {
    used: Mutex<Vec<Used>>,
    max_bytes: u64,
}

struct Used {
    slot: Weak<dyn AgentSlot>,
    bytes: u64,
}

impl Default for LiveAgents {
    fn default() -> Self {
        Self::new(MAX_BYTES)
    }
}

impl LiveAgents {
    fn new(max_bytes: u64) -> Self {
        Self { used: Mutex::default(), max_bytes }
    }

    /// Marks the agent in `slot` as most recently used, and drops the least recently used agents if the total exceeds the
    /// bound. A dropped agent is rebuilt for its next decision.
    pub(super) fn used(&self, slot: &Arc<dyn AgentSlot>, player: &Player) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Arc::downgrade(slot);
        used.retain(|other| other.slot.strong_count() > 0 && !Weak::ptr_eq(&other.slot, &this));
        used.push(Used { slot: this, bytes: bytes(player) });
        let mut all: u64 = used.iter().map(|used| used.bytes).sum();
        let max = self.max_bytes;
        let last = used.len() - 1;
        let mut index = 0;
        used.retain(|used| {
            // An agent that is searching cannot be dropped. The most recently used one is kept in any case.
            let drops = all > max
                && index < last
                && used.bytes > 0
                && used.slot.upgrade().is_none_or(|slot| slot.drop_agent());
            index += 1;
            all -= if drops { used.bytes } else { 0 };
            !drops
        });
    }
}

/// Estimates the memory that an agent holds between its decisions.
fn bytes(player: &Player) -> u64 {
    let most = (player.config.megabytes() as u64) << 20;
    let searched = match player.config.kind {
        Kind::Descent | Kind::Mcts | Kind::Gumbel => {
            most.min(crate::caps::limits(player.limits()).nodes.saturating_mul(BYTES_PER_NODE))
        }
        _ => most,
    };
    searched + player.remembered_bytes() as u64
}

#[cfg(test)]
mod tests {
    use host::{HostedGame, Occupant};
    use record::Config;
    use search::{Limits, Stop};

    use super::*;

    /// A game in which an agent has made a decision, and the slot of that agent.
    fn decided(agents: &LiveAgents) -> (Box<dyn HostedGame>, Arc<dyn AgentSlot>) {
        let mut game = host::open(&Config::go(go::Rules::new(5))).unwrap();
        let agent = Occupant::agent("minimax(megabytes=4)", game.venue()).unwrap();
        game.take_seats(vec![agent, Occupant::Human], 1).unwrap();
        let mut thinker = game.thinker().unwrap();
        thinker.think(&Limits::nodes(10), 1, &Stop::default(), &mut |_| ());
        let slot = thinker.slot();
        agents.used(&slot, thinker.player());
        (game, slot)
    }

    #[test]
    fn the_least_recently_used_agents_are_dropped_first() {
        let agents = LiveAgents::new(8 << 20);
        let (mut games, mut slots) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let (game, slot) = decided(&agents);
            games.push(game);
            slots.push(slot);
        }
        let alive: Vec<bool> = slots.iter().map(|slot| slot.is_alive()).collect();
        assert_eq!(alive, [false, true, true]);
        // Used again, the second outlives the third.
        agents.used(&slots[1], games[1].participants()[0].player().unwrap());
        let (_game, last) = decided(&agents);
        assert!(slots[1].is_alive() && !slots[2].is_alive() && last.is_alive());
    }

    #[test]
    fn agents_of_dropped_games_do_not_count() {
        let agents = LiveAgents::new(8 << 20);
        let (_first, slot) = decided(&agents);
        for _ in 0..10 {
            drop(decided(&agents));
        }
        let (_second, _) = decided(&agents);
        assert!(slot.is_alive());
    }
}
