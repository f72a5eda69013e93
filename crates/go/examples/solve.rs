//! Values of small boards.
#![allow(clippy::print_stdout, reason = "an example that measures has to say what it found")]
use std::time::Instant;
use game::Game;
use go::{Board, Colour, Ko, Rules, Position, Small, solve::{Solver, Table}};
fn main() {
    for size in 2..=4 {
        let started = Instant::now();
        let table = Table::new(size);
        println!("{size}: {} boards {} exact {} sweeps {:?} in {:?}", table.len(), table.exact_count(), table.sweeps(), table.bounds(&Board::new(size), Colour::Black, false), started.elapsed());
        for ko in [Ko::Situational, Ko::Positional] {
            let p = Position::<Small>::new(&Rules { ko, ..Rules::new(size as u8) });
            let mut s = Solver::new(if size==4 {10_000_000} else {1_000_000}).with_table(&table);
            let v = s.value(&p);
            println!("  {ko:?} {v:?} {} nodes {:?}", s.nodes(), started.elapsed());
        }
    }
}
