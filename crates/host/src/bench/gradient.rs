//! Decisions of agents that follow gradients, with networks of random weights.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use eval::{ACTION_FEATURES, EbmoField, EbmoGame, GmoEncoder, GmoField, GmoGame, PvEncoder, Uncertainty};
use game::MoveField;
use ladder::{AgentConfig, Kind};
use nn::{EbmoNet, EbmoPreset, GmoKernels, GmoNet, GmoShape};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, on_game};
use search::{Agent, Ebmo, Gmo, Stop};

use super::{sample, start};
use crate::{OpenError, hostable::Hostable};

/// What an agent's decisions cost.
#[derive(Clone, PartialEq, Debug)]
pub struct GradientSpeed {
    /// The encoder of the network.
    pub encoder: String,
    /// How many weights it has.
    pub weights: usize,
    /// Decisions measured.
    pub decisions: u64,
    /// The mean number of legal moves.
    pub moves: f64,
    /// The median time of a decision.
    pub decision: Duration,
}

/// About how many legal moves the measured positions have.
const MOVES: usize = 40;

/// Measures decisions of a gradient agent with a network of random weights, for about `limit`.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn gradients(
    config: &Config,
    agent: &AgentConfig,
    preset: EbmoPreset,
    seed: u64,
    limit: Duration,
) -> Result<GradientSpeed, OpenError> {
    on_game!(config, P => Ok(gradients_of(&start::<P>(config)?, agent, preset, seed, limit)))
}

fn gradients_of<P: Hostable + GmoGame + EbmoGame>(
    start: &P,
    config: &AgentConfig,
    preset: EbmoPreset,
    seed: u64,
    limit: Duration,
) -> GradientSpeed {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rules = start.config();
    let (encoder, weights, field): (String, usize, Box<dyn MoveField<P>>) = if config.kind == Kind::Ebmo {
        let layout = <P as EbmoGame>::Encoder::layout();
        let shape = preset.shape(layout.planes, layout.globals, ACTION_FEATURES);
        let net = EbmoNet::random(&shape, &mut rng);
        let weights = net.parameters().iter().map(|group| group.2.len()).sum();
        let field = EbmoField::<P, <P as EbmoGame>::Encoder>::shared(Arc::new(net));
        (<P as EbmoGame>::Encoder::id(), weights, Box::new(field.expect("the shape is the encoder's")))
    } else {
        let shape = GmoShape {
            features: <P as GmoGame>::Encoder::features(&rules),
            groups: <P as GmoGame>::Encoder::groups(&rules),
            state: 128,
            moves: 128,
            hidden: 256,
            ensemble: 5,
            projection: 128,
            legality: if config.gmo.barrier > 0.0 { 128 } else { 0 },
            after: true,
            graph: None,
        };
        let net = GmoNet::random(&shape, &mut rng);
        let weights = net.parameters().iter().map(|group| group.2.len()).sum();
        let kernels = Arc::new(GmoKernels::new(net));
        let field = GmoField::<<P as GmoGame>::Encoder>::shared::<P>(
            kernels,
            &rules,
            Uncertainty::Dropout,
            config.dropout,
        );
        let field = field.expect("the shape is the encoder's");
        (<P as GmoGame>::Encoder::id(&rules), weights, Box::new(field))
    };
    let mut agent: Box<dyn Agent<P>> = match config.kind {
        Kind::Ebmo => Box::new(Ebmo::new(field, rng, config.ebmo)),
        _ => Box::new(Gmo::new(field, rng, config.gmo)),
    };
    // The positions whose number of moves is nearest to what is wanted.
    let (mut legal, mut positions) = (Vec::new(), sample(start, seed, 400));
    let mut count = |position: &P| {
        position.legal_moves(&mut legal);
        legal.len()
    };
    positions.sort_by_cached_key(|position| count(position).abs_diff(MOVES));
    positions.truncate(32);
    let moves = positions.iter().map(&mut count).sum::<usize>() as f64 / positions.len() as f64;
    let (begin, mut times, limits) = (Instant::now(), Vec::new(), config.limits());
    while times.len() < positions.len() || begin.elapsed() < limit {
        let report = agent.think(&positions[times.len() % positions.len()], &limits, &Stop::default());
        times.push(report.time);
    }
    times.sort_unstable();
    let decision = times[times.len() / 2];
    GradientSpeed { encoder, weights, decisions: times.len() as u64, moves, decision }
}
