//! What can be said about a net without playing games with it.

use eval::{FeatureSet, Features, HybridFeatures, NnueEvaluator, SeedFeatures};
use game::{Game, Seat, StaticEvaluator, pick};
use nn::{Header, ModelFile, Nnue, Precision, Workspace, softmax};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Position, Rules, on_board};

use super::{Model, ModelError};

/// A tensor of a model file.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorSummary {
    /// Its name.
    pub name: String,
    /// How many numbers it has.
    pub count: usize,
    /// The smallest and the largest number.
    pub range: [f32; 2],
    /// The square root of the mean square.
    pub size: f64,
    /// Numbers that are infinite or not a number.
    pub not_finite: usize,
}

/// What playing a net in small integers costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantisation {
    /// The largest sum that an accumulator can reach; at most [`Quantisation::LIMIT`].
    pub reach: i32,
    /// Positions from random games in which the values were compared.
    pub positions: u64,
    /// The mean difference of a value from that in floating point.
    pub mean_error: f64,
    /// The largest difference.
    pub largest_error: f64,
}

impl Quantisation {
    /// The largest sum that an accumulator holds.
    pub const LIMIT: i32 = i16::MAX as i32;
}

impl Model {
    /// The board whose positions an NNUE evaluates.
    ///
    /// # Errors
    /// If no board has its encoder.
    pub fn board(&self) -> Result<Board, ModelError> {
        let encoders = |board| on_board!(board, B => [&NnueEvaluator::<B>::encoders()[..], &[SeedFeatures::<B>::id()]].concat());
        Board::ALL.into_iter().find(|&board| encoders(board).contains(&self.header.encoder)).ok_or_else(
            || ModelError::Mismatch {
                net: self.id(),
                field: "encoder",
                found: self.header.encoder.clone(),
                expected: Board::ALL.map(encoders).concat().join("\" or \""),
            },
        )
    }

    /// The tensors of the file.
    ///
    /// # Errors
    /// If the file cannot be read as a whole.
    pub fn tensors(&self) -> Result<Vec<TensorSummary>, ModelError> {
        let summary = |(name, (_, numbers)): (String, (Vec<usize>, Vec<f32>))| {
            let squares: f64 = numbers.iter().map(|&number| f64::from(number).powi(2)).sum();
            TensorSummary {
                name,
                count: numbers.len(),
                range: numbers.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &number| {
                    [low.min(number), high.max(number)]
                }),
                size: (squares / numbers.len().max(1) as f64).sqrt(),
                not_finite: numbers.iter().filter(|number| !number.is_finite()).count(),
            }
        };
        Ok(self.file()?.tensors.into_iter().map(summary).collect())
    }

    /// The net as an ONNX file.
    ///
    /// # Errors
    /// If its kind is not known, or its weights are incomplete.
    pub fn to_onnx(&self) -> Result<Vec<u8>, ModelError> {
        if self.is_pv() {
            return Ok(self.pv_net()?.to_onnx(&self.header));
        }
        Ok(self.net()?.to_onnx(&self.header))
    }

    /// The net as a model file of half the size: an NNUE plays the same moves, a net of moves has its weights rounded.
    ///
    /// # Errors
    /// If it is neither an NNUE that is played in small integers nor a net of moves.
    pub fn to_half(&self) -> Result<Vec<u8>, ModelError> {
        if self.is_field() {
            return self.field_to_half();
        }
        if self.has_policy() {
            return Err(ModelError::NotRounded { net: self.id() });
        }
        // Only a net with an integer form can be rounded without changing how it plays.
        on_board!(self.board()?, B => self.nnue::<B>().map(drop))?;
        let Header { encoder, provenance, .. } = self.header.clone();
        Ok(self.net()?.rounded().to_file(&encoder, provenance).to_bytes_in(Precision::Half))
    }

    /// Compares the values in small integers with those in floating point, in all positions of `games` random games with
    /// two, three and four seats in turn. `None` for a net that is played in floating point.
    ///
    /// # Errors
    /// If the net cannot be played.
    pub fn quantisation(&self, games: u64, seed: u64) -> Result<Option<Quantisation>, ModelError> {
        let net = self.net()?;
        on_board!(self.board()?, B => {
            if self.is_seed() {
                return self.seed::<B>().map(|_| None);
            }
            Ok(Some(quantisation(&net, self.nnue::<B>()?, games, seed)))
        })
    }

    pub(super) fn file(&self) -> Result<ModelFile, ModelError> {
        let file = ModelFile::from_bytes(self.bytes());
        file.map_err(|source| ModelError::Malformed { net: self.id(), source })
    }

    fn net(&self) -> Result<Nnue<f32>, ModelError> {
        let unusable =
            |error: nn::ModelError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        Nnue::from_file(&self.file()?).map_err(unusable)
    }
}

fn quantisation<B: Geometry>(
    net: &Nnue<f32>,
    mut evaluator: NnueEvaluator<B>,
    games: u64,
    seed: u64,
) -> Quantisation {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut workspace = Workspace::new(&net.shape);
    let (mut perspectives, mut scalars) = (vec![Vec::new(); 4], Vec::new());
    let (mut compared, mut total, mut largest) = (0, 0.0, 0.0_f64);
    let mut moves = Vec::new();
    for game in 0..games {
        let mut position = Position::<B>::new(&Rules::new(2 + (game % 3) as u8));
        while !position.is_over() {
            let seats = position.seats();
            for (seat, active) in Seat::all(seats).zip(&mut perspectives) {
                Features::<B>::active(&position, seat, active);
            }
            if net.shape.scalars > 0 {
                HybridFeatures::<B>::read_scalars(&position, &mut scalars);
            }
            let lists: Vec<&[u16]> = perspectives[..seats].iter().map(Vec::as_slice).collect();
            let (head, mover) =
                (Features::<B>::head(&position, net.shape.buckets), position.to_move().index());
            let heads: Vec<u8> =
                (0..seats).map(|seat| (head + (seat + seats - mover) % seats) as u8).collect();
            let mut exact = net.logits(&lists, &scalars, &heads, &mut workspace).to_vec();
            softmax(&mut exact);
            let found = StaticEvaluator::values(&mut evaluator, &position);
            let errors =
                found.0.iter().zip(&exact).map(|(value, share)| f64::from(value - (2.0 * share - 1.0)).abs());
            let error = errors.fold(0.0, f64::max);
            (compared, total, largest) = (compared + 1, total + error, largest.max(error));
            position.legal_moves(&mut moves);
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
    }
    Quantisation {
        reach: evaluator.net().reach(),
        positions: compared,
        mean_error: total / compared.max(1) as f64,
        largest_error: largest,
    }
}
