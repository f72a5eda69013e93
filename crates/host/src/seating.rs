//! The occupants of seats, and the slots in which agents live as long as their game.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use game::{Game, Seat};
use ladder::{Playable, Player, Spec, Venue, WithoutNet};
use search::Agent;

use crate::SeatError;

/// The occupant of a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Occupant {
    /// A person.
    Human,
    /// An agent.
    Agent(Box<Player>),
}

impl Occupant {
    /// The agent with the spec `text`. If its net is missing, the same search plays with the heuristic.
    ///
    /// # Errors
    /// Returns an error if the text is not a spec, or the agent cannot play at this venue.
    pub fn agent(text: &str, venue: Venue) -> Result<Self, SeatError> {
        let spec: Spec = text.parse()?;
        Ok(Player::new(&spec, venue, WithoutNet::FallBack)?.into())
    }

    /// Whether the occupant is a person.
    pub fn is_human(&self) -> bool {
        *self == Self::Human
    }

    /// The agent, if the occupant is one.
    pub fn player(&self) -> Option<&Player> {
        match self {
            Self::Human => None,
            Self::Agent(player) => Some(player),
        }
    }
}

impl From<Player> for Occupant {
    fn from(player: Player) -> Self {
        Self::Agent(Box::new(player))
    }
}

impl fmt::Display for Occupant {
    /// Writes the occupant as records name it: `human`, or the spec of the agent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Agent(player) => player.spec.fmt(f),
        }
    }
}

/// The slot of one agent in one game. A holder of many games uses it to limit the number of live agents.
pub trait AgentSlot: Send + Sync {
    /// Whether there is a live agent in the slot.
    fn is_alive(&self) -> bool;

    /// Drops the agent with its state, unless it is thinking. Returns whether the slot is now empty.
    fn drop_agent(&self) -> bool;
}

/// The content of a slot, which determines the seed of the next agent.
enum Content<G: Game> {
    /// There has been no agent yet.
    New,
    Alive(Box<dyn Agent<G>>),
    /// There was an agent, or might have been one; its state is lost.
    Dropped,
}

/// A slot for one agent, locked while the agent thinks.
pub(crate) struct Slot<G: Game>(Mutex<Content<G>>);

impl<G: Playable> Slot<G> {
    fn new(content: Content<G>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(content)))
    }

    /// Calls `work` with the agent of `player`, which is built if necessary and cannot be dropped meanwhile.
    pub(crate) fn with_agent<T>(
        &self,
        player: &Player,
        seeds: Seeds,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> T {
        let mut content = match self.0.lock() {
            Ok(content) => content,
            Err(poisoned) => {
                // After a panic the state of the agent cannot be trusted.
                let mut content = poisoned.into_inner();
                *content = Content::Dropped;
                self.0.clear_poison();
                content
            }
        };
        let seed = if matches!(*content, Content::New) { seeds.first } else { seeds.rebuilt };
        if !matches!(*content, Content::Alive(_)) {
            *content = Content::Alive(player.agent(seed));
        }
        let Content::Alive(agent) = &mut *content else { unreachable!("it was just built") };
        work(agent.as_mut())
    }

    fn try_content(&self) -> Option<MutexGuard<'_, Content<G>>> {
        match self.0.try_lock() {
            Ok(content) => Some(content),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(PoisonError::into_inner(poisoned)),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }
}

impl<G: Playable> AgentSlot for Slot<G> {
    fn is_alive(&self) -> bool {
        self.try_content().is_none_or(|content| matches!(*content, Content::Alive(_)))
    }

    fn drop_agent(&self) -> bool {
        let Some(mut content) = self.try_content() else { return false };
        if matches!(*content, Content::Alive(_)) {
            *content = Content::Dropped;
        }
        true
    }
}

/// The seeds of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seeds {
    /// The seed of the first agent of a participant in this game.
    pub(crate) first: u64,
    /// The seed of an agent that replaces a dropped one.
    pub(crate) rebuilt: u64,
}

impl Seeds {
    /// The seeds of the participant who began in `seat`, after `ply` moves of a game with the seed `game`.
    pub(crate) fn new(game: u64, seat: Seat, ply: usize) -> Self {
        let first = game.wrapping_add(seat.number() as u64);
        // The finaliser of SplitMix64 gives neighbouring plies unrelated seeds.
        let mut mixed = first ^ (ply as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self { first, rebuilt: mixed ^ mixed >> 31 }
    }
}

/// The participants of a game, by the seat taken before the first move.
pub(crate) struct Seating<G: Game> {
    pub(crate) participants: Vec<Occupant>,
    pub(crate) slots: Vec<Arc<Slot<G>>>,
    pub(crate) seed: u64,
}

impl<G: Playable> Seating<G> {
    /// A seating without participants.
    pub(crate) fn empty() -> Self {
        Self { participants: Vec::new(), slots: Vec::new(), seed: 0 }
    }

    /// A seating with new agents if the game is at its `start`, and with dropped ones otherwise.
    pub(crate) fn new(participants: Vec<Occupant>, seed: u64, start: bool) -> Self {
        let slot = |_: &Occupant| Slot::new(if start { Content::New } else { Content::Dropped });
        let slots = participants.iter().map(slot).collect();
        Self { participants, slots, seed }
    }

    /// Gives every agent a new, empty slot. A search in an old slot continues, but its result is not used.
    pub(crate) fn drop_agents(&mut self, start: bool) {
        let participants = std::mem::take(&mut self.participants);
        *self = Self::new(participants, self.seed, start);
    }

    /// Whether a person takes part.
    pub(crate) fn has_people(&self) -> bool {
        self.participants.iter().any(Occupant::is_human)
    }
}
