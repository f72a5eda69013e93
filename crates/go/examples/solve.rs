//! Solves small boards, from 2×2 to 4×4: `cargo run --release -p go --example solve [size] [nodes]`.

#![allow(clippy::print_stdout, reason = "the example prints its results")]

use std::{env, time::Instant};

use game::Game;
use go::{
    Ko, Position, Rules, Small,
    solve::{Solver, Table},
};

fn main() {
    let numbers: Vec<u64> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = numbers.first().map_or(2..=4, |&size| size as usize..=size as usize);
    let nodes = numbers.get(1).copied().unwrap_or(1_000_000);
    for size in sizes {
        let started = Instant::now();
        let table = Table::new(size);
        let (boards, exact) = (table.len(), table.exact_count());
        println!(
            "{size}x{size}: {boards} boards up to symmetry, {exact} of them with an exact value in the table"
        );
        println!("  table: {} sweeps, {:.1?}", table.sweeps(), started.elapsed());
        for ko in [Ko::Situational, Ko::Positional] {
            let started = Instant::now();
            let mut solver = Solver::new(nodes).with_table(&table);
            let answer = match solver.value(&Position::<Small>::new(&Rules { ko, ..Rules::new(size as u8) }))
            {
                Ok(value) => format!("{value:+}"),
                Err(error) => error.to_string(),
            };
            let elapsed = started.elapsed();
            println!("  {} superko: {answer} ({} nodes, {elapsed:.1?})", ko.name(), solver.nodes());
        }
    }
}
