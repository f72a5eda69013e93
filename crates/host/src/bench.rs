//! How fast rules, evaluators and agents are, and one number over what agents decide.
//!
//! These measurements need the type of a position, which callers of this crate do not know.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use game::{StaticEvaluator, pick, play_out};
use ladder::{Playable, Player, Spec, WithoutNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, on_game};
use search::Stop;

use crate::{OpenError, SeatError, hostable::Hostable};

/// How long to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// So many games, without a look at the clock in between.
    Games(u64),
    /// For this long.
    Time(Duration),
}

/// How fast the rules are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RulesSpeed {
    /// Random games played to their end.
    pub games: u64,
    /// Moves in all games.
    pub plies: u64,
    /// How long that took.
    pub time: Duration,
    /// Bytes of a position.
    pub position_bytes: usize,
    /// Nanoseconds per copy of a position; not measured when games are counted, since an instruction counter wants the
    /// games alone.
    pub clone_ns: Option<f64>,
}

/// How fast an agent decides.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpeed {
    /// Decisions made.
    pub decisions: u64,
    /// Nodes or simulations spent on them.
    pub nodes: u64,
    /// Time spent thinking.
    pub thinking: Duration,
    /// The agent.
    pub player: Player,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Options that make no game.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// An agent that cannot play here.
    #[error(transparent)]
    Seat(#[from] SeatError),
}

/// Plays uniformly random games to their end on this thread, generating every legal list in full.
///
/// # Errors
/// If the options make no game.
pub fn rules(config: &Config, seed: u64, span: Span) -> Result<RulesSpeed, OpenError> {
    on_game!(config, P => rules_of(&start::<P>(config)?, seed, span))
}

fn rules_of<P: Hostable>(first: &P, seed: u64, span: Span) -> Result<RulesSpeed, OpenError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moves = Vec::new();
    let (mut games, mut plies) = (0_u64, 0_u64);
    let start = Instant::now();
    let mut play = || {
        plies += u64::from(play_out(&mut first.clone(), &mut rng, &mut moves));
        games += 1;
    };
    match span {
        Span::Games(wanted) => (0..wanted).for_each(|_| play()),
        Span::Time(limit) => {
            play();
            while start.elapsed() < limit {
                play();
            }
        }
    }
    let time = start.elapsed();
    let clone_ns = matches!(span, Span::Time(_)).then(|| clone_cost(&sample(first, seed, 256)));
    Ok(RulesSpeed { games, plies, time, position_bytes: size_of::<P>(), clone_ns })
}

/// Nanoseconds per clone, the positions being warm in the cache as they are in a search.
fn clone_cost<P: Clone>(positions: &[P]) -> f64 {
    let limit = Duration::from_millis(200);
    let start = Instant::now();
    let mut clones = 0_u64;
    while start.elapsed() < limit {
        for position in positions {
            black_box(black_box(position).clone());
        }
        clones += positions.len() as u64;
    }
    start.elapsed().as_secs_f64() * 1e9 / clones as f64
}

/// Lets an agent decide for this long in positions from random games, on this thread.
///
/// # Errors
/// If the options make no game, or the agent cannot play it.
pub fn agent(config: &Config, spec: &Spec, seed: u64, limit: Duration) -> Result<AgentSpeed, BenchError> {
    on_game!(config, P => agent_of(&start::<P>(config)?, spec, seed, limit))
}

fn agent_of<P: Hostable>(
    start: &P,
    spec: &Spec,
    seed: u64,
    limit: Duration,
) -> Result<AgentSpeed, BenchError> {
    let positions = sample(start, seed, SAMPLES);
    let player = Player::new(spec, start.venue(), WithoutNet::Refuse).map_err(SeatError::from)?;
    let (limits, stop) = (player.limits(), Stop::default());
    let mut agent = player.agent(seed);
    let (mut decisions, mut nodes, mut thinking) = (0, 0, Duration::ZERO);
    let start = Instant::now();
    for position in positions.iter().cycle() {
        let report = agent.think(position, &limits, &stop);
        (decisions, nodes, thinking) = (decisions + 1, nodes + report.nodes, thinking + report.time);
        if start.elapsed() >= limit {
            break;
        }
    }
    drop(agent);
    Ok(AgentSpeed { decisions, nodes, thinking, player })
}

/// Evaluations per second of the heuristic that `player` looks through, on positions from random games.
///
/// # Errors
/// If the options make no game.
pub fn evaluations(config: &Config, player: &Player, seed: u64, limit: Duration) -> Result<f64, OpenError> {
    on_game!(config, P => {
        let positions = sample(&start::<P>(config)?, seed, SAMPLES);
        Ok(evaluations_of(&positions, P::heuristic(player.config.persona), limit))
    })
}

fn evaluations_of<P: Playable>(positions: &[P], mut heuristic: P::Heuristic, limit: Duration) -> f64 {
    let start = Instant::now();
    let mut evaluations = 0_u64;
    while evaluations == 0 || start.elapsed() < limit {
        for position in positions {
            black_box(StaticEvaluator::values(&mut heuristic, black_box(position)));
        }
        evaluations += positions.len() as u64;
    }
    evaluations as f64 / start.elapsed().as_secs_f64()
}

/// A number over decisions: it changes when any of them does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// FNV-1a, 64 bits, which gives the same number for ever.
    pub hash: u64,
    /// Nodes that all decisions cost.
    pub nodes: u64,
}

impl Default for Signature {
    fn default() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, nodes: 0 }
    }
}

impl Signature {
    /// Adds what fresh agents decide in a few positions of a game, with their nodes and values.
    ///
    /// # Errors
    /// If the options make no game, or an agent cannot play it.
    pub fn add(&mut self, config: &Config, agents: &[Spec]) -> Result<(), BenchError> {
        on_game!(config, P => {
            for position in sample(&start::<P>(config)?, 1, 2) {
                agents.iter().try_for_each(|spec| self.decide(&position, spec))?;
            }
        });
        Ok(())
    }

    fn decide<P: Hostable>(&mut self, position: &P, spec: &Spec) -> Result<(), BenchError> {
        let player = Player::new(spec, position.venue(), WithoutNet::Refuse).map_err(SeatError::from)?;
        let report = player.agent(1).think(position, &player.limits(), &Stop::default());
        self.nodes += report.nodes;
        self.hash(position.move_text(report.best).as_bytes());
        self.hash(&report.nodes.to_le_bytes());
        for value in report.values.iter().flat_map(|values| &values.0[..position.seats()]) {
            self.hash(&value.to_bits().to_le_bytes());
        }
        Ok(())
    }

    fn hash(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

/// Positions that an agent or evaluator is asked about.
const SAMPLES: usize = 64;

fn start<P: Hostable>(config: &Config) -> Result<P, OpenError> {
    Ok(P::new(&P::options(config)?))
}

/// Positions from random games, at all their stages, where there is something to choose.
fn sample<P: Hostable>(start: &P, seed: u64, count: usize) -> Vec<P> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moves = Vec::new();
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = start.clone();
        let plies = pick(&mut rng, start.usual_plies());
        for _ in 0..plies {
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
        position.legal_moves(&mut moves);
        if moves.len() > 1 {
            positions.push(position);
        }
    }
    positions
}
