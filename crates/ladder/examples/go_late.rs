//! Measures how often agents keep the value of late 5×5 positions in which the value of every move is proven.
//!
//! ```text
//! cargo run --release -p ladder --example go_late -- random heuristic "mcts(sims=1000,leaves=rollout,select=uct)"
//! ```
//!
//! Without arguments, tests a range of agents. The komi of each position is set so that exactly the value-preserving
//! moves win.
#![expect(clippy::print_stdout, reason = "this is a program")]

use std::{env, error::Error};

use go::proven::{Kept, Proven};
use ladder::{Models, Playable, Player, Spec, WithoutNet};
use search::Stop;

const AGENTS: [&str; 9] = [
    "random",
    "heuristic",
    "minimax(nodes=1000)",
    "minimax(nodes=10000)",
    "descent(nodes=1000)",
    "mcts(sims=300)",
    "mcts(sims=300,leaves=rollout,select=uct,c=0.05,rave=1000,priors=20)",
    "mcts(sims=1000,leaves=rollout,select=uct,c=0.05,rave=1000,priors=20)",
    "mcts(sims=4000,leaves=rollout,select=uct,c=0.05,rave=1000,priors=20)",
];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let specs: Vec<&str> =
        if words.is_empty() { AGENTS.to_vec() } else { words.iter().map(String::as_str).collect() };
    let set = Proven::late5();
    // Nets are named by their files.
    let models = Models::in_folder(".");
    for spec in specs {
        let spec: Spec = spec.parse()?;
        let venue = set[0].position.venue();
        let player = Player::with_models(&spec, venue, WithoutNet::Refuse, &models)?;
        let mut number = 0;
        let kept = Kept::by(&set, |position| {
            number += 1;
            player.agent(number).think(position, &player.limits(), &Stop::default()).best
        });
        println!(
            "{spec}: {} of {} keep the value, {:.1} % (by chance {:.1} %); {} of {} where one move does; {:.2} points lost per move",
            kept.kept,
            kept.asked,
            100.0 * kept.share(),
            100.0 * kept.by_chance / f64::from(kept.asked),
            kept.kept_only,
            kept.asked_only,
            f64::from(kept.lost) / f64::from(kept.asked)
        );
    }
    Ok(())
}
