//! One game of a match.

use std::{
    collections::{BTreeSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    ops::AddAssign,
    time::{Duration, Instant},
};

use game::{Game, Outcome, Seat, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Cause, Forfeit, Limits, Stop};

use crate::{Points, Seating};

/// Makes the agents of one side, a new one for every seat of every game: nothing is carried from game to game.
pub struct Contender<'a, G: Game> {
    limits: Limits,
    build: Box<dyn Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a>,
}

impl<'a, G: Game> Contender<'a, G> {
    /// A side whose agents come from `build`, given a seed, and think within `limits`.
    pub fn new(limits: Limits, build: impl Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a) -> Self {
        Self { limits, build: Box::new(build) }
    }
}

/// What is played, and what a game has to be asked that its contract does not say.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    /// The position every opening starts from.
    pub start: G,
    /// Random decisions of an opening; steps without a choice come on top.
    pub opening: u32,
    /// Whether a move makes the two sides change seats, as a pie rule does; only at a table of two.
    pub swaps_sides: fn(G::Move) -> bool,
    /// By which rule a finished game ended.
    pub reason: fn(&G) -> &'static str,
}

impl<G: Game> Table<G> {
    /// A game without a pie rule, whose ends are all alike.
    pub fn new(start: G, opening: u32) -> Self {
        Self { start, opening, swaps_sides: |_| false, reason: |_| "end" }
    }

    /// The opening that `seed` stands for: random legal moves that do not end the game.
    ///
    /// Where nearly every prefix of that length would end it, the opening gets shorter instead.
    fn opening(&self, seed: u64) -> Vec<G::Move> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut legal = Vec::new();
        for attempt in 0.. {
            let mut wanted = self.opening.saturating_sub(attempt / 8);
            let (mut position, mut line) = (self.start.clone(), Vec::new());
            while wanted > 0 && !position.is_over() {
                position.legal_moves(&mut legal);
                wanted -= u32::from(legal.len() > 1);
                let m = legal[pick(&mut rng, legal.len())];
                position.play_unchecked(m, &mut ());
                line.push(m);
            }
            if line.is_empty() || !position.is_over() {
                return line;
            }
        }
        Vec::new()
    }
}

/// What one side spent. Steps without a choice cost nothing and are not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Decisions asked for.
    pub decisions: u64,
    /// Simulations they took.
    pub nodes: u64,
    /// Time they took.
    pub time: Duration,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// What counts of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// What A got.
    pub points: Points,
    /// Number of moves, the opening included.
    pub plies: u32,
    /// By which rule it ended, or the [cause](Cause::name) for which it was forfeited.
    pub reason: String,
    /// [`fingerprint`] of the moves.
    pub fingerprint: u64,
    /// What A and B spent.
    pub costs: [Cost; 2],
}

impl Summary {
    /// Sums up a game that is over at `last`, or was forfeited there by the seat to move; `seating` is the one before
    /// the first move.
    ///
    /// # Panics
    /// If the game is neither over nor forfeited.
    pub fn new<G: Game>(
        table: &Table<G>,
        seating: &Seating,
        moves: &[G::Move],
        last: &G,
        costs: [Cost; 2],
        forfeit: Option<Cause>,
    ) -> Self {
        let mut seating = seating.clone();
        moves.iter().filter(|&&m| (table.swaps_sides)(m)).for_each(|_| seating.swap());
        Self {
            points: seating.points(outcome(last, forfeit)),
            plies: moves.len() as u32,
            reason: forfeit.map_or_else(|| (table.reason)(last), Cause::name).to_owned(),
            fingerprint: fingerprint(moves),
            costs,
        }
    }
}

/// How a game ended at `last`. Whoever forfeits is behind all the others, who share the first place.
fn outcome<G: Game>(last: &G, forfeit: Option<Cause>) -> Outcome {
    if forfeit.is_none() {
        return last.outcome().expect("a game that nobody forfeits goes on to its end");
    }
    let mut ranks = vec![1; last.seats()];
    ranks[last.to_move().index()] = last.seats() as u8;
    Outcome::from_ranks(&ranks)
}

/// What one seat spent, told by who sat there before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Decisions, nodes and time.
    pub cost: Cost,
    /// The engines that really chose its moves, as their reports say.
    pub engines: BTreeSet<&'static str>,
}

/// A finished game at a table where anybody may sit anywhere.
///
/// Players, ranks and costs are those of the seats before the first move: who swapped seats is still told by the
/// first one.
#[derive(Clone, Debug)]
pub struct Seated<G: Game> {
    /// Its place among the games it is played with, from 0.
    pub index: u64,
    /// The participant in every seat, as an index into the contenders.
    pub players: Vec<usize>,
    /// All moves, the opening first.
    pub moves: Vec<G::Move>,
    /// How many of them are the opening.
    pub opening: usize,
    /// The last position.
    pub last: G,
    /// Why the seat to move there gave the game up, if the game ended so.
    pub forfeit: Option<Forfeit>,
    /// What place every seat took, 1 for the best.
    pub ranks: Vec<u8>,
    /// What every seat spent.
    pub spent: Vec<Spent>,
}

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// Who sat where before the first move.
    pub seating: Seating,
    /// What was played.
    pub game: Seated<G>,
    /// What counts.
    pub summary: Summary,
}

