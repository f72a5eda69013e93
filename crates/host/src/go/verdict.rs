//! Dead stones: estimates, proposals and the resulting scores.

use game::Game;
use go::{Colour, Point, Points, Position, Verdict};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord, GameResult};

use crate::{
    Agreement,
    view::{OwnedView, ScoreView},
};

/// The number of playouts of an estimate of dead stones.
const PLAYOUTS: u32 = 400;

/// The parameters of an estimate of dead stones by playouts.
pub struct Estimate<'a> {
    /// The number of playouts.
    pub playouts: u32,
    /// The random number generator of the playouts.
    pub rng: &'a mut Xoshiro256PlusPlus,
}

impl Estimate<'_> {
    pub(super) fn of<P: Points>(&mut self, position: &Position<P>) -> Verdict<P> {
        Verdict::estimate(position, self.rng, self.playouts)
    }
}

/// The status of a chain at the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainStatus {
    /// The chain stays on the board.
    Alive,
    /// The chain counts as captured.
    Dead,
    /// The chain is alive in seki.
    Seki,
}

/// The status of a point by a verdict, in the words of the Go Text Protocol.
pub(super) fn status<P: Points>(position: &Position<P>, point: Point, verdict: &Verdict<P>) -> &'static str {
    let board = position.board();
    if board.colour(point).is_some() {
        return if verdict.dead.has(point) {
            "dead"
        } else if verdict.seki.has(point) {
            "seki"
        } else {
            "alive"
        };
    }
    let [black, white] = board.cleared(verdict.dead).0.surrounded();
    if black.has(point) {
        "black_territory"
    } else if white.has(point) {
        "white_territory"
    } else {
        "dame"
    }
}

/// An estimate that depends only on the position.
fn estimate<P: Points>(position: &Position<P>) -> Verdict<P> {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(position.key());
    Estimate { playouts: PLAYOUTS, rng }.of(position)
}

/// The score if the game ended here, as a sentence, with and without removing dead stones.
pub(super) fn count<P: Points>(position: &Position<P>) -> String {
    let as_it_stands = position.score(&Verdict::AS_IT_STANDS);
    let verdict = estimate(position);
    if verdict.dead.is_empty() {
        return format!("{as_it_stands}, if the game ended here.");
    }
    let score = position.score(&verdict);
    format!(
        "{score}, if the game ended here and {} are dead; {as_it_stands} if all stones live.",
        names(verdict.dead).join(" ")
    )
}

/// The agreement to propose: the stones estimated to be dead.
pub(super) fn proposal<P: Points>(position: &Position<P>) -> Agreement {
    let verdict = estimate(position);
    Agreement { dead: names(verdict.dead), seki: names(verdict.seki) }
}

/// The chain of the stone at `at`.
pub(super) fn chain<P: Points>(position: &Position<P>, at: &str) -> Result<Vec<String>, String> {
    let board = position.board();
    let point = Point::parse(at).filter(|&point| board.points().has(point));
    let point = point.ok_or_else(|| format!("{at:?}: expected a point such as D4"))?;
    board.colour(point).ok_or_else(|| format!("there is no stone on {point}"))?;
    Ok(names(board.chain(point)))
}

/// The score by an agreement, and the resulting game result.
pub(super) fn counted<P: Points>(
    position: &Position<P>,
    agreement: &Agreement,
    plies: u32,
) -> (ScoreView, GameResult) {
    let board = position.board();
    let stones = board.stones(Colour::Black) | board.stones(Colour::White);
    let named = |names: &[String]| P::of(names.iter().filter_map(|name| Point::parse(name))) & stones;
    let dead = named(&agreement.dead);
    let verdict = Verdict { dead, seki: named(&agreement.seki).without(dead) };
    let surrounded = board.cleared(dead).0.surrounded();
    let owned = Colour::BOTH.into_iter().flat_map(|colour| {
        let seat = colour.seat().number();
        surrounded[colour.index()].iter().map(move |point| OwnedView { at: point.to_string(), seat })
    });
    let score = ScoreView { text: position.score(&verdict).to_string(), territory: owned.collect() };
    let mut record = GameRecord::new("agreement", Config::go(*position.rules()), Vec::new());
    record.agree(position, &verdict);
    let result = record.result.expect("an agreement is a result");
    (score, GameResult { plies, ..result })
}

/// The names of points, in order.
fn names<P: Points>(points: P) -> Vec<String> {
    points.iter().map(|point| point.to_string()).collect()
}
