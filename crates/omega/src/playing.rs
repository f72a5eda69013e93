//! Games in progress: how they begin, when they end, and how moves are drawn.

use game::{Game, derive_seed, pick};
use go::{Colour, Komi, Move, Points, Position, Verdict};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::{Config, rows::rules};

/// A game in progress, with random numbers of its own, so that it does not depend on the games beside it.
#[derive(Clone, Debug)]
pub(crate) struct Play<P> {
    pub(crate) position: Position<P>,
    pub(crate) rng: Xoshiro256PlusPlus,
    /// Plies since the game began, wherever that was.
    pub(crate) plies: u32,
    /// Black's result, once it is known: 1, 0 or −1.
    pub(crate) result: Option<f32>,
}

impl<P: Points> Play<P> {
    /// The game with this number of a stage, from the empty board.
    pub(crate) fn begin(config: &Config, stage: u32, number: u64) -> Self {
        let mut rng = generator(config.seed, number, u64::from(stage) << 8);
        let komi = draw_komi(config, &mut rng);
        Self { position: Position::new(&rules(config.size, komi)), rng, plies: 0, result: None }
    }

    /// Plays a move and finds out whether the game is over.
    pub(crate) fn play(&mut self, m: Move) {
        self.position.play_unchecked(m, &mut ());
        self.plies += 1;
        let points = self.position.board().points().len();
        let over = self.position.is_over() || self.plies >= 4 * points;
        self.result = if over { Some(as_it_stands(&self.position)) } else { eval::decided(&self.position) };
    }

    /// Plays a random sensible move; a pass if there is none.
    pub(crate) fn play_at_random(&mut self) {
        let sensible = eval::sensible(&self.position);
        let count = sensible.len() as usize;
        let point = if count == 0 { None } else { sensible.iter().nth(pick(&mut self.rng, count)) };
        self.play(point.map_or(Move::PASS, Move::at));
    }
}

/// A generator for a number and a purpose.
pub(crate) fn generator(seed: u64, number: u64, purpose: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(derive_seed(seed, number, purpose))
}

/// The result for a colour, given Black's.
pub(crate) fn result_for(colour: Colour, black: f32) -> f32 {
    if colour == Colour::Black { black } else { -black }
}

/// Komi of a game: fixed, or drawn so that half of the games are about small margins and half about any margin.
fn draw_komi(config: &Config, rng: &mut impl Rng) -> Komi {
    let halves = config.komi.unwrap_or_else(|| {
        let points = i16::from(config.size) * i16::from(config.size);
        let most = if pick(rng, 2) == 0 { points } else { (points / 4).max(1) };
        // Odd numbers of half points, between −most and most points.
        2 * pick(rng, 2 * most as usize) as i16 - 2 * most + 1
    });
    Komi::from_half_points(halves)
}

/// Black's result if the game ended now.
fn as_it_stands<P: Points>(position: &Position<P>) -> f32 {
    position.score(&Verdict::AS_IT_STANDS).half_points().signum() as f32
}
