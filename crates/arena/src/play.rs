//! One game between agents.

use std::{collections::BTreeSet, time::Instant};

use game::{Forfeit, Game, Outcome, Places, Seat};
use search::{Agent, Limits, Stop};

use crate::{Arena, Conditions, Cost, Decision, End, Fixture, GameSummary, SeatSummary, content_id};

/// Makes the agents of one participant, a new one for every seat of every game: what an agent remembers belongs to
/// its game.
pub struct Contender<'a, G: Game> {
    limits: Limits,
    build: Box<dyn Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a>,
}

impl<'a, G: Game> Contender<'a, G> {
    /// A participant whose agents come from `build`, given a seed, and think within `limits`.
    pub fn new(limits: Limits, build: impl Fn(u64) -> Box<dyn Agent<G>> + Sync + 'a) -> Self {
        Self { limits, build: Box::new(build) }
    }
}

/// A finished game with its moves.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// What counts.
    pub summary: GameSummary,
    /// All moves, the opening first.
    pub moves: Vec<G::Move>,
    /// The last position.
    pub last: G,
    /// Why the seat to move there gave the game up, if the game ended so.
    pub forfeit: Option<Forfeit>,
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

/// The ranks of a game that ended at `last`, by the seats there: of a forfeited one the seat to move is last, and all
/// the others share the first place.
///
/// # Panics
/// If the game is neither over nor forfeited.
pub fn final_ranks<G: Game>(last: &G, forfeited: bool) -> Vec<u8> {
    if forfeited {
        let mut ranks = vec![1; last.seats()];
        ranks[last.to_move().index()] = last.seats() as u8;
        return ranks;
    }
    let outcome: Outcome = last.outcome().expect("a game that nobody forfeits is played to its end");
    outcome.ranks().to_vec()
}

/// A content hash of moves, given as texts.
pub fn fingerprint(moves: &[String]) -> String {
    content_id("riftlab moves", &[&moves.join(" ")])
}

/// The game under way: the position and all that led to it.
struct Course<'a, G: Game> {
    conditions: &'a Conditions<G>,
    position: G,
    moves: Vec<G::Move>,
    texts: Vec<String>,
    /// Where everybody sits by now.
    places: Places,
}

impl<G: Game> Course<'_, G> {
    fn play(&mut self, m: G::Move) {
        self.texts.push((self.conditions.move_text)(&self.position, m));
        self.places.follow(&self.position, m);
        self.position.play_unchecked(m, &mut ());
        self.moves.push(m);
    }
}

/// Plays game `index` of a schedule; `None` if `abandon` was raised before its end.
pub(crate) fn play<G: Game>(
    arena: &Arena<'_, G>,
    seed: u64,
    index: u64,
    fixture: &Fixture,
    abandon: &Stop,
) -> Result<Option<Played<G>>, IllegalMove> {
    let Arena { conditions, contenders, on_decision, .. } = arena;
    let opening = conditions.opening(mix(seed, fixture.opening, 0));
    let mut agents: Vec<Box<dyn Agent<G>>> = (1..)
        .zip(&fixture.players)
        .map(|(number, &player)| (contenders[player].build)(mix(seed, index, number)))
        .collect();
    let blank = |&player: &usize| SeatSummary {
        player,
        rank: 0,
        engines: BTreeSet::new(),
        cost: Some(Cost::default()),
    };
    let mut seats: Vec<SeatSummary> = fixture.players.iter().map(blank).collect();
    let mut course = Course {
        conditions,
        position: conditions.start.clone(),
        moves: Vec::new(),
        texts: Vec::new(),
        places: Places::default(),
    };
    for &m in &opening {
        course.play(m);
    }
    let (mut legal, mut forfeit) = (Vec::new(), None);
    while !course.position.is_over() {
        if abandon.is_raised() {
            return Ok(None);
        }
        let position = &course.position;
        position.legal_moves(&mut legal);
        let origin = course.places.origin(position.to_move());
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
    let Course { position: last, moves, texts, places, .. } = course;
    for (now, rank) in Seat::all(seats.len()).zip(final_ranks(&last, forfeit.is_some())) {
        seats[places.origin(now).index()].rank = rank;
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
