//! Go on a page.

use game::{Game, Notation, Outcome, Seat};
use go::{Change, Colour, Move, Point, Points, Position, Score, Verdict};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::GameRecord;

use super::{Agreement, Shown, result};
use crate::{
    Refusal,
    view::{CellView, GoalsView, MoveView, OwnedView, PlayerView, ResultView, ScoreView},
};

impl<P: Points> Shown for Position<P> {
    fn cells(&self) -> Vec<CellView> {
        let stones = |colour: Colour| {
            let view = move |point: Point| CellView {
                at: point.to_string(),
                stone: Some(colour.seat().number()),
                ..CellView::default()
            };
            self.board().stones(colour).iter().map(view)
        };
        Colour::BOTH.into_iter().flat_map(stones).collect()
    }

    fn players(&self) -> Vec<PlayerView> {
        let player = |colour: Colour| PlayerView {
            seat: colour.seat().number(),
            prisoners: Some(self.prisoners()[colour.other().index()]),
            ..PlayerView::default()
        };
        Colour::BOTH.into_iter().map(player).collect()
    }

    fn goals(&self) -> Option<GoalsView> {
        None
    }

    fn phase(&self) -> &'static str {
        if self.is_over() { "game_over" } else { "play" }
    }

    fn prompt(&self, _: &[Move]) -> String {
        match self.passes() {
            _ if self.is_over() => "The game is over.".to_owned(),
            0 => format!("{} to play.", self.turn()),
            _ => format!("{} has passed. Play on, or pass to end the game.", self.turn().other()),
        }
    }

    fn offer(&self, m: Move) -> MoveView {
        let at = m.point().map(|point| point.to_string());
        let words = if at.is_some() { "Play here" } else { "Pass" };
        MoveView {
            text: self.move_text(m),
            words: words.to_owned(),
            kind: if at.is_some() { "stone" } else { "pass" },
            steps: at.iter().map(|at| vec![at.clone()]).collect(),
            marks: at.into_iter().collect(),
            trail: Vec::new(),
            captures: None,
        }
    }

    fn deed(&self, m: Move) -> String {
        let Some(point) = m.point() else { return "passes".to_owned() };
        match self.board().captures(point, self.turn()).len() {
            0 => format!("plays {point}"),
            1 => format!("plays {point} and takes 1 stone"),
            taken => format!("plays {point} and takes {taken} stones"),
        }
    }

    fn is_bookkeeping(&self, _: Move) -> bool {
        false
    }

    fn touched(change: Change) -> String {
        match change {
            Change::Placed(point, _) | Change::Removed(point, _) => point.to_string(),
        }
    }

    fn ending(&self) -> Option<ResultView> {
        let outcome = self.outcome()?;
        if self.ended_by_cycle() {
            return Some(result(
                None,
                outcome.ranks().to_vec(),
                "cycle",
                "No result: the game repeats itself.".to_owned(),
            ));
        }
        Some(by_points(self.score(&Verdict::AS_IT_STANDS)))
    }

    fn resigned(&self, seat: Seat) -> ResultView {
        let winner = Colour::BOTH[1 - seat.index()];
        let ranks = Outcome::win(2, winner.seat()).ranks().to_vec();
        result(Some(winner.seat().number()), ranks, "resignation", format!("{winner} wins by resignation."))
    }

    fn wants_agreement(&self) -> bool {
        self.is_over() && !self.ended_by_cycle()
    }

    fn chain(&self, at: &str) -> Result<Vec<String>, Refusal> {
        let point = Point::parse(at).filter(|&point| self.board().points().has(point));
        let stone = point.filter(|&point| self.board().colour(point).is_some());
        let stone =
            stone.ok_or_else(|| Refusal::input(format!("{at}: expected a point with a stone on it")))?;
        Ok(self.board().chain(stone).iter().map(|point| point.to_string()).collect())
    }

    fn proposal(&self) -> Agreement {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.key());
        let verdict = Verdict::estimate(self, &mut rng, PLAYOUTS);
        let names = |stones: P| stones.iter().map(|point| point.to_string()).collect();
        Agreement { dead: names(verdict.dead), seki: names(verdict.seki) }
    }

    fn note_agreement(&self, record: &mut GameRecord, agreement: &Agreement) {
        if self.passes() >= 2 {
            record.agree(self, &verdict(self, agreement));
        } else {
            record.conclude(self);
        }
    }

    fn counted(&self, agreement: &Agreement) -> Option<(ScoreView, ResultView)> {
        let verdict = verdict(self, agreement);
        let score = self.score(&verdict);
        let surrounded = self.board().cleared(verdict.dead).0.surrounded();
        let owned = Colour::BOTH.into_iter().flat_map(|colour| {
            let seat = colour.seat().number();
            surrounded[colour.index()].iter().map(move |point| OwnedView { at: point.to_string(), seat })
        });
        Some((ScoreView { text: score.to_string(), territory: owned.collect() }, by_points(score)))
    }
}

/// How many random games a proposal rests on.
const PLAYOUTS: u32 = 400;

/// The stones that an agreement names, as far as they are on the board.
fn verdict<P: Points>(position: &Position<P>, agreement: &Agreement) -> Verdict<P> {
    let board = position.board();
    let stones = board.stones(Colour::Black) | board.stones(Colour::White);
    let named = |names: &[String]| P::of(names.iter().filter_map(|name| Point::parse(name))) & stones;
    let dead = named(&agreement.dead);
    Verdict { dead, seki: named(&agreement.seki).without(dead) }
}

fn by_points(score: Score) -> ResultView {
    let outcome = score.outcome();
    let Some(winner) = score.winner() else {
        return result(None, outcome.ranks().to_vec(), "points", "A draw.".to_owned());
    };
    let lead = score.to_string();
    let points = lead.split_once('+').map_or("0", |(_, points)| points);
    let words = format!("{winner} wins by {points} points.");
    result(Some(winner.seat().number()), outcome.ranks().to_vec(), "points", words)
}
