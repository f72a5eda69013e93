//! Playouts per second on one core: `cargo run --release -p go --example playouts [size] [playouts]`.
//!
//! For instructions per playout run it under `valgrind --tool=callgrind`, with one size and a number of playouts, and
//! divide; for a profile, `perf record` the same.

#![allow(clippy::print_stdout, reason = "an example that measures has to say what it found")]

use std::{env, time::Instant};

use game::Game;
use go::{Large, Playouts, Position, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn main() {
    let numbers: Vec<u32> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = numbers.first().map_or(vec![5, 7, 9, 13, 19], |&size| vec![size]);
    println!("size  playouts/s   moves  black area");
    for size in sizes {
        let count = numbers.get(1).copied().unwrap_or(20_000_000 / size.pow(2));
        let playouts = Playouts::new(&Position::<Large>::new(&Rules::new(size as u8)));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut area, mut moves) = (0i64, 0u64);
        let started = Instant::now();
        for _ in 0..count {
            let finished = playouts.run(&mut rng);
            area += i64::from(finished.area);
            moves += u64::from(finished.moves);
        }
        let seconds = started.elapsed().as_secs_f64();
        let mean = |sum: f64| sum / f64::from(count);
        let rate = f64::from(count) / seconds;
        println!("{size:>4}  {rate:>10.0}  {:>6.1}  {:>+10.2}", mean(moves as f64), mean(area as f64));
    }
}
