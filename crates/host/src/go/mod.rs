//! The implementation of [`Hostable`] for Go.

mod decide;
mod drawing;
mod forecast;
mod go_game;
mod verdict;
mod words;

use game::{Game, Notation, Seat};
use go::{Change, Colour, Illegal, Move, Point, Points, Position, Verdict};
use record::GameResult;
use serde_json::{Value, json};

pub use self::{
    forecast::Forecast,
    go_game::GoGame,
    verdict::{ChainStatus, Estimate},
};
use crate::{
    Agreement, Marks, Painter,
    hostable::Hostable,
    typed::Typed,
    view::{CellView, GoalsView, MoveView, PlayerView, ScoreView},
};

impl<P: Points> Hostable for Position<P> {
    const LEGEND: &'static str = "X is Black, O is White.";
    const HELP: &'static str = "\
moves  D4               put a stone there; columns are letters without I, rows count from the bottom
       pass             no stone; two passes in a row end the game
       score            the score if the game ended here
       dead D4          after two passes: mark the chain on D4 as dead, or as alive again";

    fn title(&self) -> String {
        words::title(*self.rules())
    }

    fn heading(&self, over: bool) -> String {
        words::heading(self, over)
    }

    fn seat_name(seat: Seat) -> String {
        colour(seat).to_string()
    }

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

    fn facts(&self) -> Value {
        let rules = self.rules();
        let stones = |colour: Colour| -> Vec<String> {
            self.board().stones(colour).iter().map(|point| point.to_string()).collect()
        };
        json!({
            "size": rules.size, "komi": f64::from(rules.komi.half_points()) / 2.0, "handicap": rules.handicap,
            "plies": self.moves_played(), "black": stones(Colour::Black), "white": stones(Colour::White),
            "prisoners": self.prisoners(), "score": self.score(&Verdict::AS_IT_STANDS).to_string(),
        })
    }

    fn turns_taken(&self) -> u32 {
        self.moves_played() / 2
    }

    fn turn_number(&self) -> u32 {
        self.moves_played() + 1
    }

    fn usual_plies(&self) -> usize {
        usize::from(self.rules().size).pow(2)
    }

    fn prompt(&self, _: &[Move], typed: bool) -> String {
        words::prompt(self, typed)
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

    fn describe_move(&self, m: Move) -> String {
        words::describe_move(self, m)
    }

    fn advice(&self, illegal: &Illegal, _: &[Move]) -> String {
        format!("Not possible: {illegal}.")
    }

    fn is_bookkeeping(_: Move) -> bool {
        false
    }

    fn changed_cell(change: Change) -> String {
        match change {
            Change::Placed(point, _) | Change::Removed(point, _) => point.to_string(),
        }
    }

    fn matches(&self, m: Move, prefix: &str) -> bool {
        self.move_text(m).to_ascii_lowercase().starts_with(prefix)
    }

    fn targets(&self, m: Move) -> Vec<String> {
        m.point().iter().map(Point::to_string).collect()
    }

    fn move_lines(&self, moves: &[Move]) -> Vec<String> {
        // One line per column, from left to right.
        let mut lines: Vec<(Option<usize>, String)> = Vec::new();
        let mut moves = moves.to_vec();
        moves.sort_by_key(|m| m.point().map_or((usize::MAX, 0), |point| (point.column(), point.row())));
        for m in moves {
            let column = m.point().map(Point::column);
            match lines.last_mut() {
                Some((same, line)) if *same == column => *line += &format!(" {m}"),
                _ => lines.push((column, m.to_string())),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn ending(&self, result: &GameResult) -> String {
        words::ending(self, result)
    }

    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String {
        drawing::board(self, marks, painter)
    }

    fn standing(&self, to_move: Option<Seat>, names: &[String], painter: Option<&Painter<'_>>) -> String {
        drawing::standing(self, to_move, names, painter)
    }

    fn advance(&mut self, seat: Seat, m: Move, changes: &mut Vec<Change>) {
        go_game::advance(self, colour(seat), m, changes);
    }

    fn has_agreement(&self) -> bool {
        self.is_over() && !self.ended_by_cycle()
    }

    fn proposal(&self) -> Agreement {
        verdict::proposal(self)
    }

    fn chain(&self, at: &str) -> Result<Vec<String>, String> {
        verdict::chain(self, at)
    }

    fn counted(&self, agreement: &Agreement, plies: u32) -> Option<(ScoreView, GameResult)> {
        Some(verdict::counted(self, agreement, plies))
    }

    fn count(&self) -> Option<String> {
        Some(verdict::count(self))
    }

    fn as_go(hosted: &Typed<Self>) -> Option<&dyn GoGame> {
        Some(hosted)
    }

    fn as_go_mut(hosted: &mut Typed<Self>) -> Option<&mut dyn GoGame> {
        Some(hosted)
    }
}

fn colour(seat: Seat) -> Colour {
    Colour::BOTH[seat.index()]
}
