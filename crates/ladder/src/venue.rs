//! What is played, as far as levels depend on it.

use std::fmt;

use eval::{GoSight, Heuristic, Persona};
use game::{Evaluate, Follow, Game};
use gtp::External;
use rand_xoshiro::Xoshiro256PlusPlus;
use ringrift::{Board, Geometry, Position};
use search::{Agent, Guide, Rollout};

use crate::{AgentConfig, GoRollout, build::Order};

/// A game, its board and its number of seats: levels and ratings belong to one of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Venue {
    /// RingRift.
    RingRift {
        /// The board.
        board: Board,
        /// Two to four seats.
        seats: u8,
    },
    /// Go.
    Go {
        /// Lines of the board.
        size: u8,
    },
}

impl Venue {
    /// Every configuration that has a ladder.
    pub fn all() -> impl Iterator<Item = Self> {
        let seats = |board| (2..=4).map(move |seats| Self::RingRift { board, seats });
        let go = [5, 7, 9, 13, 19].map(|size| Self::Go { size });
        Board::ALL.into_iter().flat_map(seats).chain(go)
    }
}

impl fmt::Display for Venue {
    /// As scales of ratings are named: `ringrift/square8/2p`, `go/9x9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RingRift { board, seats } => write!(f, "ringrift/{board}/{seats}p"),
            Self::Go { size } => write!(f, "go/{size}x{size}"),
        }
    }
}

/// A game that agents of the ladder can play.
pub trait Playable: Game {
    /// What judges its positions at sight, afresh or following the play.
    type Sight: Evaluate<Self> + Follow<Self> + Clone + Send + Sync + 'static;

    /// What judges its positions by random games.
    type Rollout: Guide<Self> + Clone + Send + 'static;

    /// What is played here.
    fn venue(&self) -> Venue;

    /// Judges positions in the style of `persona`, if the game has more than one.
    fn sight(persona: Persona) -> Self::Sight;

    /// Judges positions by random games drawn from `rng`.
    fn rollout(rng: Xoshiro256PlusPlus) -> Self::Rollout;

    /// An agent for one seat of one game, as `config` says; `seed` counts unless the configuration has its own.
    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>>;

    /// The external program that `config` names, if there are any that play this game.
    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        let _ = config;
        None
    }
}

impl<B: Geometry> Playable for Position<B> {
    type Sight = Heuristic<B>;
    type Rollout = Rollout<Xoshiro256PlusPlus>;

    fn venue(&self) -> Venue {
        Venue::RingRift { board: B::BOARD, seats: self.seats() as u8 }
    }

    fn sight(persona: Persona) -> Heuristic<B> {
        Heuristic::new(persona)
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Self::Rollout {
        Rollout::new(rng)
    }

    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>> {
        B::accept(Order { config, seed })
    }
}

impl<P: go::Points> Playable for go::Position<P> {
    type Sight = GoSight;
    type Rollout = GoRollout<Xoshiro256PlusPlus>;

    fn venue(&self) -> Venue {
        Venue::Go { size: self.rules().size }
    }

    /// Go has one style: all personas are the same.
    fn sight(_: Persona) -> GoSight {
        GoSight
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Self::Rollout {
        GoRollout::new(rng)
    }

    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>> {
        P::accept(Order { config, seed })
    }

    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        Some(Box::new(External::new(&config.command, config.external)))
    }
}
