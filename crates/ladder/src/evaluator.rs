//! The static evaluator of an agent: the heuristic, its net, or a blend.

use eval::{Blend, NnueEvaluator, SeedEvaluator};
use game::{Game, StaticEvaluator, Values};
use ringrift::{Geometry, Position};

use crate::{AgentConfig, Model, Playable};

/// What an agent evaluates positions with.
#[derive(Clone)]
pub enum AgentEvaluator<G: Playable> {
    /// The heuristic.
    Heuristic(G::Heuristic),
    /// A net.
    Net(G::Net),
    /// Both, in the ratio of the setting `blend`.
    Blend(Blend<G::Net, G::Heuristic>),
}

impl<G: Playable> AgentEvaluator<G> {
    /// The evaluator of an agent whose net is `model`.
    pub(crate) fn new(config: &AgentConfig, model: Option<&Model>) -> Self {
        let heuristic = G::heuristic(config.persona);
        let Some(model) = model else { return Self::Heuristic(heuristic) };
        let net = G::net(model).expect("the net was tried when the player was resolved");
        match config.neural_blend_ratio {
            None => Self::Net(net),
            Some(ratio) => Self::Blend(Blend::new(net, heuristic, ratio as f32)),
        }
    }
}

impl<G: Playable> StaticEvaluator<G> for AgentEvaluator<G> {
    fn values(&mut self, position: &G) -> Values {
        match self {
            Self::Heuristic(heuristic) => heuristic.values(position),
            Self::Net(net) => net.values(position),
            Self::Blend(blend) => blend.values(position),
        }
    }

    fn identity(&self) -> Option<u64> {
        match self {
            Self::Heuristic(heuristic) => heuristic.identity(),
            Self::Net(net) => net.identity(),
            Self::Blend(blend) => blend.identity(),
        }
    }
}

/// A net for RingRift, by its encoder.
#[derive(Clone, Debug)]
pub enum RingRiftNet<B: Geometry> {
    /// The efficiently updatable network.
    Nnue(NnueEvaluator<B>),
    /// The twelve-plane network.
    Seed(Box<SeedEvaluator<B>>),
}

impl<B: Geometry> StaticEvaluator<Position<B>> for RingRiftNet<B> {
    fn values(&mut self, position: &Position<B>) -> Values {
        match self {
            Self::Nnue(net) => StaticEvaluator::values(net, position),
            Self::Seed(net) => net.values(position),
        }
    }

    fn identity(&self) -> Option<u64> {
        match self {
            Self::Nnue(net) => net.identity(),
            Self::Seed(net) => net.identity(),
        }
    }
}

/// The net of games that no net evaluates: there is none.
#[derive(Clone, Copy, Debug)]
pub enum NoNet {}

impl<G: Game> StaticEvaluator<G> for NoNet {
    fn values(&mut self, _: &G) -> Values {
        match *self {}
    }
}
