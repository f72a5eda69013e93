//! Random games to the end, as fast as possible.
//!
//! A [`Light`] board keeps chains and counts what surrounds every point, so that a random move costs a few hundred
//! instructions. It knows the simple ko rule only and no suicide: a playout estimates, it does not judge.
//! What is absent: moves chosen by patterns, and early ends by a large lead. Both are for those who can measure
//! that they play better.

mod light;

use rand::Rng;

pub use light::Light;

use crate::{Points, Position};

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Black's area less White's.
    pub area: i32,
    /// Moves played, passes included.
    pub moves: u32,
}

/// Playouts from one position, on a board of fitting size.
///
/// ```
/// use game::Game;
/// use go::{Playouts, Position, Rules};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let playouts = Playouts::new(&Position::<go::Large>::new(&Rules::new(9)));
/// let finished = playouts.run(&mut rng);
/// assert!(finished.area.abs() <= 81 && finished.moves <= 3 * 81);
/// ```
#[derive(Clone)]
pub struct Playouts(Room);

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one value serves many playouts, and none is moved about")]
enum Room {
    Six(Light<64>),
    Nine(Light<128>),
    Fourteen(Light<256>),
    Nineteen(Light<512>),
}

impl Playouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let banned = position.banned_ko();
        Self(match position.board().size() {
            0..=6 => Room::Six(Light::from_position(position, banned)),
            7..=9 => Room::Nine(Light::from_position(position, banned)),
            10..=14 => Room::Fourteen(Light::from_position(position, banned)),
            _ => Room::Nineteen(Light::from_position(position, banned)),
        })
    }

    /// One playout: uniformly random among points that are legal and fill no own eye, until both pass, at most
    /// three moves for every point of the board.
    pub fn run(&self, rng: &mut impl Rng) -> Finished {
        fn run<const CELLS: usize>(light: &Light<CELLS>, rng: &mut impl Rng) -> Finished {
            let most = 3 * (light.size() * light.size()) as u32;
            light.clone().play_out(rng, most)
        }
        match &self.0 {
            Room::Six(light) => run(light, rng),
            Room::Nine(light) => run(light, rng),
            Room::Fourteen(light) => run(light, rng),
            Room::Nineteen(light) => run(light, rng),
        }
    }
}

#[cfg(test)]
mod tests;
