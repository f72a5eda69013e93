//! Who sits where, and the agents that live as long as their game.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use game::{Game, Places, Seat};
use ladder::{Playable, Player, Spec, Venue, WithoutNet};
use search::Agent;

use crate::SeatError;

/// Who plays a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Occupant {
    /// A person.
    Human,
    /// An agent.
    Agent(Box<Player>),
}

impl Occupant {
    /// The agent that `text` specifies. Without its net, the same search with the heuristic plays.
    ///
    /// # Errors
    /// If the text names no agent, or one that cannot play here.
    pub fn agent(text: &str, venue: Venue) -> Result<Self, SeatError> {
        let spec: Spec = text.parse()?;
        Ok(Player::new(&spec, venue, WithoutNet::FallBack)?.into())
    }

    /// Whether it is a person.
    pub fn is_human(&self) -> bool {
        *self == Self::Human
    }

    /// The agent, if it is one.
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
    /// As a record names it: `human`, or the specification of the agent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Agent(player) => player.spec.fmt(f),
        }
    }
}

/// The place of one agent in one game, to bound how many are alive at once.
pub trait AgentSlot: Send + Sync {
    /// Whether an agent is kept here.
    fn is_alive(&self) -> bool;

    /// Drops the agent with what it remembers, unless it is thinking; tells whether the place is empty now.
    fn drop_agent(&self) -> bool;
}

/// An agent, or how to seed the next one.
enum Content<G: Game> {
    /// There has been none yet.
    New,
    Alive(Box<dyn Agent<G>>),
    /// There was one, or might have been: what it remembered is lost.
    Dropped,
}

/// Holds one agent. Locked for as long as the agent thinks.
pub(crate) struct Slot<G: Game>(Mutex<Content<G>>);

impl<G: Playable> Slot<G> {
    fn new(content: Content<G>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(content)))
    }

    /// The agent of `player`, built if it is not there, and the lock that keeps it from being dropped.
    pub(crate) fn with_agent<T>(
        &self,
        player: &Player,
        seeds: Seeds,
        work: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> T {
        let mut content = match self.0.lock() {
            Ok(content) => content,
            Err(poisoned) => {
                // A search that panicked leaves nothing behind that could be trusted.
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

/// Where an agent's random numbers come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seeds {
    /// If it is the first agent of its seat in this game.
    pub(crate) first: u64,
    /// If one was there before.
    pub(crate) rebuilt: u64,
}

impl Seeds {
    /// The seeds of the participant who began in `seat`, `ply` moves into a game with this seed.
    pub(crate) fn new(game: u64, seat: Seat, ply: usize) -> Self {
        let first = game.wrapping_add(seat.number() as u64);
        // The finaliser of SplitMix64: neighbouring plies get unrelated seeds.
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
    /// Nobody.
    pub(crate) fn empty() -> Self {
        Self { participants: Vec::new(), slots: Vec::new(), seed: 0 }
    }

    /// Everybody, before they have decided anything if the game is at its `start`.
    pub(crate) fn new(participants: Vec<Occupant>, seed: u64, start: bool) -> Self {
        let slot = |_: &Occupant| Slot::new(if start { Content::New } else { Content::Dropped });
        let slots = participants.iter().map(slot).collect();
        Self { participants, slots, seed }
    }

    /// Gives every agent a new, empty place. What thinks in an old one finds nobody who waits for it.
    pub(crate) fn drop_agents(&mut self, start: bool) {
        let participants = std::mem::take(&mut self.participants);
        *self = Self::new(participants, self.seed, start);
    }

    /// Whether a person takes part.
    pub(crate) fn has_people(&self) -> bool {
        self.participants.iter().any(Occupant::is_human)
    }
}

/// The participant who sits in `seat` after the seat changes in `places`.
pub(crate) fn participant(places: Places, seat: Seat, seats: usize) -> Seat {
    Seat::all(seats).find(|&began| places.of(began) == seat).unwrap_or(seat)
}
