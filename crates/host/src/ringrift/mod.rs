//! The implementation of [`Hostable`] for RingRift.

mod drawing;
mod move_list;
mod offer;
mod rescue;
mod threats;
mod turn_search;
mod words;

use game::{Game, Seat};
use record::GameResult;
use ringrift::{Cell, Change, Content, End, Geometry, Illegal, Move, Position, cell_name};
use search::Stop;
use serde_json::{Value, json};

use self::turn_search::{Budget, best_turn};
use crate::{
    Marks, Painter,
    hostable::Hostable,
    view::{CellView, GoalsView, MoveView, PlayerView, ThreatsView},
};

/// The maximum number of moves tried to find a turn that avoids a loss.
const RESCUE_BUDGET: u64 = 2_000_000;

/// The maximum number of moves tried to find what a seat could achieve.
const CHANCE_BUDGET: u64 = 400_000;

impl<B: Geometry> Hostable for Position<B> {
    const LEGEND: &'static str = "112 is a stack from bottom to top, *1 a marker, #1 territory of seat 1.";
    const HELP: &'static str = "\
moves  +d4 ++d4 +++d4   place one, two or three rings
       d4-d7            move a stack
       d4xd6-d8         move a stack over another and capture its top ring
       =a1-d1           collapse a line; =a1-e1:b1-e1 collapses a part of it
       #a1              claim the region that has a1 as its first cell; #a1@2 the one that
                        markers of seat 2 enclose
       -d4              pay from the stack on d4
       d4~d5/e6         slide a marker and pay from e6; d4~!d5/e6 strikes the stack on d5
       swap, skip       swap sides; decline an optional action
       The beginning of a move is enough if only one legal move starts with it.
       On a board without colours, ' follows what the last turn changed and ? what can be chosen.";

    fn title(&self) -> String {
        let swap = if self.rules().swap { ", with the swap rule" } else { "" };
        format!("RingRift on {}{swap}", B::BOARD)
    }

    fn heading(&self, over: bool) -> String {
        words::heading(self, over)
    }

    fn seat_name(seat: Seat) -> String {
        format!("seat {seat}")
    }

    fn cells(&self) -> Vec<CellView> {
        let view = |(cell, content): (Cell, Content)| {
            let blank = CellView { at: cell_name::<B>(cell), ..CellView::default() };
            match content {
                Content::Empty => None,
                Content::Stack(stack) => {
                    // `rings` lists a stack from the bottom up, and the view from the top down.
                    let mut stack: Vec<usize> = stack.rings().map(Seat::number).collect();
                    stack.reverse();
                    Some(CellView { stack, ..blank })
                }
                Content::Marker(seat) => Some(CellView { marker: Some(seat.number()), ..blank }),
                Content::Collapsed(seat) => Some(CellView { collapsed: Some(seat.number()), ..blank }),
            }
        };
        self.contents().filter_map(view).collect()
    }

    fn players(&self) -> Vec<PlayerView> {
        let total: u32 = Seat::all(self.seats()).map(|seat| self.territory(seat)).sum();
        let goal = u32::from(Position::goals(self).territory);
        let player = |seat: Seat| PlayerView {
            seat: seat.number(),
            hand: Some(self.hand(seat)),
            eliminated: Some(self.credits(seat)),
            territory: Some(self.territory(seat)),
            // Territory wins only if it is more than all others have together.
            territory_to_win: Some(goal.max(total - self.territory(seat) + 1)),
            on_board: Some(self.rings_on_board(seat)),
            prisoners: None,
        };
        Seat::all(self.seats()).map(player).collect()
    }

    fn goals(&self) -> Option<GoalsView> {
        let goals = Position::goals(self);
        Some(GoalsView {
            eliminations: goals.eliminations.into(),
            territory: goals.territory.into(),
            line: goals.line_length.into(),
        })
    }

    fn phase(&self) -> &'static str {
        Position::phase(self).name()
    }

    fn facts(&self) -> Value {
        let per_seat =
            |count: &dyn Fn(Seat) -> u32| -> Vec<u32> { Seat::all(self.seats()).map(count).collect() };
        json!({
            "phase": Position::phase(self).name(), "turns": self.turns(),
            "hands": per_seat(&|seat| self.hand(seat)),
            "credits": per_seat(&|seat| self.credits(seat)),
            "territory": per_seat(&|seat| self.territory(seat)),
        })
    }

    fn turns_taken(&self) -> u32 {
        self.turns()
    }

    fn turn_number(&self) -> u32 {
        self.turns() + 1
    }

    fn usual_plies(&self) -> usize {
        2 * B::SIZE * B::SIZE
    }

    fn prompt(&self, moves: &[Move], typed: bool) -> String {
        words::prompt(self, moves, typed)
    }

    fn offer(&self, m: Move) -> MoveView {
        offer::offer(self, m)
    }

    fn describe_move(&self, m: Move) -> String {
        Position::describe_move(self, m)
    }

    fn describe_turn(&self, turn: &[Move]) -> String {
        words::turn(self, turn)
    }

    fn advice(&self, illegal: &Illegal, moves: &[Move]) -> String {
        match illegal {
            // The rule names a phase, but a player needs to know what to do instead.
            Illegal::WrongPhase { .. } => format!("Not now. {}", words::prompt(self, moves, true)),
            reason => format!("Not possible: {reason}."),
        }
    }

    fn is_bookkeeping(m: Move) -> bool {
        m.kind().is_bookkeeping()
    }

    fn changed_cell(change: Change) -> String {
        cell_name::<B>(change.cell)
    }

    fn matches(&self, m: Move, prefix: &str) -> bool {
        move_list::matches(self, m, prefix)
    }

    fn targets(&self, m: Move) -> Vec<String> {
        move_list::targets(self, m).into_iter().map(cell_name::<B>).collect()
    }

    fn move_lines(&self, moves: &[Move]) -> Vec<String> {
        move_list::lines(self, moves)
    }

    fn ending(&self, result: &GameResult) -> String {
        self.end().map_or_else(|| words::forfeit(result), End::words)
    }

    fn explanation(&self, before: &Self) -> String {
        words::explanation(self, before)
    }

    fn threats(&self, stop: &Stop) -> ThreatsView {
        threats::threats(self, stop)
    }

    fn chance(&self, seat: Seat, stop: &Stop) -> Option<String> {
        let turn = best_turn(self, seat, &mut Budget { left: CHANCE_BUDGET, stop })?;
        threats::matters(self, turn.gain).then(|| turn.words())
    }

    fn rescue(&self, winner: Seat, played: &[Move], preferred: &[Move], stop: &Stop) -> Option<Vec<Move>> {
        rescue::rescue(self, winner, played, preferred, &mut Budget { left: RESCUE_BUDGET, stop })
    }

    fn movement(&self, turn: &[Move]) -> Option<MoveView> {
        turn_search::movement(self, turn)
    }

    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String {
        drawing::board(self, marks, painter)
    }

    fn standing(&self, to_move: Option<Seat>, names: &[String], painter: Option<&Painter<'_>>) -> String {
        drawing::standing(self, to_move, names, painter)
    }
}
