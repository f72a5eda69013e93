//! Go at the terminal.

mod agreement;

use game::{ForfeitKind, Game, Notation, Seat};
use go::{Change, Colour, Move, Point, Points, Position, Scoring, Verdict};
use record::GameResult;
use serde_json::{Value, json};

use super::{COLOURS, Hosted, Marks, in_colour};
use crate::{
    printer::{Printer, Style, escape},
    words::count_of,
};

impl<P: Points> Hosted for Position<P> {
    type Place = Point;

    const LEGEND: &'static str = "X is Black, O is White.";
    const HELP: &'static str = "\
moves  D4               put a stone there; columns have letters without I, rows count from below
       pass             no stone; two passes in a row end the game
       score            what the count would be if the game ended here
       dead D4          after two passes: the chain on D4 is dead, or lives after all";

    fn title(&self) -> String {
        let rules = self.rules();
        let mut title = format!("Go on {0}x{0}, komi {1}", rules.size, rules.komi);
        if rules.handicap > 0 {
            title += &format!(", {} handicap stones", rules.handicap);
        }
        title + if rules.scoring == Scoring::Territory { ", territory scoring" } else { "" }
    }

    fn heading(&self, over: bool) -> String {
        let played = count_of(self.moves_played(), "move");
        let state = if over { "over after" } else { "after" };
        format!("Go on {0}x{0}, {state} {played}", self.rules().size)
    }

    fn seat_name(seat: Seat) -> String {
        colour(seat).to_string()
    }

    fn drawing(&self, marks: &Marks<Point>, printer: &Printer) -> String {
        let last = self.last_move().and_then(Move::point);
        let board = self.board();
        let drawing = board.draw_with(|mark, point| {
            if !printer.has_colour() {
                return if marks.targets.contains(&point) { '?' } else { mark }.to_string();
            }
            let base = if last == Some(point) { "4;" } else { marks.style(point) };
            let paint = board.colour(point).map_or_else(
                || format!("{base}2"),
                |colour| format!("{base}1;38;5;{}", COLOURS[colour.index()]),
            );
            escape(&paint, &mark.to_string())
        });
        let drawing = match last {
            Some(point) if !printer.has_colour() => bracketed(&drawing, board.size(), point),
            _ => drawing,
        };
        drawing.lines().map(|line| format!("  {line}\n")).collect()
    }

    fn standing(&self, over: bool, names: &[String], printer: &Printer) -> String {
        let header = format!("  {:8}{:>8}{:>14}", "", "stones", "has captured");
        let mut lines = vec![printer.paint(Style::Dim, header.trim_end())];
        for seat in Seat::all(2) {
            let colour = colour(seat);
            let turn = if !over && self.turn() == colour { ">" } else { " " };
            let label = in_colour(seat, &format!("{:8}", colour.to_string()), printer);
            let stones = self.board().stones(colour).len();
            let taken = self.prisoners()[colour.other().index()];
            let name = names.get(seat.index()).map(|name| format!("   {name}")).unwrap_or_default();
            lines.push(format!("{turn} {label}{stones:>8}{taken:>14}{name}"));
        }
        lines.join("\n") + "\n"
    }

    fn choice(&self, _: &[Move]) -> String {
        let hint = match (self.last_move(), self.banned_ko()) {
            (Some(Move::PASS), _) => {
                format!("{} has passed: another pass ends the game. ", self.turn().other())
            }
            (_, Some(ko)) => format!("The ko on {ko} may not be retaken now. "),
            _ => String::new(),
        };
        format!("{hint}Put a stone on a point (D4), or pass.")
    }

    fn deed(&self, m: Move) -> String {
        let Some(point) = m.point() else { return "passes".to_owned() };
        let taken = self.board().captures(point, self.turn()).len();
        let booty =
            if taken > 0 { format!(" and takes {}", count_of(taken, "stone")) } else { String::new() };
        format!("plays {point}{booty}")
    }

    fn refusal(&self, m: Move, _: &[Move]) -> String {
        self.check(m).err().map_or_else(String::new, |reason| format!("Not possible: {reason}."))
    }

    fn ending(&self, result: &GameResult) -> String {
        let Some(winner) = result.winner.map(|number| colour(Seat::new(number - 1))) else {
            let cycle = if self.ended_by_cycle() { ": the game goes round in circles" } else { "" };
            return format!("Nobody wins{cycle}.");
        };
        if let Some(score) = &result.score {
            let margin = score.split_once('+').map_or(score.as_str(), |(_, margin)| margin);
            let dead = match &result.dead[..] {
                [] => String::new(),
                dead => format!(", with {} taken for dead", dead.join(" ")),
            };
            return format!("{winner} wins by {margin} ({score}{dead}).");
        }
        let loser = winner.other();
        let why = match ForfeitKind::parse(&result.reason) {
            Some(ForfeitKind::Resignation) => "by resignation".to_owned(),
            Some(ForfeitKind::Timeout) => "on time".to_owned(),
            Some(ForfeitKind::IllegalMove) => format!("by an illegal move of {loser}"),
            Some(ForfeitKind::Failure) => format!("as {loser} broke down"),
            None => "as declared".to_owned(),
        };
        format!("{winner} wins {why}.")
    }

    fn place(change: Change) -> Point {
        match change {
            Change::Placed(point, _) | Change::Removed(point, _) => point,
        }
    }

    fn matching(&self, moves: &[Move], prefix: &str) -> Vec<Move> {
        let fits = |m: &Move| self.move_text(*m).to_ascii_lowercase().starts_with(prefix);
        moves.iter().copied().filter(fits).collect()
    }

    fn targets(&self, m: Move) -> Vec<Point> {
        m.point().into_iter().collect()
    }

    fn move_lines(&self, moves: &[Move]) -> Vec<String> {
        // One line a column, as they lie on the board from left to right.
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

    fn turns_taken(&self) -> u32 {
        self.moves_played() / 2
    }

    fn usual_plies(&self) -> usize {
        usize::from(self.rules().size).pow(2)
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

    fn count(&self) -> Option<String> {
        Some(agreement::count(self))
    }

    fn proposal(&self, plies: u32) -> Option<GameResult> {
        agreement::proposal(self, plies)
    }

    fn amended(&self, result: &GameResult, place: &str) -> Result<GameResult, String> {
        agreement::amended(self, result, place)
    }
}

fn colour(seat: Seat) -> Colour {
    Colour::BOTH[seat.index()]
}

/// A plain drawing with the mark of a point in parentheses.
fn bracketed(drawing: &str, size: usize, point: Point) -> String {
    let margin = size.to_string().len();
    let bracket = |(number, line): (usize, &str)| {
        let mut line = line.to_owned() + " ";
        if number == size - 1 - point.row() {
            let at = margin + 1 + 2 * point.column();
            line.replace_range(at - 1..at, "(");
            line.replace_range(at + 1..at + 2, ")");
        }
        line.trim_end().to_owned() + "\n"
    };
    drawing.lines().enumerate().map(bracket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use go::{Board, Small};

    #[test]
    fn the_last_move_stands_in_parentheses() {
        let drawing = Board::<Small>::from_drawing("X . .\n. O .\n. . X").unwrap().draw();
        assert_eq!(bracketed(&drawing, 3, Point::new(0, 2)), "3(X). .\n2 . O .\n1 . . X\n  A B C\n");
        assert_eq!(bracketed(&drawing, 3, Point::new(2, 0)), "3 X . .\n2 . O .\n1 . .(X)\n  A B C\n");
    }
}
