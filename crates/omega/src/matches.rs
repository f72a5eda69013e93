//! Matches between generations.

use std::sync::Arc;

use arena::{Interval, Z95, wilson};
use eval::OmegaKernels;
use game::{Game, pick};
use go::{Colour, Komi, Points, Position};
use serde::{Deserialize, Serialize};

use crate::{
    Config,
    playing::{Play, generator},
    policy_play::{Choice, play_ply},
    remembering::RememberingReader,
    rows::rules,
};

/// The name of the player that draws its moves, without filling own eyes.
pub const RANDOM: &str = "random";

/// The result of a match, from the first player's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The first player.
    pub one: String,
    /// The second player.
    pub other: String,
    /// Games that the first won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the second won.
    pub losses: u64,
}

impl Match {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The first player's score, from 0 to 1.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games().max(1) as f64
    }

    /// The 95 % interval of the score, by Wilson's method.
    pub fn interval(&self) -> Interval {
        wilson(self.score(), self.games(), Z95)
    }
}

/// A player of a match: the most likely moves of a generation, or random ones.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) name: String,
    pub(crate) kernels: Option<Arc<OmegaKernels>>,
}

/// Plays a match: from each of `config.pairs` random openings, with both colours.
///
/// An opening has two to four random moves and a komi of at most a quarter of the board, so that either colour may be
/// ahead. Both players choose their most likely move.
pub(crate) fn play_match<P: Points>(config: &Config, one: &Contestant, other: &Contestant) -> Match {
    let mut plays: Vec<Play<P>> = Vec::new();
    for pair in 0..config.pairs {
        let mut rng = generator(config.seed, u64::from(pair), 3);
        let most = (usize::from(config.size).pow(2) / 4).max(1);
        let komi = Komi::from_half_points(2 * pick(&mut rng, 2 * most) as i16 - 2 * most as i16 + 1);
        let position = Position::new(&rules(config.size, komi));
        let mut play = Play { position, rng, plies: 0, result: None };
        for _ in 0..2 + pick(&mut play.rng, 3) {
            if play.result.is_none() {
                play.play_at_random();
            }
        }
        for colour in 0..2 {
            let mut play = play.clone();
            play.rng = generator(config.seed, u64::from(2 * pair + colour), 4);
            plays.push(play);
        }
    }
    let mut readers = [one, other].map(|player| player.kernels.clone().map(RememberingReader::new));
    // The first player has Black in even games.
    let mover = |index: usize, play: &Play<P>| (index + play.position.turn().index()) % 2;
    while plays.iter().any(|play| play.result.is_none()) {
        for (side, reader) in readers.iter_mut().enumerate() {
            // Games of this round: those in which the player is to move now, not after the other player's moves below.
            let due: Vec<bool> =
                plays.iter().enumerate().map(|(index, play)| mover(index, play) == side).collect();
            if let Some(reader) = reader {
                play_ply(reader, &mut plays, Choice::Greedy, |index, _| due[index]);
            } else {
                let open = plays.iter_mut().zip(&due).filter(|(play, due)| **due && play.result.is_none());
                open.for_each(|(play, _)| play.play_at_random());
            }
        }
    }
    let mut result = Match { one: one.name.clone(), other: other.name.clone(), wins: 0, draws: 0, losses: 0 };
    for (index, play) in plays.iter().enumerate() {
        let black = play.result.unwrap_or(0.0);
        let own = if index % 2 == Colour::Black.index() { black } else { -black };
        if own > 0.0 {
            result.wins += 1;
        } else if own < 0.0 {
            result.losses += 1;
        } else {
            result.draws += 1;
        }
    }
    result
}
