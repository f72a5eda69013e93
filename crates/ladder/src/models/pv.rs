//! Policy and value nets of the registry.

use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError},
};

use eval::{GoPv, PvEncoder, PvError, PvEvaluator, RingRiftPv, RingRiftSeedPv};
use game::{Evaluation, Evaluator, Game, Request, Seat, Wants, identity_of, pick};
use go::Medium;
use nn::{Grid, PvKernels, PvNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Hex8, Position, Rules, Square8};

use super::{Model, ModelError};
use crate::Venue;

/// The kind of policy and value nets in model files.
pub(crate) const PV: &str = "pv";

impl Model {
    /// Whether it is a policy and value net, of any game.
    pub fn is_pv(&self) -> bool {
        self.header.kind == PV
    }

    /// The evaluator of positions of games with these options. All evaluators of a net on boards of one shape share its
    /// prepared weights.
    ///
    /// # Errors
    /// If it is not a policy and value net for this encoder.
    pub fn pv<G: Game, E: PvEncoder<G>>(&self, config: &G::Config) -> Result<PvEvaluator<G, E>, ModelError> {
        self.check_pv::<G, E>()?;
        let unusable = |error: PvError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        PvEvaluator::shared(self.kernels(E::grid(config))?, identity_of(&self.hash)).map_err(unusable)
    }

    /// Checks that it is a complete policy and value net for this encoder, without preparing it for a board.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn check_pv<G: Game, E: PvEncoder<G>>(&self) -> Result<(), ModelError> {
        self.check(PV, &E::id())?;
        let (found, expected) = (self.pv_net()?.shape.layout, E::layout());
        if found != expected {
            return Err(ModelError::Mismatch {
                net: self.id(),
                field: "layout",
                found: format!("{found:?}"),
                expected: format!("{expected:?}"),
            });
        }
        Ok(())
    }

    /// The weights of a policy and value net.
    pub(super) fn pv_net(&self) -> Result<&PvNet<f32>, ModelError> {
        if let Some(net) = self.pv.get() {
            return Ok(net);
        }
        let unusable =
            |error: nn::ModelError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        let net = PvNet::from_file(&self.file()?).map_err(unusable)?;
        Ok(self.pv.get_or_init(|| net))
    }

    /// The weights prepared for a board, computed on first use.
    fn kernels(&self, grid: Grid) -> Result<Arc<PvKernels<f32>>, ModelError> {
        let net = self.pv_net()?;
        let mut all = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernels) = all.iter().find(|kernels| *kernels.grid() == grid) {
            return Ok(Arc::clone(kernels));
        }
        let kernels = Arc::new(PvKernels::new(net.clone(), grid));
        all.push(Arc::clone(&kernels));
        Ok(kernels)
    }

    /// Evaluates all positions of `games` random games by a policy and value net, with two, three and four seats in turn
    /// in RingRift, on 9×9 in Go. Returns how many there were; `None` for a net of another kind.
    ///
    /// # Errors
    /// If the net cannot be played, or an answer is not finite.
    pub fn try_out(&self, games: u64, seed: u64) -> Result<Option<u64>, ModelError> {
        if self.is_omega() {
            return self.try_out_omega(games, seed).map(Some);
        }
        if self.is_field() {
            return self.try_out_field(games, seed).map(Some);
        }
        if !self.is_pv() {
            return Ok(None);
        }
        let rules = |game: u64| Rules::new(2 + (game % 3) as u8);
        let encoder = &self.header.encoder;
        let tried = if *encoder == RingRiftPv::<Square8>::id() {
            self.evaluate_games::<Position<Square8>, RingRiftPv<Square8>>(rules, games, seed)
        } else if *encoder == RingRiftPv::<Hex8>::id() {
            self.evaluate_games::<Position<Hex8>, RingRiftPv<Hex8>>(rules, games, seed)
        } else if *encoder == RingRiftSeedPv::<Square8>::id() {
            self.evaluate_games::<Position<Square8>, RingRiftSeedPv<Square8>>(rules, games, seed)
        } else if *encoder == RingRiftSeedPv::<Hex8>::id() {
            self.evaluate_games::<Position<Hex8>, RingRiftSeedPv<Hex8>>(rules, games, seed)
        } else if *encoder == <GoPv as PvEncoder<go::Position<Medium>>>::id() {
            let rules = |_| go::Rules::new(9);
            self.evaluate_games::<go::Position<Medium>, GoPv>(rules, games, seed)
        } else {
            let venues = Venue::all().flat_map(|venue| super::encoders(PV, venue));
            let known: BTreeSet<String> = venues.collect();
            Err(ModelError::Mismatch {
                net: self.id(),
                field: "encoder",
                found: encoder.clone(),
                expected: known.into_iter().collect::<Vec<_>>().join("\" or \""),
            })
        };
        tried.map(Some)
    }

    /// The same for a pair of plain networks.
    fn try_out_omega(&self, games: u64, seed: u64) -> Result<u64, ModelError> {
        let evaluator = self.omega(9)?;
        self.evaluate_games_by::<go::Position<Medium>>(evaluator, |_| go::Rules::new(9), games, seed)
    }

    fn evaluate_games<G: Game, E: PvEncoder<G>>(
        &self,
        config: impl Fn(u64) -> G::Config,
        games: u64,
        seed: u64,
    ) -> Result<u64, ModelError> {
        let evaluator = self.pv::<G, E>(&config(0))?;
        self.evaluate_games_by(evaluator, config, games, seed)
    }

    pub(super) fn evaluate_games_by<G: Game>(
        &self,
        mut evaluator: impl Evaluator<G>,
        config: impl Fn(u64) -> G::Config,
        games: u64,
        seed: u64,
    ) -> Result<u64, ModelError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut moves, mut answers, mut count) = (Vec::new(), [Evaluation::default()], 0);
        for game in 0..games {
            let mut position = G::new(&config(game));
            while !position.is_over() {
                position.legal_moves(&mut moves);
                answers[0].clear();
                let request = Request { position: &position, moves: &moves, wants: Wants::Values };
                evaluator.evaluate(&[request], &mut answers);
                let values = Seat::all(position.seats()).map(|seat| answers[0].values.of(seat));
                if !values.chain(answers[0].logits.iter().copied()).all(f32::is_finite) {
                    let problem = format!("its answer to a position is infinite or NaN: {position:?}");
                    return Err(ModelError::Unusable { net: self.id(), problem });
                }
                count += 1;
                position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
            }
        }
        Ok(count)
    }
}
