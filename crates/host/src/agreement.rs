//! The agreement on dead stones at the end of a game of Go.

use serde::{Deserialize, Serialize};

/// The stones that count as dead or as seki, by the names of their points. Only Go uses it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// The dead stones.
    pub dead: Vec<String>,
    /// The stones in seki.
    pub seki: Vec<String>,
}

impl Agreement {
    /// Toggles whether a chain is dead.
    pub(crate) fn toggle(&mut self, chain: Vec<String>) {
        let was_dead = chain.first().is_some_and(|stone| self.dead.contains(stone));
        self.dead.retain(|stone| !chain.contains(stone));
        self.seki.retain(|stone| !chain.contains(stone));
        if !was_dead {
            self.dead.extend(chain);
        }
    }
}