/// An agent chose a move that the rules forbid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: the agent that began in seat {seat} chose {m}, but {reason}")]
pub struct IllegalMove {
    /// Index of the game.
    pub game: u64,
    /// Index of the move.
    pub ply: usize,
    /// The seat in which the agent that chose it began.
    pub seat: Seat,
    /// The move.
    pub m: String,
    /// What forbids it.
    pub reason: String,
}

/// A number that tells games with different moves apart; equal numbers mean equal games but for one chance in 2⁶⁴.
pub fn fingerprint<M: Hash>(moves: &[M]) -> u64 {
    // The hasher's fixed keys serve: numbers are compared within one run of the program only.
    let mut hasher = DefaultHasher::new();
    moves.hash(&mut hasher);
    hasher.finish()
}

/// Plays game `index` of the match with this seed; `None` if `abandon` was raised before its end.
pub(crate) fn play<G: Game>(
    table: &Table<G>,
    contenders: [&Contender<'_, G>; 2],
    seed: u64,
    index: u64,
    abandon: &Stop,
) -> Result<Option<Played<G>>, IllegalMove> {
    let seats = table.start.seats();
    let seating = Seating::of_game(index, seats);
    let players = seating.sides().iter().map(|side| side.index()).collect();
    let opening = index / Seating::round(seats);
    let Some(game) = play_seated(table, &contenders, seed, &Order { index, players, opening }, abandon)?
    else {
        return Ok(None);
    };
    let mut costs = [Cost::default(); 2];
    for (&side, spent) in game.players.iter().zip(&game.spent) {
        costs[side] += spent.cost;
    }
    let cause = game.forfeit.as_ref().map(|forfeit| forfeit.cause);
    let summary = Summary::new(table, &seating, &game.moves, &game.last, costs, cause);
    Ok(Some(Played { seating, game, summary }))
}

/// What has to be played.
pub(crate) struct Order {
    pub(crate) index: u64,
    pub(crate) players: Vec<usize>,
    /// Number of the opening: equal numbers, equal openings.
    pub(crate) opening: u64,
}

/// Plays one game; `None` if `abandon` was raised before its end.
pub(crate) fn play_seated<G: Game>(
    table: &Table<G>,
    contenders: &[&Contender<'_, G>],
    seed: u64,
    order: &Order,
    abandon: &Stop,
) -> Result<Option<Seated<G>>, IllegalMove> {
    let (index, players) = (order.index, order.players.clone());
    let opening = table.opening(mix(seed, order.opening, 0));
    let mut agents: Vec<Box<dyn Agent<G>>> = (1..)
        .zip(&players)
        .map(|(number, &player)| (contenders[player].build)(mix(seed, index, number)))
        .collect();
    // Who, by the first seat, sits in which seat now.
    let mut sitting: Vec<usize> = (0..players.len()).collect();
    let (mut moves, mut position) = (opening.clone(), table.start.clone());
    for &m in &opening {
        position.play_unchecked(m, &mut ());
        if (table.swaps_sides)(m) {
            sitting.reverse();
        }
    }
    let mut spent = vec![Spent::default(); players.len()];
    let (mut legal, mut forfeit) = (Vec::new(), None);
    while !position.is_over() {
        if abandon.is_raised() {
            return Ok(None);
        }
        position.legal_moves(&mut legal);
        let who = sitting[position.to_move().index()];
        let m = if let [only] = legal[..] {
            only
        } else {
            let start = Instant::now();
            let limits = &contenders[players[who]].limits;
            let report = agents[who].think(&position, limits, &Stop::default());
            let Spent { cost, engines } = &mut spent[who];
            *cost += Cost { decisions: 1, nodes: report.nodes, time: start.elapsed() };
            engines.insert(report.engine);
            if report.forfeit.is_some() {
                forfeit = report.forfeit;
                break;
            }
            report.best
        };
        position.play(m).map_err(|reason| IllegalMove {
            game: index,
            ply: moves.len(),
            seat: Seat::new(who),
            m: format!("{m:?}"),
            reason: reason.to_string(),
        })?;
        moves.push(m);
        if (table.swaps_sides)(m) {
            sitting.reverse();
        }
    }
    let outcome = outcome(&position, forfeit.as_ref().map(|forfeit| forfeit.cause));
    let mut ranks = vec![0; players.len()];
    for (&who, &rank) in sitting.iter().zip(outcome.ranks()) {
        ranks[who] = rank;
    }
    let opening = opening.len();
    Ok(Some(Seated { index, players, moves, opening, last: position, forfeit, ranks, spent }))
}

/// A seed of its own for every purpose: neighbours in any argument share nothing.
fn mix(seed: u64, index: u64, purpose: u64) -> u64 {
    [seed, index, purpose].into_iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        // The finaliser of SplitMix64.
        let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}
