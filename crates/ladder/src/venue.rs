//! Venues (game, board and number of seats), and the games that agents can play.

use std::{fmt, sync::Arc};

use eval::{
    Blend, GmoEncoder, GoEbmo, GoGmo, GoHeuristic, Heuristic, Persona, RingRiftEbmo, RingRiftGmo,
    RingRiftSeedGmo,
};
use game::{EagerLine, Evaluator, FromScratch, Game, LazyLine, LineEvaluator, MoveField, StaticEvaluator};
use gtp::External;
use rand_xoshiro::Xoshiro256PlusPlus;
use ringrift::{Board, Geometry, Position, Rules};
use search::{Agent, Rollout};

use crate::{
    AgentConfig, AgentEvaluator, Builders, GoRollout, Kind, Model, ModelError, build::FindBuilders,
    evaluator::RingRiftNet, go_net::GoNet,
};

/// A game with its board and number of seats. Levels and ratings are specific to a venue.
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
        /// The number of lines of the board.
        size: u8,
    },
}

impl Venue {
    /// Every venue that has levels.
    pub fn all() -> impl Iterator<Item = Self> {
        let seats = |board| (2..=4).map(move |seats| Self::RingRift { board, seats });
        let go = [5, 7, 9, 13, 19].map(|size| Self::Go { size });
        Board::ALL.into_iter().flat_map(seats).chain(go)
    }
}

impl fmt::Display for Venue {
    /// Formats the name of the rating scale: `ringrift/square8/2p`, `go/9x9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RingRift { board, seats } => write!(f, "ringrift/{board}/{seats}p"),
            Self::Go { size } => write!(f, "go/{size}x{size}"),
        }
    }
}

/// A game for which agents can be built.
pub trait Playable: Game {
    /// The static evaluator of the game.
    type Heuristic: StaticEvaluator<Self> + Clone + Send + Sync + 'static;

    /// The evaluator by a net.
    type Net: StaticEvaluator<Self> + Clone + Send + Sync + 'static;

    /// The venue of this position.
    fn venue(&self) -> Venue;

    /// The static evaluator in the style of `persona`. Games with one style ignore it.
    fn heuristic(persona: Persona) -> Self::Heuristic;

    /// The evaluator by this net.
    ///
    /// # Errors
    /// If the net does not evaluate positions of this type.
    fn net(model: &Arc<Model>) -> Result<Self::Net, ModelError>;

    /// The net as an evaluator of batches with a policy, or `None` if it has no policy.
    fn with_policy(net: Self::Net) -> Option<Box<dyn Evaluator<Self> + Send>>;

    /// The field of this net, whose gradients an agent of this configuration follows.
    ///
    /// # Errors
    /// If the net does not embed moves of positions of this type, or not in the way that the agent needs.
    fn field(model: &Model, config: &AgentConfig) -> Result<Box<dyn MoveField<Self>>, ModelError>;

    /// An evaluator for depth-first search.
    fn line_evaluator(evaluator: AgentEvaluator<Self>) -> Box<dyn LineEvaluator<Self> + Send>;

    /// An evaluator by random playouts drawn from `rng`.
    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send>;

    /// What builds agents and their parts for this type.
    fn builders() -> Builders<Self>;

    /// The external program of `config`, or `None` if external programs do not play this game.
    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        let _ = config;
        None
    }
}

/// Whether an agent reads the net as one of energies: an agent of a gradient kind by its kind, so that other nets are
/// refused, and any other by the net, which is its policy.
fn is_of_energies(model: &Model, config: &AgentConfig) -> bool {
    if config.kind.is_gradient() { config.kind == Kind::Ebmo } else { model.is_ebmo() }
}

impl<B: Geometry> Playable for Position<B> {
    type Heuristic = Heuristic<B>;
    type Net = RingRiftNet<B>;

    fn venue(&self) -> Venue {
        Venue::RingRift { board: B::BOARD, seats: self.seats() as u8 }
    }

