//! The nets of Go.

use std::sync::Arc;

use eval::{GoPv, OmegaEvaluator};
use game::{Evaluation, Evaluator, Request, StaticEvaluator, Values, identity_of};
use go::{Move, Points, Position};

use crate::{Model, ModelError, PolicyValueNet};

/// A net for Go, by its kind.
#[derive(Clone, Debug)]
pub enum GoNet<P: Points> {
    /// A policy and value network.
    Pv(PolicyValueNet<Position<P>, GoPv>),
    /// A pair of plain networks.
    Omega(OmegaNet),
}

impl<P: Points> GoNet<P> {
    /// The network of a model.
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, ModelError> {
        if model.is_omega() {
            OmegaNet::new(model).map(Self::Omega)
        } else if model.is_pv() {
            PolicyValueNet::new(model).map(Self::Pv)
        } else {
            let (net, kind) = (model.id(), model.header.kind.clone());
            Err(ModelError::AnotherGame { net, kind, game: "Go" })
        }
    }
}

impl<P: Points> StaticEvaluator<Position<P>> for GoNet<P> {
    fn values(&mut self, position: &Position<P>) -> Values {
        match self {
            Self::Pv(net) => net.values(position),
            Self::Omega(net) => net.values(position),
        }
    }

    fn identity(&self) -> Option<u64> {
        match self {
            Self::Pv(net) => StaticEvaluator::identity(net),
            Self::Omega(net) => StaticEvaluator::<Position<P>>::identity(net),
        }
    }
}

/// A pair of plain networks for boards of any size, whose evaluators are created when the first position of a size is
/// evaluated. A batch may mix sizes.
#[derive(Clone, Debug)]
pub struct OmegaNet {
    model: Arc<Model>,
    /// Evaluators by the size of the board.
    prepared: Vec<(usize, OmegaEvaluator)>,
}

impl OmegaNet {
    /// A net of the registry.
    ///
    /// # Errors
    /// If it is not a net of this kind, or its weights are incomplete.
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, ModelError> {
        model.omega_nets()?;
        Ok(Self { model: Arc::clone(model), prepared: Vec::new() })
    }

    /// The evaluator for boards of this size.
    fn of(&mut self, size: usize) -> &mut OmegaEvaluator {
        let place = self.prepared.iter().position(|(known, _)| *known == size).unwrap_or_else(|| {
            let evaluator = self.model.omega(size).expect("the net was tried when it was created");
            self.prepared.push((size, evaluator));
            self.prepared.len() - 1
        });
        &mut self.prepared[place].1
    }
}

impl<P: Points> Evaluator<Position<P>> for OmegaNet {
    fn evaluate(&mut self, requests: &[Request<'_, Position<P>>], evaluations: &mut [Evaluation<Move>]) {
        let size = |request: &Request<'_, Position<P>>| request.position.board().size();
        let mut done = 0;
        for same in requests.chunk_by(|one, other| size(one) == size(other)) {
            let answers = &mut evaluations[done..][..same.len()];
            self.of(size(&same[0])).evaluate(same, answers);
            done += same.len();
        }
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of(&self.model.hash))
    }
}

impl<P: Points> StaticEvaluator<Position<P>> for OmegaNet {
    fn values(&mut self, position: &Position<P>) -> Values {
        match game::Game::outcome(position) {
            Some(outcome) => outcome.values(),
            None => StaticEvaluator::values(self.of(position.board().size()), position),
        }
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of(&self.model.hash))
    }
}
