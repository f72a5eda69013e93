//! Positions evaluated in batches.

use std::sync::Arc;

use ::go::{Colour, Move, Points, Position};
use game::{Evaluation, Evaluator, Request, StaticEvaluator, Values, Wants};
use nn::PlaneWorkspace;

use super::{OMEGA_PLANES, OmegaKernels, OmegaNets, decided, omega_planes, sensible};

/// The largest value of a position that is not won: certain wins are worth more.
const MOST: f32 = 0.999;

/// By how much a move that fills an own eye is less likely than the least likely sensible one.
const EYE_FILLING: f32 = 2.0;

/// Reads networks for batches of positions. Each reader has buffers of its own; the networks are shared.
#[derive(Clone, Debug)]
pub struct OmegaReader {
    kernels: Arc<OmegaKernels>,
    policy: PlaneWorkspace<f32>,
    values: Vec<PlaneWorkspace<f32>>,
    planes: Vec<f32>,
    outputs: Vec<f32>,
}

impl OmegaReader {
    /// A reader of these networks.
    pub fn new(kernels: Arc<OmegaKernels>) -> Self {
        // About a thousand points at a time stay in the cache of one core.
        let capacity = (1024 / (kernels.size * kernels.size)).clamp(4, 64);
        Self {
            policy: kernels.policy.workspace(capacity),
            values: kernels.values.iter().map(|kernels| kernels.workspace(capacity)).collect(),
            planes: Vec::new(),
            outputs: Vec::new(),
            kernels,
        }
    }

    /// The maps of positions with their sensible moves: for each position one logit per point, row by row, and one for a
    /// pass.
    ///
    /// # Panics
    /// If a board has another size than the networks are prepared for.
    pub fn maps<'a, P: Points>(
        &mut self,
        positions: impl Iterator<Item = (&'a Position<P>, P)>,
    ) -> std::slice::ChunksExact<'_, f32> {
        self.planes.clear();
        for (position, sensible) in positions {
            assert_eq!(position.board().size(), self.kernels.size, "the size of the board");
            omega_planes(position, sensible, &mut self.planes);
        }
        self.outputs.clear();
        self.kernels.policy.evaluate(&self.planes, &mut self.policy, &mut self.outputs);
        self.outputs.chunks_exact(self.kernels.size * self.kernels.size + 1)
    }

    /// The values of positions with their sensible moves, for the seat to move.
    ///
    /// # Panics
    /// If a board has another size than the networks are prepared for.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers hand over an iterator that they make for this"
    )]
    pub fn values<'a, P: Points>(
        &mut self,
        positions: impl Iterator<Item = (&'a Position<P>, P)> + Clone,
    ) -> &[f32] {
        let (stages, points) = (self.kernels.values.len(), self.kernels.size * self.kernels.size);
        self.outputs.clear();
        let mut found: Vec<f32> = Vec::new();
        for stage in 0..stages {
            let stage_of = |position: &Position<P>| {
                OmegaNets::stage(stages, points - position.board().empty().len() as usize, points)
            };
            self.planes.clear();
            for (position, sensible) in positions.clone().filter(|(position, _)| stage_of(position) == stage)
            {
                assert_eq!(position.board().size(), self.kernels.size, "the size of the board");
                omega_planes(position, sensible, &mut self.planes);
            }
            if stages == 1 {
                self.kernels.values[0].evaluate(&self.planes, &mut self.values[0], &mut self.outputs);
                break;
            }
            found.clear();
            self.kernels.values[stage].evaluate(&self.planes, &mut self.values[stage], &mut found);
            let mut found = found.iter();
            for (index, (position, _)) in positions.clone().enumerate() {
                if self.outputs.len() <= index {
                    self.outputs.push(0.0);
                }
                if stage_of(position) == stage {
                    self.outputs[index] = *found.next().expect("one value per position of the stage");
                }
            }
        }
        debug_assert_eq!(self.planes.len() % (points * OMEGA_PLANES), 0);
        &self.outputs
    }
}

/// Evaluates positions of Go by the networks of a generation.
///
/// A request for values is answered by the value network alone, and one for a policy by the policy network alone, so that
/// a search pays for maps only where it uses them. Neither is asked about a result that is [certain](decided).
#[derive(Clone, Debug)]
pub struct OmegaEvaluator {
    reader: OmegaReader,
    identity: u64,
}

impl OmegaEvaluator {
    /// An evaluator by these networks, known to caches by `identity`.
    pub fn new(kernels: Arc<OmegaKernels>, identity: u64) -> Self {
        Self { reader: OmegaReader::new(kernels), identity }
    }
}

impl<P: Points> Evaluator<Position<P>> for OmegaEvaluator {
    fn evaluate(&mut self, requests: &[Request<'_, Position<P>>], evaluations: &mut [Evaluation<Move>]) {
        // Where the result is certain, no network is asked for it.
        let mut open = Vec::new();
        for (index, request) in
            requests.iter().enumerate().filter(|(_, request)| request.wants == Wants::Values)
        {
            match decided(request.position) {
                Some(black) => {
                    evaluations[index].values = absolute(request.position, certain(request.position, black));
                }
                None => open.push((index, request.position, sensible(request.position))),
            }
        }
        let values = self.reader.values(open.iter().map(|(_, position, sensible)| (*position, *sensible)));
        for ((index, position, _), &value) in open.iter().zip(values) {
            evaluations[*index].values = absolute(position, value);
        }
        let wants_policy = |(_, request): &(usize, &Request<'_, Position<P>>)| request.wants == Wants::Policy;
        let positions = requests.iter().filter(|request| request.wants == Wants::Policy);
        let maps = self.reader.maps(positions.map(|request| (request.position, sensible(request.position))));
        for ((index, request), map) in requests.iter().enumerate().filter(wants_policy).zip(maps) {
            move_logits(request.position, request.moves, map, &mut evaluations[index].logits);
        }
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}

impl<P: Points> StaticEvaluator<Position<P>> for OmegaEvaluator {
    fn values(&mut self, position: &Position<P>) -> Values {
        let value = match decided(position) {
            Some(black) => certain(position, black),
            None => self.reader.values(std::iter::once((position, sensible(position))))[0],
        };
        absolute(position, value)
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}

/// The result for the seat to move, given Black's.
fn certain<P: Points>(position: &Position<P>, black: f32) -> f32 {
    if position.turn() == Colour::Black { black } else { -black }
}

/// The values of both seats, given that of the seat to move.
fn absolute<P: Points>(position: &Position<P>, value: f32) -> Values {
    let mover = position.turn().index();
    let mut values = Values::default();
    values.0[mover] = value.clamp(-MOST, MOST);
    values.0[1 - mover] = -values.0[mover];
    values
}

/// The logits of legal moves on a map.
fn move_logits<P: Points>(position: &Position<P>, moves: &[Move], map: &[f32], logits: &mut Vec<f32>) {
    let (size, sensible) = (position.board().size(), sensible(position));
    let logit = |m: &Move| match m.point() {
        None => Some(map[size * size]),
        Some(point) => sensible.has(point).then(|| map[point.row() * size + point.column()]),
    };
    let least = moves.iter().filter_map(logit).fold(f32::INFINITY, f32::min);
    logits.extend(moves.iter().map(|m| logit(m).unwrap_or(least - EYE_FILLING)));
}
