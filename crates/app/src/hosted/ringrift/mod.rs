//! RingRift at the terminal.

mod move_list;
mod sketch;
mod words;

use game::{ForfeitKind, Game, Seat};
use record::GameResult;
use ringrift::{Cell, Change, End, Geometry, Illegal, Move, Position};
use serde_json::{Value, json};

use super::{Hosted, Marks};
use crate::printer::Printer;

impl<B: Geometry> Hosted for Position<B> {
    type Place = Cell;

    const LEGEND: &'static str = "112 is a stack from bottom to top, *1 a marker, #1 territory of seat 1.";
    const HELP: &'static str = "\
moves  +d4 ++d4 +++d4   place one, two or three rings
       d4-d7            move a stack
       d4xd6-d8         move a stack over another and capture its top ring
       =a1-d1           take a line; =a1-e1:b1-e1 takes a part of it
       #a1              claim the region that has a1 as its first cell; #a1@2 the one that
                        markers of seat 2 wall in
       -d4              pay from the stack on d4
       d4~d5/e6         slide a marker and pay from e6; d4~!d5/e6 strikes the stack on d5
       swap, skip       swap sides; decline what may be declined
       The beginning of a move is enough if only one legal move starts so.
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

    fn drawing(&self, marks: &Marks<Cell>, printer: &Printer) -> String {
        sketch::board(self, marks, printer)
    }

    fn standing(&self, over: bool, names: &[String], printer: &Printer) -> String {
        sketch::standing(self, over, names, printer)
    }

    fn choice(&self, moves: &[Move]) -> String {
        words::choice(self, moves)
    }

    fn deed(&self, m: Move) -> String {
        Position::deed(self, m)
    }

    fn refusal(&self, m: Move, moves: &[Move]) -> String {
        match self.check(m) {
            // The rules speak of phases; a player wants to know what to do instead.
            Err(Illegal::WrongPhase { .. }) => format!("Not now. {}", words::choice(self, moves)),
            Err(reason) => format!("Not possible: {reason}."),
            Ok(()) => String::new(),
        }
    }

    fn ending(&self, result: &GameResult) -> String {
        let timeout = result.reason == ForfeitKind::Timeout.name();
        self.end().map_or_else(|| words::forfeit(result.winner, timeout), End::words)
    }

    fn place(change: Change) -> Cell {
        change.cell
    }

    fn matching(&self, moves: &[Move], prefix: &str) -> Vec<Move> {
        move_list::matching(self, moves, prefix)
    }

    fn targets(&self, m: Move) -> Vec<Cell> {
        move_list::targets(self, m)
    }

    fn move_lines(&self, moves: &[Move]) -> Vec<String> {
        move_list::lines(self, moves)
    }

    fn turns_taken(&self) -> u32 {
        self.turns()
    }

    fn usual_plies(&self) -> usize {
        2 * B::SIZE * B::SIZE
    }

    fn facts(&self) -> Value {
        let per_seat =
            |count: &dyn Fn(Seat) -> u32| -> Vec<u32> { Seat::all(self.seats()).map(count).collect() };
        json!({
            "phase": self.phase().name(), "turns": self.turns(),
            "hands": per_seat(&|seat| self.hand(seat)),
            "credits": per_seat(&|seat| self.credits(seat)),
            "territory": per_seat(&|seat| self.territory(seat)),
        })
    }

    fn is_bookkeeping(m: Move) -> bool {
        m.kind().is_bookkeeping()
    }
}
