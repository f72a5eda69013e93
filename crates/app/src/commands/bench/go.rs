//! `riftlab bench go`: measures the speed of random playouts of Go.

use std::time::{Duration, Instant};

use clap::value_parser;
use game::Game;
use go::{Playouts, Position, Rules, on_size};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, printer::Printer};

/// Measure random playouts of Go on one thread: from an empty board, any legal move that does not fill an own eye.
///
/// To profile the playouts: `valgrind --tool=callgrind riftlab bench go --size 9 --games 2000`, or `perf record`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Size of the board, 2 to 19.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = value_parser!(u8).range(2..=19))]
    size: u8,

    /// Number of seconds to play.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Play this many games instead, without checking the clock.
    #[arg(long, value_name = "G", conflicts_with = "seconds", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Seed of the random moves.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Number of games between two checks of the clock.
const BATCH: u64 = 64;

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let rules = Rules::new(args.size);
    let (playouts, bytes) = on_size!(args.size, P => {
        (Playouts::new(&Position::<P>::new(&rules)), size_of::<Position<P>>())
    });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let (mut games, mut plies, mut black) = (0_u64, 0_u64, 0_u64);
    let mut play = |count: u64| {
        for _ in 0..count {
            let finished = playouts.run(&mut rng);
            plies += u64::from(finished.moves);
            black += u64::from(2 * finished.area > rules.komi.half_points());
        }
        games += count;
    };
    let start = Instant::now();
    if let Some(wanted) = args.games {
        play(wanted);
    } else {
        let limit = Duration::from_secs_f64(args.seconds);
        play(BATCH);
        while start.elapsed() < limit {
            play(BATCH);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (per_second, plies_per_second) = (games as f64 / seconds, plies as f64 / seconds);
    let (mean, share) = (plies as f64 / games as f64, black as f64 / games as f64);
    if args.json {
        printer.line(json!({
            "type": "bench-go", "version": 1, "size": args.size, "seed": args.seed, "games": games, "plies": plies,
            "seconds": seconds, "playouts_per_second": per_second, "plies_per_second": plies_per_second,
            "mean_plies": mean, "black_wins": share, "komi": 7.5, "position_bytes": bytes,
        }))?;
    } else {
        printer
            .line(format!("Go on {0}x{0}, seed {1}: random playouts on one thread", args.size, args.seed))?;
        printer.line(format!("{per_second:12.0} playouts/s   {games} games in {seconds:.2} s"))?;
        printer.line(format!("{plies_per_second:12.0} plies/s      {mean:.1} plies per game"))?;
        printer.line(format!("{:12.1} % won by Black, with komi {}", 100.0 * share, rules.komi))?;
        printer.line(format!("{bytes:12} bytes per position"))?;
    }
    Ok(Verdict::Yes)
}
