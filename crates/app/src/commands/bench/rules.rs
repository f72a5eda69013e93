//! `riftlab bench rules`: how fast the rules are.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use clap::value_parser;
use game::play_out;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, on_game};
use serde_json::json;

use super::{parse_seconds, sample};
use crate::{Verdict, hosted::Hosted, printer::Printer, rule_args::RuleArgs};

/// Play uniformly random games to their end on one thread, generating every legal list in full.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long to play.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Play this many games instead, without a look at the clock in between.
    #[arg(long, value_name = "G", conflicts_with = "seconds", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Seed of the generator that chooses the moves.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.plain()?;
    on_game!(config, P => bench::<P>(args, &config, printer))
}

fn bench<P: Hosted>(args: &Args, config: &Config, printer: &Printer) -> anyhow::Result<Verdict> {
    let start_position = P::new(&P::options(config)?);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let mut moves = Vec::new();
    let (mut games, mut plies) = (0_u64, 0_u64);
    let start = Instant::now();
    let mut play = || {
        let mut position = start_position.clone();
        plies += u64::from(play_out(&mut position, &mut rng, &mut moves));
        games += 1;
    };
    if let Some(wanted) = args.games {
        (0..wanted).for_each(|_| play());
    } else {
        let limit = Duration::from_secs_f64(args.seconds);
        play();
        while start.elapsed() < limit {
            play();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (per_second, plies_per_second) = (games as f64 / seconds, plies as f64 / seconds);
    let mean = plies as f64 / games as f64;
    let bytes = size_of::<P>();
    // An instruction counter wants the games alone.
    let clone =
        if args.games.is_none() { Some(clone_cost(&sample::<P>(config, args.seed, 256)?)) } else { None };
    let (board, seats) = (lab::board(config), config.seats());
    if args.json {
        printer.line(json!({
            "type": "bench-rules", "version": 1, "board": board, "players": seats, "seed": args.seed,
            "games": games, "plies": plies, "seconds": seconds, "games_per_second": per_second,
            "plies_per_second": plies_per_second, "mean_plies": mean, "position_bytes": bytes,
            "clone_ns": clone,
        }))?;
    } else {
        printer.line(format!("{board}, {seats} seats, seed {}: random games on one thread", args.seed))?;
        printer.line(format!("{per_second:12.1} games/s   {games} games in {seconds:.2} s"))?;
        printer.line(format!("{plies_per_second:12.0} plies/s   {mean:.1} plies per game"))?;
        let clone = clone.map(|ns| format!("   cloned in {ns:.1} ns")).unwrap_or_default();
        printer.line(format!("{bytes:12} bytes per position{clone}"))?;
    }
    Ok(Verdict::Yes)
}

/// Nanoseconds per clone, the positions being warm in the cache as they are in a search.
fn clone_cost<P: Clone>(positions: &[P]) -> f64 {
    let limit = Duration::from_millis(200);
    let start = Instant::now();
    let mut clones = 0_u64;
    while start.elapsed() < limit {
        for position in positions {
            black_box(black_box(position).clone());
        }
        clones += positions.len() as u64;
    }
    start.elapsed().as_secs_f64() * 1e9 / clones as f64
}
