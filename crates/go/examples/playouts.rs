//! Measures speed on one core: `cargo run --release -p go --example playouts [size] [playouts]`.
//!
//! It runs random playouts, then random games under the full rules, with all legal moves generated at every move and
//! positional superko. To count instructions per playout, run it under `valgrind --tool=callgrind` with a size and a
//! number of playouts, which skips the games under the full rules, and divide. `callgrind_annotate` shows the profile.

#![allow(clippy::print_stdout, reason = "the example prints its measurements")]

use std::{env, time::Instant};

use game::{Game, play_out};
use go::{Large, Medium, Playouts, Points, Position, Rules, Small};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn main() {
    let numbers: Vec<u32> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = numbers.first().map_or(vec![5, 7, 9, 13, 19], |&size| vec![size]);
    println!("size  playouts/s   moves  black area");
    for &size in &sizes {
        playouts(size, numbers.get(1).copied().unwrap_or(20_000_000 / size.pow(2)));
    }
    if numbers.len() > 1 {
        return;
    }
    println!("size  set     games/s   moves     moves/s");
    for &size in &sizes {
        if size as usize <= Small::LARGEST {
            games::<Small>("small", size);
        }
        if size as usize <= Medium::LARGEST {
            games::<Medium>("medium", size);
        }
        games::<Large>("large", size);
    }
}

fn playouts(size: u32, count: u32) {
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

fn games<P: Points>(set: &str, size: u32) {
    let count = 500_000 / size.pow(3);
    let start = Position::<P>::new(&Rules::new(size as u8));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut moves, mut list) = (0u64, Vec::new());
    let started = Instant::now();
    for _ in 0..count {
        moves += u64::from(play_out(&mut start.clone(), &mut rng, &mut list));
    }
    let seconds = started.elapsed().as_secs_f64();
    let (rate, mean) = (f64::from(count) / seconds, moves as f64 / f64::from(count));
    println!("{size:>4}  {set:<6}  {rate:>7.0}  {mean:>6.1}  {:>10.0}", moves as f64 / seconds);
}
