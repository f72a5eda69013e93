//! How many agents are kept alive between their decisions, over all games.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use host::AgentSlot;
use ladder::{Kind, Player};

/// The most memory that all agents may take between their decisions, as far as can be estimated.
const MOST_BYTES: u64 = 1 << 30;

/// About what a node of a tree or table takes, with its edges.
const BYTES_PER_NODE: u64 = 400;

/// Agents in the order they were last used.
pub(super) struct LiveAgents {
    used: Mutex<Vec<Used>>,
    most_bytes: u64,
}

struct Used {
    slot: Weak<dyn AgentSlot>,
    bytes: u64,
}

impl Default for LiveAgents {
    fn default() -> Self {
        Self::new(MOST_BYTES)
    }
}

impl LiveAgents {
    fn new(most_bytes: u64) -> Self {
        Self { used: Mutex::default(), most_bytes }
    }

    /// Notes that `player` has just thought in `slot`, and drops the agents that were not used for longest if all of them
    /// take too much. Whoever is dropped is built again for its next decision.
    pub(super) fn used(&self, slot: &Arc<dyn AgentSlot>, player: &Player) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Arc::downgrade(slot);
        used.retain(|other| other.slot.strong_count() > 0 && !Weak::ptr_eq(&other.slot, &this));
        used.push(Used { slot: this, bytes: bytes(player) });
        let mut all: u64 = used.iter().map(|used| used.bytes).sum();
        let most = self.most_bytes;
        let last = used.len() - 1;
        let mut index = 0;
        used.retain(|used| {
            // An agent that is thinking cannot be dropped, and neither is the last one: it would be of no use.
            let drops = all > most
                && index < last
                && used.bytes > 0
                && used.slot.upgrade().is_none_or(|slot| slot.drop_agent());
            index += 1;
            all -= if drops { used.bytes } else { 0 };
            !drops
        });
    }
}

/// About how much an agent remembers between its decisions.
fn bytes(player: &Player) -> u64 {
    match player.config.kind {
        Kind::Random | Kind::Heuristic | Kind::Gtp => 0,
        Kind::Minimax | Kind::MaxN | Kind::Brs => (player.config.alphabeta.megabytes as u64) << 20,
        Kind::Descent | Kind::Mcts | Kind::Gumbel => {
            crate::caps::limits(player.limits()).nodes.saturating_mul(BYTES_PER_NODE)
        }
    }
}

#[cfg(test)]
mod tests {
    use host::{HostedGame, Occupant};
    use record::Config;
    use search::{Limits, Stop};

    use super::*;

    /// A game in which an agent has decided, and the place of that agent.
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
    fn the_agents_that_were_used_least_lately_are_dropped_when_there_are_too_many() {
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
    fn games_that_are_gone_do_not_count() {
        let agents = LiveAgents::new(8 << 20);
        let (_first, slot) = decided(&agents);
        for _ in 0..10 {
            drop(decided(&agents));
        }
        let (_second, _) = decided(&agents);
        assert!(slot.is_alive());
    }
}
