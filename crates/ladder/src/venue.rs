//! What is played, as far as levels depend on it.

use std::fmt;

use eval::{GoHeuristic, Heuristic, Persona};
use game::{EagerLine, Evaluator, FromScratch, Game, LineEvaluator, StaticEvaluator};
use gtp::External;
use rand_xoshiro::Xoshiro256PlusPlus;
use ringrift::{Board, Geometry, Position};
use search::{Agent, Rollout};

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
    /// Evaluates its positions without looking ahead.
    type Heuristic: StaticEvaluator<Self> + Clone + Send + Sync + 'static;

    /// What is played here.
    fn venue(&self) -> Venue;

    /// The heuristic in the style of `persona`, if the game has more than one.
    fn heuristic(persona: Persona) -> Self::Heuristic;

    /// The same heuristic along the line of a depth-first search.
    fn line_evaluator(persona: Persona) -> Box<dyn LineEvaluator<Self> + Send>;

    /// Evaluates positions by random games drawn from `rng`.
    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send>;

    /// An agent for one seat of one game, as `config` says; `seed` counts unless the configuration has its own.
    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>>;

    /// The external program that `config` names, if there are any that play this game.
    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        let _ = config;
        None
    }
}

impl<B: Geometry> Playable for Position<B> {
    type Heuristic = Heuristic<B>;

    fn venue(&self) -> Venue {
        Venue::RingRift { board: B::BOARD, seats: self.seats() as u8 }
    }

    fn heuristic(persona: Persona) -> Heuristic<B> {
        Heuristic::new(persona)
    }

    fn line_evaluator(persona: Persona) -> Box<dyn LineEvaluator<Self> + Send> {
        Box::new(EagerLine::new(Heuristic::new(persona)))
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send> {
        Box::new(Rollout::new(rng))
    }

    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>> {
        B::accept(Order { config, seed })
    }
}

impl<P: go::Points> Playable for go::Position<P> {
    type Heuristic = GoHeuristic;

    fn venue(&self) -> Venue {
        Venue::Go { size: self.rules().size }
    }

    /// Go has one style: all personas are the same.
    fn heuristic(_: Persona) -> GoHeuristic {
        GoHeuristic
    }

    fn line_evaluator(_: Persona) -> Box<dyn LineEvaluator<Self> + Send> {
        Box::new(FromScratch(GoHeuristic))
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send> {
        Box::new(GoRollout::new(rng))
    }

    fn build_agent(config: &AgentConfig, seed: u64) -> Box<dyn Agent<Self>> {
        P::accept(Order { config, seed })
    }

    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        Some(Box::new(External::new(&config.command, config.external)))
    }
}
