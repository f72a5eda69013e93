//! Positions evaluated by policy and value networks.

mod go;
mod ringrift_cells;
mod ringrift_policy;
mod seed;
#[cfg(test)]
mod tests;

use std::{fmt::Debug, marker::PhantomData, sync::Arc};

use ::go::Points;
use game::{Evaluation, Evaluator, Game, MAX_SEATS, Request, Seat, Wants};
use nn::{Grid, ModelError, ModelFile, PvInput, PvKernels, PvLayout, PvNet, PvOutput, PvTarget, PvWorkspace};
use ringrift::Geometry;

use crate::nnue::softmax::softmax_values;

pub use self::{go::GoPv, ringrift_cells::RingRiftPv, seed::RingRiftSeedPv};

/// How positions of a game become numbers, and legal moves become sums of scores.
///
/// Everything is relative to the seat to move: relative seat 0 is the seat to move, 1 the next in turn order, and so on.
pub trait PvEncoder<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// The name in model files. Networks of another name are refused.
    fn id() -> String;

    /// The sizes of inputs and of the policy.
    fn layout() -> PvLayout;

    /// The board of a game with these options.
    fn grid(config: &G::Config) -> Grid;

    /// Writes a position that is not over. `moves` are all its legal moves; the input gets them in the same order.
    fn encode(position: &G, moves: &[G::Move], input: &mut PvInput<f32>);

    /// Writes the final owners of cells and the final margins of seats, seen from `seat`, given the last position.
    fn encode_end(last: &G, seat: Seat, target: &mut PvTarget<f32>);
}

/// A game with the encoder that its networks use unless somebody says otherwise.
pub trait PvGame: Game {
    /// The encoder.
    type Encoder: PvEncoder<Self>;
}

impl<B: Geometry> PvGame for ringrift::Position<B> {
    type Encoder = RingRiftPv<B>;
}

impl<P: Points> PvGame for ::go::Position<P> {
    type Encoder = GoPv;
}

/// Why a network cannot evaluate positions of a game.
#[derive(Debug, thiserror::Error)]
pub enum PvError {
    /// Not a model file, or one of another kind.
    #[error(transparent)]
    File(#[from] ModelError),
    /// The inputs are those of another encoder.
    #[error(
        "the net reads {found:?}, but this game is encoded as {expected:?}: use a net of this game and board"
    )]
    Encoder {
        /// What the file says.
        found: String,
        /// What the game needs.
        expected: String,
    },
}

/// The index of `seat` counted from `from` in turn order.
fn relative(seat: Seat, from: Seat, seats: usize) -> usize {
    (seat.index() + seats - from.index()) % seats
}

/// Evaluates positions by a network, in batches: values for all seats and logits of all legal moves in one pass.
///
/// Copies share the network; each has buffers of its own. The answer to a request does not depend on its batch.
#[derive(Clone, Debug)]
pub struct PvEvaluator<G: Game, E> {
    kernels: Arc<PvKernels<f32>>,
    workspace: PvWorkspace<f32>,
    inputs: Vec<PvInput<f32>>,
    outputs: Vec<PvOutput<f32>>,
    moves: Vec<G::Move>,
    identity: u64,
    tells_error: bool,
    encoder: PhantomData<E>,
}

/// The largest value of a position that is not won: certain wins are worth more.
const MOST: f32 = 0.999;

/// Positions that go through the network at a time.
const AT_A_TIME: usize = 32;

/// The cells of a board on which that many positions take a few milliseconds.
const SMALL_BOARD: usize = 81;

impl<G: Game, E: PvEncoder<G>> PvEvaluator<G, E> {
    /// The network of a model file, for games with these options.
    ///
    /// # Errors
    /// If the bytes are not a network for this game.
    pub fn from_bytes(bytes: &[u8], config: &G::Config) -> Result<Self, PvError> {
        let file = ModelFile::from_bytes(bytes)?;
        let (found, expected) = (&file.header.encoder, E::id());
        if *found != expected {
            return Err(PvError::Encoder { found: found.clone(), expected });
        }
        Self::new(PvNet::from_file(&file)?, config, game::identity_of(ModelFile::hash(bytes)))
    }

    /// A network for games with these options, known to caches by `identity`.
    ///
    /// # Errors
    /// If its sizes are not those of the encoder.
    pub fn new(net: PvNet<f32>, config: &G::Config, identity: u64) -> Result<Self, PvError> {
        Self::shared(Arc::new(PvKernels::new(net, E::grid(config))), identity)
    }

    /// A prepared network that other evaluators may use too, known to caches by `identity`.
    ///
    /// # Errors
    /// If its sizes are not those of the encoder.
    pub fn shared(kernels: Arc<PvKernels<f32>>, identity: u64) -> Result<Self, PvError> {
        let (found, expected) = (kernels.net().shape.layout, E::layout());
        if found != expected {
            let expected = format!("{} ({expected:?})", E::id());
            return Err(PvError::Encoder { found: format!("{found:?}"), expected });
        }
        Ok(Self {
            workspace: kernels.workspace(AT_A_TIME),
            kernels,
            inputs: Vec::new(),
            outputs: Vec::new(),
            moves: Vec::new(),
            identity,
            tells_error: false,
            encoder: PhantomData,
        })
    }

    /// Adds the expected squared error of the shares to the extras of evaluations, as `uncertainty`.
    #[must_use]
    pub fn with_uncertainty(self) -> Self {
        Self { tells_error: true, ..self }
    }

    /// The prepared network.
    pub fn kernels(&self) -> &Arc<PvKernels<f32>> {
        &self.kernels
    }
}

impl<G: Game, E: PvEncoder<G>> Evaluator<G> for PvEvaluator<G, E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        let count = requests.len();
        if self.inputs.len() < count {
            self.inputs.resize_with(count, PvInput::default);
            self.outputs.resize_with(count, PvOutput::default);
        }
        for (request, input) in requests.iter().zip(&mut self.inputs) {
            if request.moves.is_empty() {
                // What can be reached is part of the input, whether or not the policy is wanted.
                request.position.legal_moves(&mut self.moves);
                E::encode(request.position, &self.moves, input);
                input.clear_moves();
            } else {
                E::encode(request.position, request.moves, input);
            }
        }
        let (inputs, outputs) = (&self.inputs[..count], &mut self.outputs[..count]);
        self.kernels.evaluate(inputs, false, &mut self.workspace, outputs);
        for ((request, output), evaluation) in requests.iter().zip(outputs.iter()).zip(evaluations) {
            evaluation.logits.extend_from_slice(&output.logits);
            if request.wants == Wants::Policy {
                continue;
            }
            let (seats, mover) = (request.position.seats(), request.position.to_move());
            let values = softmax_values(output.values, seats);
            for (turns, value) in values[..seats].iter().enumerate() {
                evaluation.values.0[(mover.index() + turns) % seats] = value.clamp(-MOST, MOST);
            }
            if self.tells_error {
                evaluation.extras.push(("uncertainty", vec![output.error]));
            }
        }
    }

    /// Checks for an interruption about every 32 positions of a small board.
    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let piece = (AT_A_TIME * SMALL_BOARD / self.kernels.grid().cells()).clamp(1, AT_A_TIME);
        let pieces = requests.chunks(piece).zip(evaluations.chunks_mut(piece));
        for (index, (requests, evaluations)) in pieces.enumerate() {
            if index > 0 && is_interrupted() {
                return false;
            }
            self.evaluate(requests, evaluations);
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}

const _: () = assert!(MAX_SEATS == 4, "networks have values for four seats");
