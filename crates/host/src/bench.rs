//! Benchmarks of rules, evaluators and agents, and a signature of the decisions of agents.
//!
//! These measurements need the position type, which callers of this crate do not know.

mod gradient;
mod pv;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use game::{LineEvaluator, pick, play_out};
use ladder::{Models, Playable, Player, Spec, WithoutNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, on_game};
use search::Stop;

use crate::{OpenError, SeatError, hostable::Hostable};

pub use gradient::{GradientSpeed, gradients};
pub use pv::{PvSpeed, networks};

/// The duration of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// This many games, without reading the clock in between.
    Games(u64),
    /// For this long.
    Time(Duration),
}

/// The speed of the rules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RulesSpeed {
    /// Random games played to their end.
    pub games: u64,
    /// Moves in all games.
    pub plies: u64,
    /// The elapsed time.
    pub time: Duration,
    /// The size of a position in bytes.
    pub position_bytes: usize,
    /// Nanoseconds per clone of a position. Not measured for [`Span::Games`], so that instruction counts cover the games alone.
    pub clone_ns: Option<f64>,
}

/// The speed of an agent.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpeed {
    /// Decisions made.
    pub decisions: u64,
    /// Nodes or simulations in total.
    pub nodes: u64,
    /// Time spent thinking.
    pub thinking: Duration,
    /// The mean number of requests per batch for the evaluator, if the agent evaluates several positions at a time.
    pub mean_batch: Option<f64>,
    /// The same relative to the largest batch that the agent's setting `batch` allows.
    pub fill: Option<f64>,
    /// The agent.
    pub player: Player,
}

/// An error that prevents a measurement.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The options are invalid.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The agent cannot play this game.
    #[error(transparent)]
    Seat(#[from] SeatError),
}

/// Plays uniformly random games to their end on this thread, generating all legal moves of every position.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn rules(config: &Config, seed: u64, span: Span) -> Result<RulesSpeed, OpenError> {
    on_game!(config, P => Ok(rules_of(&start::<P>(config)?, seed, span)))
}

fn rules_of<P: Hostable>(first: &P, seed: u64, span: Span) -> RulesSpeed {
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
    RulesSpeed { games, plies, time, position_bytes: size_of::<P>(), clone_ns }
}

/// Nanoseconds per clone of positions that are in the CPU cache, as in a search.
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

/// Lets an agent with a net from `models` decide in positions from random games for the given time, on this thread.
///
/// # Errors
/// Returns an error if the options are invalid, or the agent cannot play the game.
pub fn agent(
    config: &Config,
    spec: &Spec,
    models: &Models,
    seed: u64,
    limit: Duration,
) -> Result<AgentSpeed, BenchError> {
    on_game!(config, P => {
        let start = start::<P>(config)?;
        let player = Player::with_models(spec, start.venue(), WithoutNet::Refuse, models);
        Ok(agent_of(&start, player.map_err(SeatError::from)?, seed, limit))
    })
}

fn agent_of<P: Hostable>(start: &P, player: Player, seed: u64, limit: Duration) -> AgentSpeed {
    let positions = sample(start, seed, SAMPLES);
    let (limits, stop) = (player.limits(), Stop::default());
    let mut agent = player.agent(seed);
    let (mut decisions, mut nodes, mut thinking) = (0, 0, Duration::ZERO);
    // The means of every decision, weighted by its nodes.
    let mut means = [("batch", 0.0, 0), ("fill", 0.0, 0)];
    let start = Instant::now();
    for position in positions.iter().cycle() {
        let report = agent.think(position, &limits, &stop);
        (decisions, nodes, thinking) = (decisions + 1, nodes + report.nodes, thinking + report.time);
        for (name, sum, weight) in &mut means {
            if let Some((_, mean)) = report.details.iter().find(|detail| detail.0 == *name) {
                *sum += mean * report.nodes as f64;
                *weight += report.nodes;
            }
        }
        if start.elapsed() >= limit {
            break;
        }
    }
    drop(agent);
    let [mean_batch, fill] = means.map(|(_, sum, weight)| (weight > 0).then(|| sum / weight as f64));
    AgentSpeed { decisions, nodes, thinking, mean_batch, fill, player }
}

/// Evaluations per second by `player`, each from scratch, on positions from random games.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn evaluations(config: &Config, player: &Player, seed: u64, limit: Duration) -> Result<f64, OpenError> {
    on_game!(config, P => Ok(evaluations_of(&start::<P>(config)?, player, seed, limit)))
}

fn evaluations_of<P: Hostable>(start: &P, player: &Player, seed: u64, limit: Duration) -> f64 {
    let positions = sample(start, seed, SAMPLES);
    let mut evaluator = player.evaluator::<P>();
    rate(limit, || {
        for position in &positions {
            black_box(evaluator.values(black_box(position)));
        }
        positions.len() as u64
    })
}

/// Evaluations per second by `player` as in a depth-first search: every move of positions from random games is played on
/// a copy of the position, and the result is evaluated incrementally.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn line_evaluations(
    config: &Config,
    player: &Player,
    seed: u64,
    limit: Duration,
) -> Result<f64, OpenError> {
    on_game!(config, P => Ok(line_evaluations_of(&start::<P>(config)?, player, seed, limit)))
}

fn line_evaluations_of<P: Hostable>(start: &P, player: &Player, seed: u64, limit: Duration) -> f64 {
    let positions = sample(start, seed, SAMPLES);
    let legal_moves = |position: &P| {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves
    };
    let lists: Vec<Vec<P::Move>> = positions.iter().map(legal_moves).collect();
    let mut line = player.line_evaluator::<P>();
    rate(limit, || {
        let mut evaluations = 0;
        for (position, moves) in positions.iter().zip(&lists) {
            line.reset(position);
            for &m in moves {
                line.descend(1);
                let mut child = position.clone();
                line.play(1, &mut child, m);
                black_box(line.values(1, &child));
            }
            evaluations += moves.len() as u64;
        }
        evaluations
    })
}

/// Repeats `work` for at least `limit` and returns how much it does per second.
fn rate(limit: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut done = 0;
    while done == 0 || start.elapsed() < limit {
        done += work();
    }
    done as f64 / start.elapsed().as_secs_f64()
}

/// A hash of decisions, which changes whenever one of them does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The 64-bit FNV-1a hash, which is stable across versions and platforms.
    pub hash: u64,
    /// The nodes of all decisions.
    pub nodes: u64,
}

impl Default for Signature {
    fn default() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, nodes: 0 }
    }
}

impl Signature {
    /// Adds the decisions of new agents in a few positions of a game, with their nodes and values.
    ///
    /// # Errors
    /// Returns an error if the options are invalid, or an agent cannot play the game.
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

/// The number of positions for measuring an agent or evaluator.
const SAMPLES: usize = 64;

fn start<P: Hostable>(config: &Config) -> Result<P, OpenError> {
    Ok(P::new(&P::options(config)?))
}

/// Positions with a choice from random games, at all stages.
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