    fn heuristic(persona: Persona) -> Heuristic<B> {
        Heuristic::new(persona)
    }

    fn net(model: &Arc<Model>) -> Result<RingRiftNet<B>, ModelError> {
        RingRiftNet::new(model)
    }

    fn with_policy(net: RingRiftNet<B>) -> Option<Box<dyn Evaluator<Self> + Send>> {
        match net {
            RingRiftNet::Nnue(_) | RingRiftNet::Seed(_) => None,
            RingRiftNet::Pv(net) => Some(Box::new(net)),
            RingRiftNet::SeedPv(net) => Some(Box::new(net)),
        }
    }

    fn field(model: &Model, config: &AgentConfig) -> Result<Box<dyn MoveField<Self>>, ModelError> {
        if is_of_energies(model, config) {
            return model.ebmo_field::<Self, RingRiftEbmo<B>>();
        }
        // Encoders of RingRift depend on the board alone.
        let rules = Rules::new(2);
        if model.header.encoder == <RingRiftSeedGmo<B> as GmoEncoder<Self>>::id(&rules) {
            return model.gmo_field::<Self, RingRiftSeedGmo<B>>(&rules, config);
        }
        model.gmo_field::<Self, RingRiftGmo<B>>(&rules, config)
    }

    fn line_evaluator(evaluator: AgentEvaluator<Self>) -> Box<dyn LineEvaluator<Self> + Send> {
        match evaluator {
            AgentEvaluator::Heuristic(heuristic) => Box::new(EagerLine::new(heuristic)),
            AgentEvaluator::Net(RingRiftNet::Nnue(net)) => Box::new(LazyLine::new(net)),
            AgentEvaluator::Net(net) => Box::new(FromScratch(net)),
            AgentEvaluator::Blend(blend) => match blend.into_parts() {
                (RingRiftNet::Nnue(net), heuristic, ratio) => {
                    Box::new(LazyLine::new(Blend::new(net, heuristic, ratio)))
                }
                (net, heuristic, ratio) => Box::new(FromScratch(Blend::new(net, heuristic, ratio))),
            },
        }
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send> {
        Box::new(Rollout::new(rng))
    }

    fn builders() -> Builders<Self> {
        B::accept(FindBuilders)
    }
}

impl<P: go::Points> Playable for go::Position<P> {
    type Heuristic = GoHeuristic;
    type Net = GoNet<P>;

    fn venue(&self) -> Venue {
        Venue::Go { size: self.rules().size }
    }

    /// Ignores the persona, since Go has one style.
    fn heuristic(_: Persona) -> GoHeuristic {
        GoHeuristic
    }

    fn net(model: &Arc<Model>) -> Result<Self::Net, ModelError> {
        GoNet::new(model)
    }

    fn with_policy(net: Self::Net) -> Option<Box<dyn Evaluator<Self> + Send>> {
        Some(match net {
            GoNet::Pv(net) => Box::new(net),
            GoNet::Omega(net) => Box::new(net),
        })
    }

    fn field(model: &Model, config: &AgentConfig) -> Result<Box<dyn MoveField<Self>>, ModelError> {
        if is_of_energies(model, config) {
            return model.ebmo_field::<Self, GoEbmo>();
        }
        let rules = go::Rules::new(model.go_size()?);
        model.gmo_field::<Self, GoGmo<P>>(&rules, config)
    }

    fn line_evaluator(evaluator: AgentEvaluator<Self>) -> Box<dyn LineEvaluator<Self> + Send> {
        Box::new(FromScratch(evaluator))
    }

    fn rollout(rng: Xoshiro256PlusPlus) -> Box<dyn Evaluator<Self> + Send> {
        Box::new(GoRollout::new(rng))
    }

    fn builders() -> Builders<Self> {
        P::accept(FindBuilders)
    }

    fn program(config: &AgentConfig) -> Option<Box<dyn Agent<Self>>> {
        Some(Box::new(External::new(&config.command, config.external)))
    }
}
