//! One game between agents.

use std::{collections::BTreeSet, time::Instant};

use game::{Forfeit, Game, Outcome, Seat, SeatPermutation, derive_seed};
use search::{Agent, Limits, Stop};

use crate::{
    Arena, Conditions, Cost, Decision, End, Fixture, GameSummary, SeatSummary, content_id, opening::Openings,
};

/// Builds the agents of one participant, a new one for every seat of every game, so that an agent's memory is limited
/// to its game.
pub struct Contender<'a, G: Game> {
    limits: Limits,
    build: Box<dyn Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a>,
}

impl<'a, G: Game> Contender<'a, G> {
    /// Creates a contender whose agents are built by `build` from a seed and search within `limits`.
    pub fn new(limits: Limits, build: impl Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a) -> Self {
        Self { limits, build: Box::new(build) }
    }
}

/// A finished game with its moves.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The summary.
    pub summary: GameSummary,
    /// All moves, including the opening.
    pub moves: Vec<G::Move>,
    /// The last position.
    pub last: G,
    /// Set if the seat to move in the last position forfeited the game.
    pub forfeit: Option<Forfeit>,
}

/// The error for an illegal move of an agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: the agent that began in seat {seat} chose {m}, but {reason}")]
pub struct IllegalMove {
    /// Index of the game.
    pub game: u64,
    /// Index of the move.
    pub ply: usize,
    /// The initial seat of the agent that chose it.
    pub seat: Seat,
    /// The move.
    pub m: String,
    /// The rule that forbids it.
    pub reason: String,
}

/// The ranks of a game that ended at `last`, in the seat order there. In a forfeited game the seat to move is last and
/// all others share the first rank.
///
/// # Panics
/// If the game is neither over nor forfeited.
pub fn final_ranks<G: Game>(last: &G, forfeited: bool) -> Vec<u8> {
    if forfeited {
        let mut ranks = vec![1; last.seats()];
        ranks[last.to_move().index()] = last.seats() as u8;
        return ranks;
    }
    let outcome: Outcome = last.outcome().expect("a game without a forfeit is played to its end");
    outcome.ranks().to_vec()
}

/// A content hash of moves in text form.
pub fn fingerprint(moves: &[String]) -> String {
    content_id("riftlab moves", &[&moves.join(" ")])
}

/// The state of a game in progress.
struct GameInProgress<'a, G: Game> {
    conditions: &'a Conditions<G>,
    position: G,
    moves: Vec<G::Move>,
    texts: Vec<String>,
    /// Maps initial seats to current seats.
    permutation: SeatPermutation,
}

impl<G: Game> GameInProgress<'_, G> {
    fn play(&mut self, m: G::Move) {
        self.texts.push((self.conditions.move_text)(&self.position, m));
        self.permutation.advance(&self.position, m);
        self.position.play_unchecked(m, &mut ());
        self.moves.push(m);
    }
}

/// Plays game `index` of a schedule with this seed. Returns `None` if `abandon` is raised before its end.
pub(crate) fn play<G: Game>(
    arena: &Arena<'_, G>,
    openings: &Openings<'_, G>,
    (seed, index): (u64, u64),
    fixture: &Fixture,
    abandon: &Stop,
) -> Result<Option<Played<G>>, IllegalMove> {
    let Arena { conditions, contenders, on_decision, .. } = arena;
    let opening = openings.get(fixture.opening);
    let mut agents: Vec<Box<dyn Agent<G>>> = (1..)
        .zip(&fixture.players)
        .map(|(number, &player)| (contenders[player].build)(derive_seed(seed, index, number)))
        .collect();
    let blank = |&player: &usize| SeatSummary {
        player,
        rank: 0,
        engines: BTreeSet::new(),
        cost: Some(Cost::default()),
    };
    let mut seats: Vec<SeatSummary> = fixture.players.iter().map(blank).collect();
    let mut course = GameInProgress {
        conditions,
        position: conditions.start.clone(),
        moves: Vec::new(),
        texts: Vec::new(),
        permutation: SeatPermutation::default(),
    };
    for &m in opening.iter() {
        course.play(m);
    }
    let (mut legal, mut forfeit) = (Vec::new(), None);
    while !course.position.is_over() {
        if abandon.is_raised() {
            return Ok(None);
        }
        let position = &course.position;
        position.legal_moves(&mut legal);
        let origin = course.permutation.origin(position.to_move());
        let m = if let [only] = legal[..] {
            only
        } else {
            let seat = &mut seats[origin.index()];
            let start = Instant::now();
            let limits = &contenders[seat.player].limits;
            let report = agents[origin.index()].think(position, limits, &Stop::default());
            let cost = Cost { decisions: 1, nodes: report.nodes, time: start.elapsed() };
            *seat.cost.get_or_insert_default() += cost;
            if !seat.engines.contains(report.engine) {
                seat.engines.insert(report.engine.to_owned());
            }
            if let Some(on_decision) = on_decision {
                let (ply, player) = (course.moves.len(), seat.player);
                let (to_move, legal) = (position.to_move(), &legal[..]);
                let report = &report;
                on_decision(&Decision {
                    game: index,
                    ply,
                    seat: to_move,
                    player,
                    position,
                    legal,
                    report,
                    cost,
                });
            }
            if report.forfeit.is_some() {
                forfeit = report.forfeit;
                break;
            }
            report.best
        };
        position.check(m).map_err(|reason| IllegalMove {
            game: index,
            ply: course.moves.len(),
            seat: origin,
            m: format!("{m:?}"),
            reason: reason.to_string(),
        })?;
        course.play(m);
    }
    let GameInProgress { position: last, moves, texts, permutation, .. } = course;
    for (now, rank) in Seat::all(seats.len()).zip(final_ranks(&last, forfeit.is_some())) {
        seats[permutation.origin(now).index()].rank = rank;
    }
    let end = match &forfeit {
        Some(forfeit) => End::Forfeit(forfeit.kind),
        None => End::Rule((conditions.end_reason)(&last)),
    };
    let summary = GameSummary {
        index,
        seats,
        plies: moves.len() as u32,
        opening_plies: opening.len() as u32,
        end,
        fingerprint: fingerprint(&texts),
    };
    Ok(Some(Played { summary, moves, last, forfeit }))
}
