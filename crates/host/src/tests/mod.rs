//! Tests of hosted games through their interface.

mod agents;
mod agreement;
mod danger;
mod go_game;
mod playing;
mod words;

use record::Config;
use ringrift::{Board, Rules};

use crate::{HostedGame, Occupant};

/// One config for every position type.
fn configs() -> Vec<Config> {
    let ringrift = Board::ALL.into_iter().map(|board| Config::ringrift(board, Rules::new(2)));
    let go = [5, 9, 13].into_iter().map(|size| Config::go(go::Rules::new(size)));
    ringrift.chain(go).collect()
}

fn square8() -> Box<dyn HostedGame> {
    let rules = Rules { swap: true, ..Rules::new(2) };
    crate::open(&Config::ringrift(Board::Square8, rules)).unwrap()
}

fn small_go() -> Box<dyn HostedGame> {
    crate::open(&Config::go(go::Rules::new(5))).unwrap()
}

/// Seats people (`human`) and agents.
fn seated(mut game: Box<dyn HostedGame>, seats: &[&str], seed: u64) -> Box<dyn HostedGame> {
    let venue = game.venue();
    let occupant = |text: &&str| match *text {
        "human" => Occupant::Human,
        spec => Occupant::agent(spec, venue).unwrap(),
    };
    game.take_seats(seats.iter().map(occupant).collect(), seed).unwrap();
    game
}

/// The next number of a xorshift generator.
fn next(random: &mut u64) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random >> 33) as usize
}
