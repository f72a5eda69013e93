//! Measures the nodes and speed of alpha-beta to a fixed depth, on decisions from six games on square8.
//!
//! ```text
//! cargo run --release -p search --example nodes_to_depth -- 2          # turns
//! cargo run --release -p search --example nodes_to_depth -- 2 exact    # without reductions
//! ```

#![expect(clippy::print_stdout, reason = "a program that measures")]

use eval::{Heuristic, Persona};
use game::{EagerLine, Game, ValuesOnly, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Position, Rules, Square8};
use search::{Agent, AlphaBeta, AlphaBetaOptions, Greedy, Limits, Stop};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let depth = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(2);
    let reductions = arguments.get(1).is_none_or(|text| text != "exact");
    let options = AlphaBetaOptions { depth: Some(depth), reductions, ..AlphaBetaOptions::default() };
    let evaluator = Heuristic::<Square8>::new(Persona::Balanced);
    let (mut decisions, mut nodes, mut worst, mut seconds) = (0_u64, 0, 0, 0.0);
    for seed in 0..6 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::<Square8>::new(&Rules::new(2));
        let mut moves = Vec::new();
        for _ in 0..4 + seed * 12 {
            position.legal_moves(&mut moves);
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
        let mut agent = AlphaBeta::new(EagerLine::new(evaluator.clone()), options);
        let mut opponent = Greedy::new(ValuesOnly(evaluator.clone()), rng);
        let searcher = position.to_move();
        let (mut turns, mut last) = (0, searcher);
        while !position.is_over() && turns < 3 {
            let m = if position.to_move() == searcher {
                let report = agent.think(&position, &Limits::nodes(u64::MAX), &Stop::default());
                decisions += u64::from(report.nodes > 0);
                nodes += report.nodes;
                worst = report.nodes.max(worst);
                seconds += report.time.as_secs_f64();
                report.best
            } else {
                opponent.think(&position, &Limits::nodes(0), &Stop::default()).best
            };
            position.play_unchecked(m, &mut ());
            if position.to_move() != last {
                last = position.to_move();
                turns += u32::from(last == searcher);
            }
        }
    }
    let mean = nodes / decisions.max(1);
    println!(
        "{decisions} decisions to {depth} turns: {mean} nodes on average, {worst} at most, {nodes} in total"
    );
    println!("{:.0} nodes per second", nodes as f64 / seconds);
}
