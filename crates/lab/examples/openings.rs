//! Measures openings: how varied they are, what balancing them costs, and how well judges predict the winner.
//!
//! ```text
//! cargo run --release -p lab --example openings -- "ringrift board=hex8" 200 "minimax(nodes=10000)" \
//!     "minimax(nodes=1000,megabytes=1)" "minimax(nodes=3000,megabytes=1)"
//! ```
//!
//! The arguments are the options of the game, the number of openings, an agent and judges. First, so many openings of
//! two decisions per seat are drawn at random and balanced, and their distinct positions are counted. Then the agent
//! plays a game against itself after every random opening. For each judge, a row lists how often the seat that it
//! favours wins, by the size of the advantage that it sees.
#![expect(clippy::print_stdout, reason = "this is a program")]

use std::{
    collections::BTreeSet,
    env,
    error::Error,
    time::{Duration, Instant},
};

use arena::{Balance, Conditions, advantage};
use game::{Game, Seat, Values};
use lab::Openings;
use ladder::{Playable, Player, WithoutNet};
use record::{Config, Options, Recorded, on_game};
use search::Stop;

/// The upper ends of the ranges of advantages.
const RANGES: [f32; 6] = [0.02, 0.05, 0.1, 0.2, 0.3, 1.0];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [options, count, agent, judges @ ..] = &words[..] else {
        return Err("expected the options of a game, a number of openings, an agent and judges".into());
    };
    let (config, count) = (options.parse::<Options>()?.config()?, count.parse()?);
    let player = |text: &String| -> Result<Player, Box<dyn Error>> {
        Ok(Player::new(&text.parse()?, lab::venue(&config), WithoutNet::Refuse)?)
    };
    let judges = judges.iter().map(player).collect::<Result<Vec<_>, _>>()?;
    on_game!(config, P => measure::<P>(&config, count, &player(agent)?, &judges))
}

fn measure<P: Playable + Recorded>(
    config: &Config,
    count: u64,
    agent: &Player,
    judges: &[Player],
) -> Result<(), Box<dyn Error>> {
    let (start, plies) = (P::new(&P::options(config)?), 2 * config.seats() as u32);
    let mut random = Vec::new();
    for openings in [Openings::Random, Openings::Balanced] {
        let balance = openings.judge(plies, config).map(|judge| judge.balance());
        let conditions = Conditions { balance, ..Conditions::new(start.clone(), plies) };
        let begin = Instant::now();
        let positions: Vec<P> = (0..count).map(|seed| after(&start, &conditions.opening(seed))).collect();
        let ms = 1000.0 * begin.elapsed().as_secs_f64() / count as f64;
        let distinct = positions.iter().map(Game::key).collect::<BTreeSet<_>>().len();
        print!("{:9} {distinct} distinct positions of {count}, {ms:.2} ms each", openings.name());
        if let Some(Balance { judge, tolerance, .. }) = &conditions.balance {
            let even = |positions: &[P]| {
                let even = |position: &&P| advantage(&judge(position), position.seats()) <= *tolerance;
                positions.iter().filter(even).count()
            };
            print!(", {} even; {} even at random", even(&positions), even(&random));
        } else {
            random = positions;
        }
        println!();
    }
    let begin = Instant::now();
    let winners: Vec<Option<Seat>> = random.iter().map(|position| winner(position, agent)).collect();
    let ms = 1000.0 * begin.elapsed().as_secs_f64() / count as f64;
    let wins = |seat| winners.iter().filter(|winner| **winner == Some(seat)).count();
    let wins: Vec<usize> = Seat::all(config.seats()).map(wins).collect();
    println!("{} wins {wins:?} by seat, {ms:.0} ms per game", agent.spec);
    for judge in judges {
        report(&random, &winners, judge);
    }
    Ok(())
}

/// Prints how often the seat that `judge` favours wins.
fn report<P: Playable>(positions: &[P], winners: &[Option<Seat>], judge: &Player) {
    let mut rows = RANGES.map(|end| (end, 0, 0));
    let mut time = Duration::ZERO;
    for (position, winner) in positions.iter().zip(winners) {
        let report = judge.agent::<P>(1).think(position, &judge.limits(), &Stop::default());
        time += report.time;
        let (values, seats): (Values, _) = (report.values.unwrap_or_default(), position.seats());
        let best = Seat::all(seats).max_by(|&one, &other| values.of(one).total_cmp(&values.of(other)));
        let size = advantage(&values, seats);
        if let Some((_, openings, won)) = rows.iter_mut().find(|(end, ..)| size <= *end) {
            *openings += 1;
            *won += u32::from(best == *winner);
        }
    }
    let ms = 1000.0 * time.as_secs_f64() / positions.len() as f64;
    let cells: Vec<String> =
        rows.iter().map(|(end, openings, won)| format!("≤{end}: {won} of {openings}")).collect();
    println!("{} {ms:.2} ms; {}", judge.spec, cells.join(", "));
}

fn after<P: Game>(start: &P, line: &[P::Move]) -> P {
    let mut position = start.clone();
    for &m in line {
        position.play_unchecked(m, &mut ());
    }
    position
}

/// The winner if `agent` plays all seats from here.
fn winner<P: Playable>(position: &P, agent: &Player) -> Option<Seat> {
    let (mut position, mut legal) = (position.clone(), Vec::new());
    let mut agents: Vec<_> = Seat::all(position.seats()).map(|_| agent.agent::<P>(1)).collect();
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome.winner();
        }
        position.legal_moves(&mut legal);
        let m = if let [only] = legal[..] {
            only
        } else {
            let thinker = &mut agents[position.to_move().index()];
            thinker.think(&position, &agent.limits(), &Stop::default()).best
        };
        position.play_unchecked(m, &mut ());
    }
}
