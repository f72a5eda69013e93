//! The evaluator of an agent: the heuristic, its net, or a blend.

use std::sync::Arc;

use eval::{
    Blend, BlendedValues, NnueEvaluator, PvEncoder, PvEvaluator, RingRiftPv, RingRiftSeedPv, SeedEvaluator,
};
use game::{
    Cached, Evaluation, Evaluator, Game, Request, StaticEvaluator, Values, ValuesOnly, Wants, identity_of,
};
use ringrift::{Geometry, Position};

use crate::{AgentConfig, Model, ModelError, Playable};

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
    pub(crate) fn new(config: &AgentConfig, model: Option<&Arc<Model>>) -> Self {
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

/// The number of answers of a policy and value net that are remembered. A search that starts anew in every decision meets
/// many positions of the last one again.
pub(crate) const REMEMBERED: usize = 1 << 13;

/// About the size of such an answer: a position has up to a few hundred moves.
const ANSWER_BYTES: usize = 1 << 10;

/// About the most bytes that an evaluator of batches by a policy and value net remembers.
pub(crate) const REMEMBERED_BYTES: usize = REMEMBERED * ANSWER_BYTES;

/// What an agent whose net is `model` evaluates batches of positions with. A policy and value net gives values and a policy;
/// all others give values alone.
pub(crate) fn of_batches<G: Playable>(
    config: &AgentConfig,
    model: Option<&Arc<Model>>,
) -> Box<dyn Evaluator<G> + Send> {
    let net = model
        .filter(|model| model.has_policy())
        .map(|model| G::net(model).expect("the net was tried when the player was resolved"));
    let Some(net) = net.and_then(G::with_policy) else {
        return Box::new(ValuesOnly(AgentEvaluator::new(config, model)));
    };
    match config.neural_blend_ratio {
        None => Box::new(Cached::new(net, REMEMBERED)),
        Some(ratio) => {
            let heuristic = G::heuristic(config.persona);
            Box::new(Cached::new(BlendedValues::new(net, heuristic, ratio as f32), REMEMBERED))
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
    /// A policy and value network.
    Pv(PolicyValueNet<Position<B>, RingRiftPv<B>>),
    /// A policy and value network that reads twelve planes.
    SeedPv(PolicyValueNet<Position<B>, RingRiftSeedPv<B>>),
}

impl<B: Geometry> RingRiftNet<B> {
    /// The network of a model.
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, ModelError> {
        if model.is_pv() && model.header.encoder == RingRiftSeedPv::<B>::id() {
            PolicyValueNet::new(model).map(Self::SeedPv)
        } else if model.is_pv() {
            PolicyValueNet::new(model).map(Self::Pv)
        } else if model.is_seed() {
            model.seed().map(|net| Self::Seed(Box::new(net)))
        } else {
            model.nnue().map(Self::Nnue)
        }
    }
}

impl<B: Geometry> StaticEvaluator<Position<B>> for RingRiftNet<B> {
    fn values(&mut self, position: &Position<B>) -> Values {
        match self {
            Self::Nnue(net) => StaticEvaluator::values(net, position),
            Self::Seed(net) => net.values(position),
            Self::Pv(net) => net.values(position),
            Self::SeedPv(net) => net.values(position),
        }
    }

    fn identity(&self) -> Option<u64> {
        match self {
            Self::Nnue(net) => net.identity(),
            Self::Seed(net) => net.identity(),
            Self::Pv(net) => StaticEvaluator::identity(net),
            Self::SeedPv(net) => StaticEvaluator::identity(net),
        }
    }
}

/// A policy and value net for positions of any size, whose evaluators are created when the first position of a size is
/// evaluated. A batch may mix sizes.
#[derive(Clone, Debug)]
pub struct PolicyValueNet<G: Game, E> {
    model: Arc<Model>,
    /// Evaluators by the options of the game, the most recent first.
    prepared: Vec<(G::Config, PvEvaluator<G, E>)>,
    answer: Vec<Evaluation<G::Move>>,
}

/// The number of different options for which evaluators are kept.
const MAX_PREPARED: usize = 8;

impl<G: Game, E: PvEncoder<G>> PolicyValueNet<G, E> {
    /// A net of the registry.
    ///
    /// # Errors
    /// If it is not a policy and value net of this encoder, or its weights are incomplete.
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, ModelError> {
        model.check_pv::<G, E>()?;
        Ok(Self { model: Arc::clone(model), prepared: Vec::new(), answer: Vec::new() })
    }

    /// The evaluator for games with these options.
    fn of(&mut self, config: &G::Config) -> &mut PvEvaluator<G, E> {
        match self.prepared.iter().position(|(known, _)| known == config) {
            Some(0) => {}
            Some(at) => self.prepared[..=at].rotate_right(1),
            None => {
                let evaluator = self.model.pv(config).expect("the net was tried when it was created");
                self.prepared.truncate(MAX_PREPARED - 1);
                self.prepared.insert(0, (config.clone(), evaluator));
            }
        }
        &mut self.prepared[0].1
    }
}

impl<G: Game, E: PvEncoder<G>> Evaluator<G> for PolicyValueNet<G, E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let mut done = 0;
        while done < requests.len() {
            let config = requests[done].position.config();
            let same =
                requests[done..].iter().take_while(|request| request.position.config() == config).count();
            let (requests, answers) = (&requests[done..][..same], &mut evaluations[done..][..same]);
            if !self.of(&config).evaluate_unless(requests, answers, is_interrupted) {
                return false;
            }
            done += same;
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of(&self.model.hash))
    }
}

impl<G: Game, E: PvEncoder<G>> StaticEvaluator<G> for PolicyValueNet<G, E> {
    fn values(&mut self, position: &G) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let mut answer = std::mem::take(&mut self.answer);
        let request = Request { position, moves: &[], wants: Wants::Values };
        self.evaluate(&[request], game::cleared(&mut answer, 1));
        let values = answer[0].values;
        self.answer = answer;
        values
    }

    fn identity(&self) -> Option<u64> {
        Evaluator::identity(self)
    }
}
