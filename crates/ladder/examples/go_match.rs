//! Plays a match of Go between two agents and measures win rate and cost per move.
//!
//! ```text
//! cargo run --release -p ladder --example go_match -- 9 7.5 200 "heuristic" "random"
//! ```
//!
//! The arguments are board size, komi, number of games and two agents. Games are played in pairs with colours reversed,
//! each pair from an opening of one random stone per colour. With a sixth argument, the name of a point, the first agent has
//! Black in all games, and the opening is a black stone there and a random white one (`-` for none). With a seventh, the number of the
//! first game, a long series can be played in parts. An agent resigns after two decisions in a row that it values below
//! the variable `RESIGN` (-0.9 if it is not set; -1 plays every game to its end); external programs report no values and
//! resign by themselves. With the variable `HURRY`, an agent that has valued its last four decisions above 0.98 spends only
//! this share of its budget, so that won games end sooner. Prints a line for every game, the first agent's wins with a 95 % Wilson interval, and the time and
//! nodes per decision.
#![expect(clippy::print_stdout, reason = "this is a program")]

use std::{env, error::Error, fmt::Write, ops::Range, time::Duration};

use game::{ForfeitKind, Game, Notation, pick};
use go::{Large, Medium, Points, Position, Rules, Small};
use ladder::{Models, Playable, Player, Spec, WithoutNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::Stop;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let (words, first) = words.split_at(words.len().min(5));
    let [size, komi, games, one, other] = words else {
        return Err("expected size, komi, games and two agents".into());
    };
    let stone = first.first().map(String::as_str).filter(|stone| *stone != "-");
    let number: u64 = first.get(1).map_or(Ok(0), |number| number.parse())?;
    let rules = Rules { komi: komi.parse()?, ..Rules::new(size.parse()?) };
    if let Some(fault) = rules.faults().into_iter().next() {
        return Err(fault.into());
    }
    let games: u64 = games.parse()?;
    let (specs, games) = ([one.parse()?, other.parse()?], number..number + games);
    match rules.size {
        0..=7 => contest::<Small>(rules, &specs, games, stone),
        8..=10 => contest::<Medium>(rules, &specs, games, stone),
        _ => contest::<Large>(rules, &specs, games, stone),
    }
}

fn contest<P: Points>(
    rules: Rules,
    specs: &[Spec; 2],
    numbers: Range<u64>,
    stone: Option<&str>,
) -> Result<(), Box<dyn Error>> {
    let start = Position::<P>::new(&rules);
    let mut players = Vec::new();
    for spec in specs {
        // Nets are named by their files.
        let models = Models::in_folder(".");
        players.push(Player::with_models(spec, start.venue(), WithoutNet::Refuse, &models)?);
    }
    let (mut score, mut plies, mut moves) = (0.0, 0, Vec::new());
    let mut costs = [(0_u64, Duration::ZERO, 0_u64); 2];
    let games = numbers.end - numbers.start;
    let hurry: f64 = env::var("HURRY").map_or(Ok(1.0), |share| share.parse())?;
    let least: f32 = env::var("RESIGN").map_or(Ok(-0.9), |least| least.parse())?;
    for game in numbers {
        let mut position = start.clone();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(if stone.is_some() { game } else { game / 2 });
        if let Some(stone) = stone {
            position.play(position.parse_move(stone)?)?;
        }
        for _ in position.moves_played()..2 {
            position.legal_moves(&mut moves);
            // The last legal move is the pass.
            position.play_unchecked(moves[pick(&mut rng, moves.len() - 1)], &mut ());
        }
        let mut agents = [0, 1].map(|side: usize| players[side].agent::<Position<P>>(2 * game + side as u64));
        let first = if stone.is_some() { 0 } else { (game % 2) as usize };
        let mut record = String::new();
        let (mut hopeless, mut winning) = ([0; 2], [0; 2]);
        let mut resigned = None;
        while !position.is_over() && resigned.is_none() {
            let side = position.to_move().index() ^ first;
            let mut limits = players[side].limits();
            if winning[side] >= 4 {
                limits.nodes = (limits.nodes as f64 * hurry) as u64;
                limits.time = limits.time.map(|time| time.mul_f64(hurry));
            }
            let report = agents[side].think(&position, &limits, &Stop::default());
            costs[side].0 += 1;
            costs[side].1 += report.time;
            costs[side].2 += report.nodes;
            if let Some(forfeit) = &report.forfeit {
                if forfeit.kind != ForfeitKind::Resignation {
                    return Err(format!("game {game}: {forfeit:?}").into());
                }
                resigned = Some(side);
                break;
            }
            let value = report.values.map_or(0.0, |values| values.of(position.to_move()));
            hopeless[side] = if value < least { hopeless[side] + 1 } else { 0 };
            winning[side] = if value > 0.98 { winning[side] + 1 } else { 0 };
            if hopeless[side] == 2 {
                resigned = Some(side);
                break;
            }
            write!(record, " {}", position.move_text(report.best))?;
            position.play(report.best)?;
        }
        plies += position.moves_played();
        let result = if let Some(side) = resigned {
            side as f64
        } else {
            let outcome = position.outcome().ok_or("a game that is over has an outcome")?;
            f64::from(outcome.values().0[first] + 1.0) / 2.0
        };
        score += result;
        println!("game {game}: {result}, colour {first}, resigned {resigned:?}:{record}");
    }
    let (low, high) = wilson(score / games as f64, games as f64);
    println!(
        "{}x{0} komi {}, {} against {}: {score} of {games}, {:.1} % [{:.1}, {:.1}], {:.1} plies per game",
        rules.size,
        rules.komi,
        players[0].config,
        players[1].config,
        100.0 * score / games as f64,
        100.0 * low,
        100.0 * high,
        f64::from(plies) / games as f64
    );
    for (player, (decisions, time, nodes)) in players.iter().zip(costs) {
        println!(
            "  {}: {:.3} ms and {:.1} nodes per decision, {:.0} nodes per second",
            player.config,
            1000.0 * time.as_secs_f64() / decisions as f64,
            nodes as f64 / decisions as f64,
            nodes as f64 / time.as_secs_f64()
        );
    }
    Ok(())
}

/// The 95 % confidence interval of the win rate.
fn wilson(share: f64, games: f64) -> (f64, f64) {
    let z = 1.96_f64;
    let middle = share + z * z / (2.0 * games);
    let reach = z * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z * z / games;
    ((middle - reach) / scale, (middle + reach) / scale)
}
