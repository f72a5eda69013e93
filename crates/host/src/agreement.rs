//! What players agree on after the last move.

use serde::{Deserialize, Serialize};

/// Which stones count as dead, by the names of their points. Only Go has something to agree on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// Stones that are dead.
    pub dead: Vec<String>,
    /// Stones that live in seki.
    pub seki: Vec<String>,
}

impl Agreement {
    /// Calls a chain dead if it was alive, and alive if it was dead.
    pub(crate) fn toggle(&mut self, chain: Vec<String>) {
        let was_dead = chain.first().is_some_and(|stone| self.dead.contains(stone));
        self.dead.retain(|stone| !chain.contains(stone));
        self.seki.retain(|stone| !chain.contains(stone));
        if !was_dead {
            self.dead.extend(chain);
        }
    }
}
